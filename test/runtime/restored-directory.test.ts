// A restore of D1 between two requests of the operator: what it must not take back is kept in an object, campaigns are
// paused, and what was kept is written again. It acts on all companies of D1.
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { nameBeside, newStoreName, storeStub } from '../../src/base/database/company-store.ts'
import { spellingsOf } from '../../src/base/ledger/suppression/spellings.ts'
import type { CompanyStore } from '../../src/control/companies/company-object.ts'
import { keepRows, openRestored } from '../../src/control/companies/restore-directory.ts'
import type { RestoreState } from '../../src/control/companies/restore-store.ts'
import { changeMember } from '../../src/control/members/store/change-member.ts'
import { addMember } from '../support/access/identity.ts'
import { asOperator } from '../support/companies/operator.ts'
import { isOfD1 } from '../support/database/store.ts'
import { api } from '../support/http/api.ts'
import { dataOf } from '../support/http/expectations.ts'
import { newPhone, seedKey, seedWorld } from '../support/world.ts'

/** The list holds every spelling of a number. */
const spelled = (phoneNumber: string) => [...spellingsOf(phoneNumber)].sort().map((number) => ({ number }))

describe.skipIf(isOfD1('directory'))('A restore of D1', () => {
  async function seedSuppressed() {
    const world = await seedWorld()
    const operator = await asOperator()
    const { key: manage } = await seedKey({ companyId: world.companyId, scope: 'manage' })
    const campaign = `/api/v1/campaigns/${world.campaignId}`
    dataOf(await api(manage).request('PATCH', campaign, { timeZone: 'UTC' }), 200)
    const to = new Date(Date.now() - 120_000).toISOString()
    const phoneNumber = newPhone()
    const body = { phoneNumbers: [phoneNumber] }
    dataOf(await api(world.writeKey).request('POST', '/api/v1/suppressions', body), 200)
    const leaked = await seedKey({ companyId: world.companyId, scope: 'read' })
    const revokedAtMs = Date.now()
    const revoke = (at: number | null) =>
      env.DB.prepare('update api_keys set revoked_at_ms = ?2 where id = ?1').bind(leaked.id, at).run()
    await revoke(revokedAtMs)
    /** As the platform leaves it. */
    const restore = async () => {
      await revoke(null)
      await env.DB.prepare('delete from suppressions where company_id = ?1').bind(world.companyId).run()
    }
    const suppressions = async () =>
      env.DB.prepare('select phone_number as number from suppressions where company_id = ?1')
        .bind(world.companyId)
        .all<{ number: string }>()
    const send = async (path: string, at = to) => dataOf(await operator.ask('POST', path, { to: at }), 200)
    const isPaused = async () =>
      (dataOf(await api(manage).request('GET', campaign), 200) as { paused: boolean }).paused
    const resume = async () => dataOf(await api(manage).request('PATCH', campaign, { paused: false }), 200)
    return { resume, ...world, to, phoneNumber, leaked, restore, suppressions, send, isPaused }
  }

  it('Who has said no since stays so, a revoked key stays revoked, and nobody is called', async () => {
    const { to, phoneNumber, leaked, restore, suppressions, send, isPaused } = await seedSuppressed()
    expect(await send('/api/v1/restoring')).toEqual({
      ...{ restoreTo: to, complete: true, keepId: expect.any(String) },
    })
    await restore()
    expect(await isPaused()).toBe(false)
    const opened = (await send('/api/v1/restored')) as { epoch: number; companies: number }
    expect(opened).toMatchObject({ restoredTo: to, before: 0, kept: true, complete: true })
    expect(opened.companies).toBeGreaterThan(0)
    expect(await isPaused()).toBe(true)
    expect((await suppressions()).results).toEqual(spelled(phoneNumber))
    expect((await api(leaked.key).request('GET', '/api/v1/keys/self')).status).toBe(401)
  })

  it('Campaigns are paused before the first kept row is written, so that no claim leases who has said no', async () => {
    const { to, companyId, campaignId, writeKey, phoneNumber, restore, suppressions, send, isPaused } =
      await seedSuppressed()
    dataOf(await api(writeKey).request('POST', '/api/v1/leads', { campaignId, phoneNumber }), 201)
    await send('/api/v1/restoring')
    await restore()
    expect(await openRestored(env, Date.parse(to), 0)).toMatchObject({ kept: true, complete: false })
    expect((await suppressions()).results).toEqual([])
    expect(await isPaused()).toBe(true)
    const agent = await seedKey({ companyId, scope: 'agent' })
    const claimed = await api(agent.key).request('POST', '/api/v1/calls/claim', { campaignId })
    expect(dataOf(claimed, 200)).toMatchObject({ calls: [] })
    expect(await send('/api/v1/restored')).toMatchObject({ companies: 0, kept: true, complete: true })
    expect((await suppressions()).results).toEqual(spelled(phoneNumber))
  })

  it('A keep continues by its own id alone, so that no no between two of them is missed', async () => {
    const { to, companyId, writeKey, phoneNumber, restore, suppressions, send } = await seedSuppressed()
    const other = await seedWorld()
    const toMs = Date.parse(to)
    const begin = async (batches: number, keepId: string | null) => {
      let left = batches
      const batch = async (all: D1PreparedStatement[]) => {
        if (left-- === 0) throw new Error('D1_ERROR: overloaded')
        return env.DB.batch(all)
      }
      const DB = { prepare: (text: string) => env.DB.prepare(text), batch } as unknown as D1Database
      return keepRows({ ...env, DB }, toMs, Date.now() + 10_000, keepId)
    }
    const suppress = async (key: string, number: string) =>
      dataOf(await api(key).request('POST', '/api/v1/suppressions', { phoneNumbers: [number] }), 200)
    // It has read the suppressions.
    await expect(begin(8, null)).rejects.toThrow()
    const { keepId, complete } = await keepRows(env, toMs, 0, null)
    expect(complete).toBe(false)
    const later = newPhone()
    await suppress(writeKey, later)
    await suppress(other.writeKey, later)
    await expect(begin(1, keepId)).rejects.toThrow()
    expect(await keepRows(env, toMs, Date.now() + 10_000, keepId)).toMatchObject({ complete: true })
    await restore()
    await send('/api/v1/restored')
    const numbers = [...spelled(phoneNumber), ...spelled(later)].sort((a, b) =>
      a.number < b.number ? -1 : 1,
    )
    expect((await suppressions()).results).toEqual(numbers)
    const own = await env.DB.prepare('select count(*) as n from suppressions where company_id = ?1')
      .bind(other.companyId)
      .first<number>('n')
    expect([companyId === other.companyId, own]).toEqual([false, spelled(later).length])
  })

  it('A restore of D1 that is opened again pauses nothing anew; without what was kept, it says so', async () => {
    const { restore, suppressions, send, isPaused, resume } = await seedSuppressed()
    await restore()
    expect(await send('/api/v1/restored')).toMatchObject({ kept: false, complete: true })
    await resume()
    expect(await send('/api/v1/restored')).toMatchObject({ companies: 0 })
    expect(await isPaused()).toBe(false)
    expect((await suppressions()).results).toEqual([])
  })

  it('What was kept for a restore that nobody made is deleted after seven days, and not for a store that is being restored', async () => {
    const { to, phoneNumber, send } = await seedSuppressed()
    const beside = (store: string) =>
      storeStub(env, nameBeside(store)) as unknown as DurableObjectStub<CompanyStore>
    const own = newStoreName('restoring', { location: null, jurisdiction: null })
    const texts = async (store: string) =>
      runInDurableObject(beside(store), (_, { storage }) => JSON.stringify([...storage.kv.list()]))
    await send('/api/v1/restoring')
    const state = (await beside('').readRestore()) as RestoreState
    const rows = { table: 'suppressions', rows: [phoneNumber] }
    await beside(own).writeRestore({ ...state, companyId: 'acme', phase: 'writing', kept: 1 }, rows)
    const alarmMs = await runInDurableObject(beside(''), (_, { storage }) => storage.getAlarm())
    expect(Math.abs((alarmMs ?? 0) - Date.now() - 7 * 86_400_000)).toBeLessThan(60_000)
    for (const store of ['', own]) {
      expect(await texts(store)).toContain(phoneNumber)
      await runInDurableObject(beside(store), (object: CompanyStore) => object.alarm())
    }
    expect(await texts('')).not.toContain(phoneNumber)
    expect(await texts(own)).toContain(phoneNumber)
    expect(await send('/api/v1/restored', to)).toMatchObject({ kept: false, complete: true })
  })

  it('An erased number is hashed again in its own company alone, and each company keeps the check of its own pepper', async () => {
    const operator = await asOperator()
    const to = new Date(Date.now() - 120_000).toISOString()
    const send = async (path: string) => dataOf(await operator.ask('POST', path, { to }), 200)
    const [erased, refused] = [newPhone(), newPhone()]
    const seedListed = async () => {
      const { companyId, campaignId, campaign } = await seedWorld()
      const { key } = await seedKey({ companyId, scope: 'manage' })
      const manage = api(key)
      const hours = Object.fromEntries(
        ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, [['00:00', '24:00']]]),
      )
      const settings = { timeZone: 'UTC', callingHours: hours }
      dataOf(await manage.request('PATCH', `/api/v1/campaigns/${campaignId}`, settings), 200)
      const body = { phoneNumbers: [erased], reason: 'by phone' }
      dataOf(await manage.request('POST', '/api/v1/suppressions', body), 200)
      // As of before the restore.
      await env.DB.batch([
        env.DB.prepare('update suppressions set created_at_ms = 1 where company_id = ?1').bind(companyId),
        env.DB.prepare('update number_log set stored_at_ms = 1 where company_id = ?1').bind(companyId),
      ])
      const rowsOf = async (table: string) =>
        (
          await env.DB.prepare(`select * from ${table} where company_id = ?1 order by 1, 2, 3`)
            .bind(companyId)
            .all()
        ).results
      return { companyId, campaignId, number: campaign.number, manage, rowsOf }
    }
    type Listed = Awaited<ReturnType<typeof seedListed>>
    const companies = [await seedListed(), await seedListed()]
    const [one, other] = companies as [Listed, Listed]
    const tables = ['suppressions', 'number_log'] as const
    const saved = await Promise.all(companies.map(({ rowsOf }) => Promise.all(tables.map(rowsOf))))

    dataOf(await one.manage.request('POST', '/api/v1/erasures', { phoneNumber: erased }), 200)
    for (const { manage, campaignId } of companies) {
      dataOf(await manage.createLead({ campaignId, phoneNumber: refused }), 201)
      const claimed = dataOf(await manage.request('POST', '/api/v1/calls/claim', { campaignId }), 200)
      const [call] = (claimed as { calls: { callId: string }[] }).calls
      const calls = [{ callId: call?.callId, outcome: 'not_interested' }]
      dataOf(await manage.request('POST', '/api/v1/calls/report', { calls }), 200)
    }
    await send('/api/v1/restoring')
    // As the platform leaves it.
    for (const [index, { companyId, number }] of companies.entries())
      for (const [at, table] of [...tables, 'suppressed_hashes', 'calls', 'leads'].entries()) {
        const ofCompany = table === 'leads' ? `campaign_number = ${number}` : `company_id = '${companyId}'`
        await env.DB.prepare(`delete from ${table} where ${ofCompany}`).run()
        for (const row of saved[index]?.[at] ?? [])
          await env.DB.prepare(
            `insert into ${table} (${Object.keys(row)}) values (${Object.keys(row).map(() => '?')})`,
          )
            .bind(...Object.values(row))
            .run()
      }
    await send('/api/v1/restored')

    for (const table of tables) {
      expect([table, JSON.stringify(await one.rowsOf(table)).includes(erased)]).toEqual([table, false])
      expect(await other.rowsOf(table)).toEqual(saved[1]?.[tables.indexOf(table)])
    }
    for (const { manage, campaignId } of companies) {
      // Not `pepper lost`.
      dataOf(await manage.createLead({ campaignId, phoneNumber: newPhone() }), 201)
      const { leadId } = dataOf(await manage.createLead({ campaignId, phoneNumber: refused }), 201)
      const calling = await manage.request('GET', `/api/v1/leads/${leadId}/calling`)
      expect(calling.text).toContain('suppressed')
    }
  })

  it('A member who was removed since comes back neither in D1 nor in the directory, and others stay', async () => {
    const operator = await asOperator()
    const to = new Date(Date.now() - 120_000).toISOString()
    const send = async (path: string) => dataOf(await operator.ask('POST', path, { to }), 200)
    const { companyId } = await seedWorld()
    const { key } = await seedKey({ companyId, scope: 'manage' })
    const [gone, stays] = [await addMember(key), await addMember(key)]
    const rowsOf = async (table: string) =>
      (await env.DB.prepare(`select * from ${table} where company_id = ?1`).bind(companyId).all()).results
    const tables = ['members', 'member_directory'] as const
    const saved = await Promise.all(tables.map(rowsOf))
    dataOf(await api(key).request('DELETE', `/api/v1/members/${gone.memberId}?erase=true`), 200)
    await send('/api/v1/restoring')
    // As the platform leaves it.
    for (const [index, table] of tables.entries()) {
      await env.DB.prepare(`delete from ${table} where company_id = ?1`).bind(companyId).run()
      for (const row of saved[index] ?? [])
        await env.DB.prepare(
          `insert into ${table} (${Object.keys(row)}) values (${Object.keys(row).map(() => '?')})`,
        )
          .bind(...Object.values(row))
          .run()
    }
    expect(await rowsOf('member_directory')).toHaveLength(2)
    await send('/api/v1/restored')
    const present = (await rowsOf('members')).filter(({ email }) => email !== null)
    expect(present.map(({ id }) => id)).toEqual([stays.memberId])
    expect((await rowsOf('member_directory')).map((row) => row.member_id)).toEqual([stays.memberId])
  })

  it('A webhook that was removed since stays removed in its own company alone, and one that was disabled disabled', async () => {
    const operator = await asOperator()
    const to = new Date(Date.now() - 120_000).toISOString()
    const send = async (path: string) => dataOf(await operator.ask('POST', path, { to }), 200)
    const worlds = [await seedWorld(), await seedWorld()] as const
    const [own, neighbour] = await Promise.all(
      worlds.map(async ({ companyId }) => {
        const { key } = await seedKey({ companyId, scope: 'manage' })
        const make = async (name: string) => {
          const body = { url: `https://${name}.receiver.test/hook`, types: ['lead.erased'] }
          const made = dataOf(await api(key).request('POST', '/api/v1/webhooks', body), 201)
          return `/api/v1/webhooks/${(made as { webhookId: string }).webhookId}`
        }
        return { companyId, manage: api(key), removed: await make('a'), disabled: await make('b') }
      }),
    )
    if (own === undefined || neighbour === undefined) throw new Error('no companies')
    const rows = () => env.DB.prepare('select * from webhooks').all()
    const { results: saved } = await rows()
    dataOf(await own.manage.request('DELETE', own.removed), 200)
    dataOf(await own.manage.request('PATCH', own.disabled, { disabled: true }), 200)
    await send('/api/v1/restoring')
    // As the platform leaves it.
    for (const row of saved)
      await env.DB.prepare(
        `insert or replace into webhooks (${Object.keys(row)}) values (${Object.keys(row).map(() => '?')})`,
      )
        .bind(...Object.values(row))
        .run()
    await send('/api/v1/restored')
    expect((await own.manage.request('GET', own.removed)).status).toBe(404)
    expect(dataOf(await own.manage.request('GET', own.disabled), 200)).toMatchObject({
      disabledReason: 'operator',
    })
    for (const path of [neighbour.removed, neighbour.disabled])
      expect(dataOf(await neighbour.manage.request('GET', path), 200)).toMatchObject({ disabledAt: null })
  })

  it('The batch that removes a member takes that member alone out of the directory', async () => {
    const { companyId } = await seedWorld()
    const { id, key } = await seedKey({ companyId, scope: 'manage' })
    const [gone, stays] = [await addMember(key), await addMember(key)]
    const [nowMs, actor] = [Date.now(), id]
    const access = { ...{ keyId: id, companyId, actor, nowMs }, requestId: null, operated: null }
    await changeMember(env.DB, access, gone.memberId, { withCreated: false, removes: true })
    const { results } = await env.DB.prepare('select member_id from member_directory where company_id = ?1')
      .bind(companyId)
      .all()
    expect(results).toEqual([{ member_id: stays.memberId }])
  })
})
