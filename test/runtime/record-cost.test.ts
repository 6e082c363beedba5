// What the pages of the record of a number read, and that they have all of it: each entry once, in order, with the uses
// of its consents, wherever these lie.
import { beforeAll, expect, it } from 'vitest'
import { consentIdOf } from '../../src/base/ledger/consent/consents.ts'
import { type RecordCursor, type RecordEntry, readRecord } from '../../src/queue/consents/store/record.ts'
import { hashesIn } from '../support/access/actor.ts'
import { type CallingWorld, hourMs, noonMs, seedCallingWorld } from '../support/calling/calling.ts'
import { rowsOf, watchedDatabase } from '../support/database/database.ts'
import { companyDb } from '../support/database/store.ts'
import { newPhone } from '../support/world.ts'

type Row = readonly (string | number | null)[]
type Named = { readonly id: string; readonly atMs: number }
type Seeded = {
  readonly phone: string
  readonly consents: readonly Named[]
  readonly usedAtMs: readonly number[]
}

const write = (table: string, columns: string, rows: readonly Row[]) =>
  companyDb
    .prepare(
      `insert into ${table} (${columns}) select ${columns
        .split(', ')
        .map((_, index) => `item.value ->> ${index}`)
        .join()} from json_each(?1) as item`,
    )
    .bind(JSON.stringify(rows))
    .run()

let consentCount = 0

/**
 * Consents of two purposes, an hour apart, withdrawals between them, and some uses: that of every 400th, much later.
 */
async function seed({ companyId }: CallingWorld, phone: string, count: number): Promise<Seeded> {
  const beginMs = noonMs - count * hourMs
  const consents = Array.from({ length: count }, (_, index) => {
    const atMs = beginMs + index * hourMs
    return { id: consentIdOf(atMs, String(consentCount++).padStart(11, '0')), atMs }
  })
  await write(
    'consents',
    'company_id, phone_number, purpose, given_at_ms, id, stored_at_ms',
    consents.map(({ id, atMs }, index) => [companyId, phone, `offers-${index % 2}`, atMs, id, atMs]),
  )
  await write(
    'number_log',
    'company_id, phone_number, withdraws, at_ms, kind, campaign_number, actor, stored_at_ms',
    consents.map(({ atMs }, index) => [
      companyId,
      phone,
      index % 3 ? '*' : 'offers-0',
      atMs + 1,
      'withdrawal',
      0,
      'system',
      atMs,
    ]),
  )
  const used = consents.filter((_, index) => index % 400 === 0)
  const usedAtMs = used.map(({ atMs }, index) => Math.min(noonMs, atMs + 2 + index * 333 * hourMs))
  await write(
    'calls',
    'company_id, phone_number, claimed_at_ms, seq, token, attempt, outcome, consent_id',
    used.map(({ id }, index) => [
      companyId,
      `erased ${id}`,
      usedAtMs[index] ?? 0,
      7,
      'token',
      1,
      'answered',
      id,
    ]),
  )
  return { phone, consents, usedAtMs }
}

let world: CallingWorld
let large: Seeded
let small: Seeded

beforeAll(async () => {
  world = await seedCallingWorld()
  large = await seed(world, newPhone(), 4000)
  small = await seed(world, newPhone(), 500)
})

async function pagesOf(phone: string) {
  const pages: { entries: readonly RecordEntry[]; keptUntilMs: number | null; rowsRead: number }[] = []
  for (let cursor: RecordCursor | null | undefined; cursor !== null; ) {
    const { DB, trips } = watchedDatabase()
    const hashes = hashesIn(world.companyId)
    const page = await readRecord(DB, world.asManager(noonMs), phone, hashes, cursor ?? null)
    if (page.kind !== 'page') throw new Error(page.kind)
    pages.push({ ...page, rowsRead: rowsOf(trips, 'rows_read') })
    cursor = page.end
  }
  return pages
}

it('The pages of a record have each consent, withdrawal and use once, oldest first', async () => {
  for (const { phone, consents, usedAtMs } of [large, small]) {
    const pages = await pagesOf(phone)
    const entries = pages.flatMap((page) => page.entries)
    const timesOf = (type: string) => entries.filter((entry) => entry.type === type).map(({ atMs }) => atMs)
    expect(timesOf('consent')).toEqual(consents.map(({ atMs }) => atMs))
    expect(timesOf('withdrawal')).toEqual(consents.map(({ atMs }) => atMs + 1))
    expect(timesOf('use')).toEqual(usedAtMs.toSorted((a, b) => a - b))
    expect(entries.map(({ atMs }) => atMs)).toEqual(entries.map(({ atMs }) => atMs).toSorted((a, b) => a - b))
    expect(entries).toHaveLength(2 * consents.length + usedAtMs.length)
    // Until five years after the last use, which is later than every giving.
    expect(new Set(pages.map(({ keptUntilMs }) => keptUntilMs))).toEqual(
      new Set([new Date(Math.max(...usedAtMs)).setUTCFullYear(2031)]),
    )
  }
})

it('A page of a record reads no more rows for a number with more entries, except the first, the last and two for each use', async () => {
  const [ofLarge, ofSmall] = [await pagesOf(large.phone), await pagesOf(small.phone)]
  const rowsRead = ofLarge.map((page) => page.rowsRead)
  expect(rowsRead.length).toBeGreaterThan(80)
  expect(Math.max(...rowsRead)).toBeLessThan(2 * 4000 + 3500)
  const looks = rowsRead.filter((rows) => rows > 3500)
  expect(looks.length).toBeLessThanOrEqual(2 * large.usedAtMs.length + 3)
  // A second page has no use.
  expect(rowsRead[1]).toBeLessThan(1.05 * (ofSmall[1]?.rowsRead ?? 0))
})
