// A union of more terms than D1 takes.
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { number, readRows, statement, unionAll } from '../../../src/base/database/database.ts'
import { companyDb } from '../../support/database/store.ts'

it.each([1, 5, 6, 31])('A union of %i terms gives the rows of all of them', async (count) => {
  const wanted = Array.from({ length: count }, (_, i) => i)
  const terms = wanted.map((i) => sql`select ${number(i)} as n`)
  const all = statement(sql`select found.n from (${unionAll(terms)}) as found`)
  const rows = await readRows<{ n: number }>(companyDb, all(companyDb, {}))
  expect(rows.map(({ n }) => n)).toEqual(wanted)
})
