// `event`: the operator's own commands and what clients did, in one log.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createCampaign } from '../../src/access/store/administration.ts'
import { type CallingWorld, seedCallingWorld } from './calling-world.ts'
import { command, commandJson, serviceOfFile } from './command.ts'
import { temporaryDir } from './project.ts'

const service = serviceOfFile()

type Shown = {
  events: {
    id: string
    type: string
    timestamp: string
    actor: string
    data: Record<string, unknown>
  }[]
  next: string
}

const list = ({ json, company }: CallingWorld, ...more: string[]) =>
  json<Shown>('event list --company', company, ...more)

describe('event restored', () => {
  it('begins an epoch in all logs or in one, once for each restore', async () => {
    const [world, other] = [await seedCallingWorld(service), await seedCallingWorld(service)]
    const { company, campaign } = world
    await world.json(`campaign pause ${campaign}`)
    const before = await list(world)
    const to = new Date().toISOString()
    // What follows is of a later millisecond.
    while (Date.now() <= Date.parse(to));
    await world.json(`campaign resume ${campaign}`)
    type Begun = { epoch: number; companies: string[]; before: string[] }
    const begin = (words = '') => commandJson<Begun>(service.db, `event restored --to ${to}${words}`)
    const one = await begin(` --company ${company}`)
    expect(one).toEqual({ epoch: expect.any(Number), restoredTo: to, companies: [company], before: [] })
    const all = await begin()
    expect(all.before).toEqual([company])
    expect(all.companies).toContain(other.company)
    expect(all.epoch).toBeGreaterThan(one.epoch)
    const after = await list(world, '--after', before.next)
    // The resumption, and the pause by the command.
    expect(after.events.map(({ type, id }) => [type, id.length])).toEqual([
      ['campaign.changed', 29],
      ['campaign.changed', 29],
    ])
    expect((await list(world, '--after', after.next)).events).toEqual([])
    const repeated = await command(service.db, `event restored --to ${to}`)
    expect(repeated.stdout).toMatch(
      /^Epoch \d+ started in 0 logs, .+\n\d+ logs already had a new epoch since this restore\.\n$/,
    )
  })

  it('gives no number of a campaign that was given since, before each store has said its last one', async () => {
    const { company, campaign } = await seedCallingWorld(service)
    const numberOf = async (id: string) => {
      const read = service.db.prepare('select number from campaigns where id = ?1').bind(id)
      return (await read.first<number>('number')) as number
    }
    await service.db
      .prepare(`insert into store_states values (?1, 1, 1, '2000_init.sql', 1)`)
      .bind(company)
      .run()
    await command(service.db, 'event restored --to 2026-01-01T00:00:00Z')
    await createCampaign(service.db, { id: 'later', companyId: company, name: 'Later', createdAtMs: 1 })
    expect(await numberOf('later')).toBeGreaterThan((await numberOf(campaign)) + 10_000)
    // The cron visits a store that has applied no migration.
    const states = await service.db.prepare('select last_migration from store_states').all()
    expect(states.results).toEqual([{ last_migration: '' }])
  })

  it('refuses a time that is yet to come, a company that is not there, and a place that is gone', async () => {
    const world = await seedCallingWorld(service)
    const { company, campaign } = world
    const fails = async (words: string) => (await command(service.db, words)).stderr
    expect(await fails('event restored --to 2127-01-01T00:00:00Z')).toBe('error: --to is in the future\n')
    expect(await fails('event restored --to 2026-01-01T00:00:00Z --company nobody')).toBe(
      'error: unknown company: nobody\n',
    )
    await world.json(`campaign pause ${campaign}`)
    const { next } = await list(world)
    await command(service.db, `event restored --to 2020-01-01T00:00:00Z --company ${company}`)
    expect((await world.run(`event list --after ${next}`)).stderr).toMatch(
      /^error: \S+ answered 400 after names an event that is gone: the log was restored to an earlier time\..+\n$/,
    )
  })
})

