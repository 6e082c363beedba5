// `company move`: what is requested, what is refused, what it shows while the store works, and an abort. The store's part is
// played here; test/runtime/move.test.ts has the real one.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { command, databaseOfFile } from './command.ts'

const database = databaseOfFile()

async function seedCompany(): Promise<string> {
  const id = `c-${randomUUID().slice(0, 8)}`
  const created = await command(database.db, `company create --id ${id} --name Acme`)
  expect(created.exitCode).toBe(0)
  return id
}

const set = (id: string, change: string) =>
  database.db.batch([
    database.db.prepare(`update company_moves set ${change} where company_id = ?1`).bind(id),
  ])

async function rowOf(id: string) {
  const read = database.db.prepare(`select * from company_moves where company_id = ?1`).bind(id)
  const [result] = await database.db.batch<Record<string, unknown>>([read])
  return result?.results[0]
}

/** A database that takes no request. */
const failingOnWish = (db: D1Database) => {
  const prepare = (text: string) =>
    db.prepare(text.replace('insert into company_moves', 'insert into nowhere'))
  return { prepare, batch: (all: D1PreparedStatement[]) => db.batch(all) } as D1Database
}

describe('company move', () => {
  it('wishes a new store, says how long writes are refused, and ends when it has switched', async () => {
    const id = await seedCompany()
    const shown = command(database.db, `company move ${id} --to own --location weur`)
    await expect.poll(() => rowOf(id)).toMatchObject({ phase: 'requested', from_store: null })
    expect((await rowOf(id))?.to_store).toMatch(new RegExp(`^:${id}:\\w+@weur$`))
    await set(id, `progress = '{"stage":"counting","table":3,"rows":1234}'`)
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    await set(id, `phase = 'copying', progress = '{"stage":"copying","table":3,"rows":10,"ofRows":40}'`)
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    await set(id, `phase = 'switched', frozen_at_ms = 1000, switched_at_ms = 4000`)
    const { exitCode, stdout, stderr } = await shown
    expect([exitCode, stdout]).toEqual([
      0,
      `Company ${id} is in a store of its own. Writes were refused for 3 s.\nWhat is left where it was is deleted five minutes after the switch.\n`,
    ])
    expect(stderr).toContain(
      'are refused with 503 while it is copied; reads go on. It has 1 rows: about 1 s.',
    )
    expect(stderr).toContain('waiting for the Worker')
    expect(stderr).toContain('counting: 1,234 rows')
    expect(stderr).toContain('copying: 10 of 40 rows')
  })

  it('goes on showing a move that runs, and refuses another way', async () => {
    const id = await seedCompany()
    const first = command(database.db, `company move ${id} --to own`)
    await expect.poll(() => rowOf(id)).toMatchObject({ phase: 'requested' })
    await set(id, `phase = 'switched', frozen_at_ms = 1, switched_at_ms = 2`)
    await first
    const name = (await rowOf(id))?.to_store
    const again = await command(database.db, `company move ${id} --to own --json`)
    expect(JSON.parse(again.stdout)).toMatchObject({ id, store: 'own' })
    expect((await rowOf(id))?.to_store).toBe(name)
    await set(id, `phase = 'copying'`)
    const back = await command(database.db, `company move ${id} --to shared`)
    expect([back.exitCode, back.stderr]).toEqual([
      1,
      expect.stringContaining('is moving to a store of its own'),
    ])
  })

  it('waits for what a move has left to be deleted before it moves back, and says so', async () => {
    const id = await seedCompany()
    const first = command(database.db, `company move ${id} --to own`)
    await expect.poll(() => rowOf(id)).toMatchObject({ phase: 'requested' })
    const switchedAtMs = Date.UTC(2026, 10, 20, 8)
    await set(id, `phase = 'switched', frozen_at_ms = 1, switched_at_ms = ${switchedAtMs}`)
    await database.db.prepare('update companies set store = ?1 where id = ?2').bind(`:${id}:a`, id).run()
    await first
    const back = command(database.db, `company move ${id} --to shared`)
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(await rowOf(id)).toMatchObject({ phase: 'switched' })
    await set(id, `phase = 'done', ended_at_ms = 1`)
    await expect
      .poll(() => rowOf(id), { timeout: 5_000 })
      .toMatchObject({ phase: 'requested', to_store: null })
    await set(id, `phase = 'switched', frozen_at_ms = 1, switched_at_ms = 2`)
    const { exitCode, stderr } = await back
    expect([exitCode, stderr]).toEqual([
      0,
      expect.stringContaining(
        `company ${id} has just moved to a store of its own: waiting until what it left is deleted, from 2026-11-20T08:05:00`,
      ),
    ])
  })

  it('says how many rows there are before it wishes anything', async () => {
    const id = await seedCompany()
    const counted = command(failingOnWish(database.db), `company move ${id} --to own`)
    expect((await counted).stderr).toContain('It has 1 rows: about 1 s.')
    expect(await rowOf(id)).toBeUndefined()
  })

  it.each([
    [null, 'aborted'],
    ['Database unavailable: database or disk is full', 'Database unavailable: database or disk is full'],
  ])('ends with why a move has stopped, wherever it is shown: %s', async (problem, why) => {
    const id = await seedCompany()
    const shown = command(database.db, `company move ${id} --to own`)
    await expect.poll(() => rowOf(id)).toMatchObject({ phase: 'requested' })
    const { abortMove } = await import('../../src/companies/store/move-steps.ts')
    await abortMove(database.db, id, problem, Date.now())
    const { exitCode, stderr } = await shown
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining(`the move has stopped: ${why}; nothing has changed`),
    ])
    const none = await command(database.db, `company move ${id} --abort`)
    expect([none.exitCode, none.stderr]).toEqual([1, `error: company ${id} is not moving\n`])
  })

  it('aborts before the switch, and not after it', async () => {
    const id = await seedCompany()
    const shown = command(database.db, `company move ${id} --to own`)
    await expect.poll(() => rowOf(id)).toMatchObject({ phase: 'requested' })
    await set(id, `phase = 'switched', frozen_at_ms = 1, switched_at_ms = 2`)
    await shown
    const late = await command(database.db, `company move ${id} --abort`)
    expect([late.exitCode, late.stderr]).toEqual([1, expect.stringContaining('has moved already')])
    await set(id, `phase = 'copying'`)
    const { exitCode, stdout } = await command(database.db, `company move ${id} --abort`)
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('it stays in the shared database')])
    expect(await rowOf(id)).toMatchObject({ phase: 'aborting' })
  })

  it.each<[words: string, message: string]>([
    ['', '--to own, --to shared or --abort is required'],
    ['--to shared', 'is in the shared database already'],
    ['--to shared --location weur', '--location and --jurisdiction are for --to own'],
    ['--to own --jurisdiction eu', '--jurisdiction needs --remote'],
  ])('refuses what cannot be: %s', async (words, message) => {
    const id = await seedCompany()
    const { exitCode, stderr } = await command(database.db, `company move ${id} ${words}`.trim())
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(message)])
    expect(await rowOf(id)).toBeUndefined()
  })

  it('refuses an unknown company', async () => {
    const { exitCode, stderr } = await command(database.db, 'company move nobody --to own')
    expect([exitCode, stderr]).toEqual([1, 'error: unknown company: nobody\n'])
  })
})
