// `event list`, on an open database: the operator's own commands and what clients did, in one log.
import { describe, expect, it } from 'vitest'
import { seedCallingWorld } from './calling-world.ts'
import { command, commandJson, databaseOfFile } from './command.ts'

const open = databaseOfFile()

type Shown = {
  events: {
    id: string
    type: string
    timestamp: string
    actor: string
    requestId: string | null
    data: Record<string, unknown>
  }[]
  next: string
}

const list = (company: string, ...more: string[]) =>
  commandJson<Shown>(open.db, 'event list --company', company, ...more)
const told = ({ events }: Shown) => events.map(({ type, actor, data }) => ({ type, actor, data }))

describe('event restored', () => {
  it('begins an epoch in all logs or in one, once for each restore', async () => {
    const [{ company, campaign }, other] = [await seedCallingWorld(open.db), await seedCallingWorld(open.db)]
    const before = await list(company)
    const to = new Date().toISOString()
    // What follows is of a later millisecond.
    while (Date.now() <= Date.parse(to));
    await command(open.db, `campaign pause ${campaign} --company ${company}`)
    type Begun = { epoch: number; companies: string[]; before: string[] }
    const begin = (words = '') => commandJson<Begun>(open.db, `event restored --to ${to}${words}`)
    const one = await begin(` --company ${company}`)
    expect(one).toEqual({ epoch: expect.any(Number), restoredTo: to, companies: [company], before: [] })
    const all = await begin()
    expect(all.before).toEqual([company])
    expect(all.companies).toContain(other.company)
    expect(all.epoch).toBeGreaterThan(one.epoch)
    const after = await list(company, '--after', before.next)
    expect(after.events.map(({ type, id }) => [type, id.length])).toEqual([['campaign.changed', 29]])
    expect((await list(company, '--after', after.next)).events).toEqual([])
    const said = await command(open.db, `event restored --to ${to}`)
    expect(said.stdout).toMatch(
      /^Epoch \d+ started in 0 logs, .+\n\d+ logs already had a new epoch since this restore\.\n$/,
    )
  })

  it('refuses a time that is yet to come, a company that is not there, and a place that is gone', async () => {
    const { company, campaign } = await seedCallingWorld(open.db)
    const fails = async (words: string) => (await command(open.db, words)).stderr
    expect(await fails('event restored --to 2127-01-01T00:00:00Z')).toBe('error: --to is in the future\n')
    expect(await fails('event restored --to 2026-01-01T00:00:00Z --company nobody')).toBe(
      'error: unknown company: nobody\n',
    )
    await command(open.db, `campaign pause ${campaign} --company ${company}`)
    const { next } = await list(company)
    await command(open.db, `event restored --to 2020-01-01T00:00:00Z --company ${company}`)
    expect(await fails(`event list --company ${company} --after ${next}`)).toBe(
      `error: the event is gone: the log was restored to an earlier time: ${next}\n`,
    )
  })
})

describe('event list', () => {
  it('What the operator does to campaigns and keys is told, newest last, and each thing once', async () => {
    const { company } = await seedCallingWorld(open.db)
    const before = await list(company)
    const campaignId = `autumn-${company}`
    await command(open.db, `campaign create --company ${company} --id ${campaignId} --name A`)
    await command(open.db, `campaign create --company ${company} --id ${campaignId} --name B`)
    await command(open.db, `campaign pause ${campaignId}`)
    await command(open.db, `campaign pause ${campaignId}`)
    const { id } = await commandJson<{ id: string }>(
      open.db,
      `key create --company ${company} --campaign ${campaignId} --scope read --name A`,
    )
    const { id: newKeyId } = await commandJson<{ id: string }>(open.db, `key rotate ${id} --grace 1h`)
    await command(open.db, `key revoke ${id}`)
    await command(open.db, `key revoke ${id}`)
    await command(open.db, `suppression add --company ${company} +14155550199`)
    await command(open.db, `suppression list --company ${company} --csv`)
    await command(open.db, `suppression remove --company ${company} +14155550199`)
    const after = await list(company, '--after', before.next)
    expect(told(after)).toEqual(
      [
        ['campaign.changed', { campaignId, created: true }],
        ['campaign.changed', { campaignId, changed: ['paused'], paused: true }],
        ['key.created', { campaignId, keyId: id, scope: 'read' }],
        ['key.rotated', { campaignId, keyId: id, newKeyId }],
        ['key.revoked', { campaignId, keyId: id }],
        ['suppression.added', { campaignId: null, count: 1 }],
        ['leads.exported', { campaignId: null, format: 'csv', of: 'suppressions' }],
        ['suppression.lifted', { campaignId: null, count: 1 }],
      ].map(([type, data]) => ({ type, actor: 'operator', data })),
    )
    expect((await list(company, '--limit', '2')).events).toEqual(after.events.slice(-2))
    expect((await list(company, '--types', 'key.created,key.revoked')).events).toEqual([
      after.events[2],
      after.events[4],
    ])
    expect((await list(company, '--after', before.next, '--limit', '3')).events).toEqual(
      after.events.slice(0, 3),
    )
  })

  it('What happened to one lead is found behind any number of other entries', async () => {
    const world = await seedCallingWorld(open.db)
    await open.db.prepare('update companies set listens_since_ms = 1 where id = ?1').bind(world.company).run()
    const { leadId } = await world.add()
    const other = await world.add()
    for (let call = 0; call < 2; call++)
      for (const { callId } of await world.claim()) await world.report(callId, { outcome: 'answered' })
    await command(open.db, `lead requeue ${leadId}`)
    const ofLead = await list(world.company, '--lead', leadId)
    const all = await list(world.company, '--limit', '1000')
    expect(ofLead.events).toEqual(all.events.filter(({ data }) => data.leadId === leadId))
    expect(ofLead.events.length).toBeGreaterThan(1)
    expect((await list(world.company, '--lead', leadId, '--limit', '1')).events).toEqual(
      ofLead.events.slice(-1),
    )
    const [first] = ofLead.events
    expect((await list(world.company, '--lead', leadId, '--after', first?.id ?? '')).events).toEqual(
      ofLead.events.slice(1),
    )
    expect((await list(world.company, '--lead', other.leadId)).events).not.toEqual(ofLead.events)
    const { exitCode, stderr } = await command(null, `event list --company ${world.company} --lead x`)
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('It must be the id of a lead.')])
  })

  it('A person reads lines of when, what, who and about what', async () => {
    const { company, campaign } = await seedCallingWorld(open.db)
    const { stdout, exitCode } = await command(open.db, 'event list --company', company)
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(
      new RegExp(
        `^\\d{4}-.+Z {2}campaign.changed by operator {2}campaignId ${campaign} {2}changed timeZone, callingHours, appointmentHours\\n$`,
      ),
    )
    expect((await command(open.db, 'event list --company', company, '--types', 'key.revoked')).stdout).toBe(
      'No such events.\n',
    )
  })

  it('What is no place of the log, no type and no company is told', async () => {
    const [{ company }, other] = [await seedCallingWorld(open.db), await seedCallingWorld(open.db)]
    const { next } = await list(other.company)
    const fails = async (...words: string[]) =>
      (await command(open.db, 'event list --company', ...words)).stderr
    expect(await fails(company, '--after', next)).toBe(
      `error: no such place in the log of company ${company}: ${next}\n`,
    )
    expect(await fails('nobody')).toBe('error: unknown company: nobody\n')
    expect(await fails(company, '--types', 'call.made')).toContain('call.made is not an event type')
  })
})