describe('event keep', () => {
  it('keeps who has said no and who was called, and a restore with it opens with all campaigns paused', async () => {
    const world = await seedCallingWorld(service)
    const { campaign, run, claim, report } = world
    const [called, listed, erased, other] = [
      await world.add(),
      await world.add(),
      await world.add(),
      await world.add(),
    ]
    const putBack = await saveDatabase(service.db)
    const to = new Date().toISOString()
    const [call] = await claim()
    await report(call?.callId ?? '', { outcome: 'no_answer' })
    await run(`suppression add --company ${world.company} ${listed.phoneNumber}`)
    await world.client.leads.erasePerson({ phoneNumber: erased.phoneNumber })
    const file = join(temporaryDir(), 'kept.jsonl')
    const keep = () => command(service.db, `event keep --to ${to} --file ${file}`)
    const kept = await keep()
    expect([kept.stderr, kept.exitCode]).toEqual(['', 0])
    expect((await keep()).stderr).toBe(`error: ${file} cannot be written: EEXIST\n`)
    await putBack()

    const restored = await command(service.db, `event restored --to ${to} --kept ${file}`)
    expect([restored.stderr, restored.exitCode]).toEqual(['', 0])
    expect(await claim()).toEqual([])
    await run(`campaign resume ${campaign}`)
    expect((await claim()).map(({ lead }) => lead.phoneNumber)).toEqual([other.phoneNumber])
    expect((await world.client.leads.get(called.leadId)).attempts).toBe(1)
    await expect(world.client.leads.get(erased.leadId)).rejects.toThrow()
  })

  it('makes no restore with the file of another time, or with a part of a file', async () => {
    const world = await seedCallingWorld(service)
    await world.add()
    const file = join(temporaryDir(), 'kept.jsonl')
    await command(service.db, `event keep --to 2026-01-01T00:00:00Z --file ${file}`)
    const restored = async (to: string) =>
      (await command(service.db, `event restored --to ${to} --kept ${file}`)).stderr
    expect(await restored('2026-01-02T00:00:00Z')).toBe(
      `error: ${file} is of a restore to 2026-01-01T00:00:00.000Z\n`,
    )
    writeFileSync(file, readFileSync(file, 'utf8').split('\n').slice(0, -2).join('\n'))
    expect(await restored('2026-01-01T00:00:00Z')).toBe(`error: ${file} is not complete\n`)
    // A restore pauses all campaigns.
    expect(await world.claim()).toHaveLength(1)
  })
})

/** Plays the part of the platform. Returns what puts all rows back. */
async function saveDatabase(db: D1Database): Promise<() => Promise<void>> {
  const named = async (type: string) =>
    (
      await db
        .prepare(
          `select name, sql from sqlite_master where type = ?1 and name not glob '_cf_*' and name not glob 'sqlite_*'`,
        )
        .bind(type)
        .all<{ name: string; sql: string }>()
    ).results
  const tables = await Promise.all(
    (await named('table')).map(async ({ name }) => ({
      name,
      rows: (await db.prepare(`select * from ${name}`).all()).results,
    })),
  )
  const insert = (name: string, { scheduled_at_ms: _, ...row }: Record<string, unknown>) =>
    db
      .prepare(
        `insert into ${name} (${Object.keys(row).join()}) values (${Object.keys(row)
          .map(() => '?')
          .join()})`,
      )
      .bind(...Object.values(row))
  return async () => {
    const triggers = await named('trigger')
    await db.batch([
      db.prepare('pragma defer_foreign_keys = on'),
      ...triggers.map(({ name }) => db.prepare(`drop trigger ${name}`)),
      ...tables.map(({ name }) => db.prepare(`delete from ${name}`)),
      ...tables.flatMap(({ name, rows }) => rows.map((row) => insert(name, row))),
      ...triggers.map(({ sql }) => db.prepare(sql)),
    ])
  }
}
