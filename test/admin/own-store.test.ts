// Commands on a company with a store of its own: what they request, how they wait for the store, and what they print. The
// store is a second database file here, tended as the cron tends it; start-own.test.ts has a real one.
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { hashApiKey } from '../../src/access/api-key.ts'
import { findCompany } from '../../src/access/store/directory.ts'
import { findApiKey } from '../../src/access/store/rights.ts'
import { tendCompany } from '../../src/companies/carry-out.ts'
import type { RequestResult } from '../../src/companies/request.ts'
import { findPending } from '../../src/companies/store/requests.ts'
import { noteState } from '../../src/companies/store/states.ts'
import { waits } from '../../src/limits.ts'
import { command, commandJson, databaseOfFile } from './command.ts'

const [open, store] = [databaseOfFile(), databaseOfFile()]

const { operatorRequestMs } = waits
afterEach(() => void Object.assign(waits, { operatorRequestMs }))

const restored: RequestResult<'company.restore'> = { kind: 'restored', undoBookmark: 'before' }

/** A company with a store of its own, and how its store is tended until the test ends. */
async function seedOwn(options = '') {
  const company = `own-${randomUUID()}`
  await commandJson(open.db, `company create --id ${company} --name Acme --store own${options}`)
  const row = await findCompany(open.db, company)
  const tended = {
    directory: open.db,
    own: store.db,
    store: row?.store ?? null,
    restore: async () => restored as never,
    refuseKeys: () => {},
  }
  const tend = () => tendCompany(tended, company)
  let isRunning = true
  const run = async () => {
    while (isRunning) {
      await tend()
      await setTimeout(20)
    }
  }
  onTestFinished(() => {
    isRunning = false
  })
  return { company, store: row?.store ?? '', tend, run: () => void run() }
}

type Created = { id: string; key: string }

const stateOf = async (db: D1Database, key: string) =>
  (await findApiKey(db, hashApiKey(key), Date.now())).kind

/** The requests of a company that its store has not carried out. */
const pendingOf = async (company: string) =>
  (await findPending(open.db, company)).map(({ request }) => request)

describe('company create --store own', () => {
  it('gives the company a store with a name of its own, which says where it is', async () => {
    const [one, other] = [await seedOwn(), await seedOwn(' --location weur')]
    expect(one.store).toMatch(new RegExp(`^:${one.company}:\\w{8}$`))
    expect(other.store).toMatch(new RegExp(`^:${other.company}:\\w{8}@weur$`))
  })

  it.each([
    ['--store own --jurisdiction eu', '--jurisdiction needs --remote: a local server has no jurisdictions'],
    ['--location weur', '--location and --jurisdiction are for a company with --store own'],
    ['--store shared --jurisdiction eu', '--location and --jurisdiction are for a company with --store own'],
  ])('is refused with %s', async (options, error) => {
    const finished = await command(open.db, `company create --id eu --name Acme ${options}`)
    expect(finished).toEqual({ exitCode: 1, stdout: '', stderr: `error: ${error}\n` })
    expect(await findCompany(open.db, 'eu')).toBeNull()
  })

  it('is listed with what its store last said', async () => {
    const own = await seedOwn()
    const listed = async () =>
      (await commandJson<{ id: string }[]>(open.db, 'company list')).find(({ id }) => id === own.company)
    expect(await listed()).toMatchObject({ store: 'own', sizeBytes: null, leads: null, lastMigration: null })
    const state = { sizeBytes: 4096, leads: 7, lastMigration: '2000_init.sql' }
    await noteState(open.db, own.store, { ...state, lastNumber: 1 }, Date.now())
    expect(await listed()).toMatchObject({ store: 'own', ...state })
    const { stdout } = await command(open.db, 'company list')
    expect(stdout).toMatch(/STORE +SIZE BYTES +LEADS +LAST MIGRATION\n/)
  })
})

describe('For a company with a store of its own', () => {
  it('commands print what they print for any other company, once its store has done it', async () => {
    const { company, run } = await seedOwn()
    run()
    const campaign = await command(open.db, `campaign create --company ${company} --id spring --name Spring`)
    expect(campaign).toEqual({
      exitCode: 0,
      stdout: `Campaign spring created for company ${company}.\n`,
      stderr: '',
    })
    const again = await command(open.db, `campaign create --company ${company} --id spring --name Spring`)
    expect(again.stderr).toBe('error: campaign id is taken: spring\n')

    const words = `key create --company ${company} --scope read --name crm --campaign`
    const { id, key } = await commandJson<Created>(open.db, `${words} spring`)
    expect([await stateOf(open.db, key), await stateOf(store.db, key)]).toEqual(['elsewhere', 'active'])
    expect((await command(open.db, `${words} none`)).stderr).toBe(
      `error: unknown campaign of company ${company}: none\n`,
    )

    const rotated = await commandJson<Created>(open.db, `key rotate ${id} --grace 0`)
    expect([await stateOf(store.db, key), await stateOf(store.db, rotated.key)]).toEqual([
      'unknown',
      'active',
    ])
    expect((await command(open.db, `key rotate ${id}`)).stderr).toBe(
      `error: key is revoked or expired: ${id}\n`,
    )

    const revoked = await command(open.db, `key revoke ${rotated.id}`)
    expect(revoked.stdout).toMatch(new RegExp(`^Key ${rotated.id} revoked at \\S+Z\\.\n$`))
    expect([await stateOf(open.db, rotated.key), await stateOf(store.db, rotated.key)]).toEqual([
      'unknown',
      'unknown',
    ])

    const to = new Date(Date.now() - 60_000).toISOString()
    const begun = await commandJson(open.db, `event restored --company ${company} --to ${to}`)
    expect(begun).toEqual({ epoch: expect.any(Number), restoredTo: to, companies: [company], before: [] })
    const restore = await commandJson(open.db, `company restore ${company} --to ${to}`)
    expect(restore).toEqual({ id: company, restoredTo: to, undoBookmark: 'before' })
  })

  it('no request holds a key', async () => {
    const { company } = await seedOwn()
    Object.assign(waits, { operatorRequestMs: 0 })
    const { stdout } = await command(open.db, `key create --company ${company} --scope read --name crm`)
    const key = /lk_\w+/.exec(stdout)?.[0] ?? ''
    const [request] = await pendingOf(company)
    expect(request).toMatchObject({ kind: 'key.create', hash: hashApiKey(key) })
    expect(JSON.stringify(request)).not.toContain(key.slice(7))
  })

  it('a command that has waited in vain says that the request stays, and it is carried out later', async () => {
    const { company, tend } = await seedOwn()
    Object.assign(waits, { operatorRequestMs: 0 })
    const late =
      'has not carried this out within 90 s: the request stays, and is carried out as soon as the service runs'
    const campaign = await command(open.db, `campaign create --company ${company} --id spring --name Spring`)
    expect(campaign).toEqual({ exitCode: 1, stdout: '', stderr: expect.stringContaining(`${late}\n`) })
    const words = `key create --company ${company} --scope read --name crm --campaign spring`
    const created = await command(open.db, words)
    expect([created.exitCode, created.stderr]).toEqual([
      1,
      expect.stringContaining(`${late}. The printed key works from then on, if the campaign exists\n`),
    ])
    const json = await command(open.db, `${words} --json`)
    const { id, key, pending } = JSON.parse(json.stdout) as Created & { pending: boolean }
    expect([json.exitCode, pending]).toEqual([1, true])
    const rotated = await command(open.db, `key rotate ${id}`)
    expect(rotated.stderr).toContain(
      `${late}. The printed key works from then on, if the old one is active\n`,
    )

    await tend()
    for (const printed of [key, /lk_\w+/.exec(created.stdout)?.[0], /lk_\w+/.exec(rotated.stdout)?.[0]])
      expect(await stateOf(store.db, printed ?? '')).toBe('active')
    expect(await pendingOf(company)).toEqual([])
  })

  it('a key is refused by the directory before its store has revoked it, also one that the store has yet to create', async () => {
    const { company, tend } = await seedOwn()
    Object.assign(waits, { operatorRequestMs: 0 })
    const created = await command(open.db, `key create --company ${company} --scope read --name crm --json`)
    const { id, key } = JSON.parse(created.stdout) as Created
    expect(await stateOf(open.db, key)).toBe('elsewhere')
    const { exitCode, stderr } = await command(open.db, `key revoke ${id}`)
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining('works where it was used within the last hour'),
    ])
    expect(await stateOf(open.db, key)).toBe('unknown')
    await tend()
    expect(await stateOf(store.db, key)).toBe('unknown')
  })

  it('a command that waits says after a moment that the service must run', async () => {
    const { company, run } = await seedOwn()
    const create = command(open.db, `campaign create --company ${company} --id spring --name Spring`)
    const said = () => expect(vi.mocked(process.stderr.write).mock.calls.join()).toContain('must run')
    await vi.waitFor(said, { timeout: 90_000 })
    run()
    const { exitCode, stderr } = await create
    expect([exitCode, stderr]).toEqual([
      0,
      expect.stringContaining('The service must run (npm start for a local one).'),
    ])
  })

  it('key list says where its keys are listed', async () => {
    const { company } = await seedOwn()
    const listed = await command(open.db, `key list --company ${company}`)
    expect(listed).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: expect.stringContaining('GET /api/v1/keys'),
    })
    expect(await commandJson(open.db, `key list --company ${company}`)).toEqual([])
    expect((await command(open.db, 'key list')).stderr).toMatch(
      /^Not listed: the keys of \d+ compan(y|ies) with a store of its own\. /,
    )
  })
})

describe('company restore', () => {
  it.each([
    ['nobody', '2026-01-01T00:00:00Z', 'more than 30 days ago'],
    ['nobody', '2127-01-01T00:00:00Z', '--to is in the future'],
    ['nobody', new Date(Date.now() - 1000).toISOString(), 'unknown company: nobody'],
  ])('refuses %s to %s', async (id, to, error) => {
    const { exitCode, stderr } = await command(open.db, `company restore ${id} --to ${to}`)
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(error)])
  })

  it('refuses a company in the shared database', async () => {
    const company = `shared-${randomUUID()}`
    await commandJson(open.db, `company create --id ${company} --name Acme`)
    const to = new Date(Date.now() - 1000).toISOString()
    const { exitCode, stderr } = await command(open.db, `company restore ${company} --to ${to}`)
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('is in the shared database')])
    expect(await pendingOf(company)).toEqual([])
  })
})
