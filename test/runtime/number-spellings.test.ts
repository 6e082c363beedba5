// One phone, several spellings (D70): which numbers are taken for one, and by which it is known (D76), the same in
// JavaScript and in SQL.

import type { D1Migration } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { getCountries, getCountryCallingCode, Metadata } from 'libphonenumber-js/max'
import { expect, it } from 'vitest'
import { param, runBatch, statement } from '../../src/base/database/database.ts'
import {
  codesWithTrunkZero,
  mostSpellings,
  phoneKey,
  spellingsOf,
} from '../../src/base/ledger/suppression/spellings.ts'
import { phoneKeyOf, spellings } from '../../src/base/ledger/suppression/spellings-sql.ts'
import { seedCompany } from '../support/world.ts'

/** Each line: the spellings of one phone, its key first. To add a rule, add its lines. */
const phones: readonly (readonly string[])[] = [
  ['+525512345678', '+5215512345678'],
  ['+541123456789', '+5491123456789', '+5401123456789', '+54091123456789'],
  ['+5511987654321', '+551187654321', '+5501187654321', '+55011987654321'],
  // Mobiles of Brazil begin with 6 to 9 behind the 9.
  ['+5511961234567', '+551161234567', '+5501161234567', '+55011961234567'],
  // A landline of Brazil has no 9.
  ['+551151234567', '+5501151234567'],
  ['+551127654321', '+5501127654321'],
  ['+2290197123456', '+22997123456'],
  ['+491711234567', '+4901711234567'],
  ['+254712345678', '+2540712345678'],
  // No number is longer than 15 digits.
  ['+491234567890123'],
  // Italy and the Ivory Coast have numbers that begin with zero.
  ['+390612345678'],
  ['+2250102030405'],
  ['+14155550123'],
  // Not of ten digits.
  ['+52551234567'],
  ['+52155123456789'],
  ['+54112345678', '+540112345678'],
  ['+2299712345'],
  ['+229019712345'],
]

const asked = statement<'number'>(sql`select distinct spelling.value as number
  from json_each(${spellings(sql`${param('number')}`)}) as spelling
  where spelling.value is not null`)

async function spellingsInSql(number: string): Promise<string[]> {
  const { rows } = await runBatch(env.DB, [asked(env.DB, { number })])
  return (rows[0] as { number: string }[]).map((row) => row.number).sort()
}

it.each(phones.flatMap((phone) => phone.map((number) => [number, phone] as const)))(
  '%s has the spellings of its phone, in JavaScript and in SQL',
  async (number, phone) => {
    expect([...spellingsOf(number)].sort()).toEqual([...phone].sort())
    expect(await spellingsInSql(number)).toEqual([...phone].sort())
  },
)

const askedAll = statement<'numbers'>(sql`select ${spellings(sql`item.value`)} as list
  from json_each(${param('numbers')}) as item order by item.key`)

const askedKey = statement<'number'>(sql`select ${phoneKeyOf(sql`${param('number')}`)} as key`)

it.each(phones.flatMap((phone) => phone.map((number) => [number, phone[0]] as const)))(
  'The phone of %s is known as %s, in JavaScript and in SQL',
  async (number, key) => {
    expect(phoneKey(number)).toBe(key)
    expect((await runBatch(env.DB, [askedKey(env.DB, { number })])).rows[0]).toEqual([{ key }])
  },
)

/** Of countries with a rule, and without, so that digits that a rule names come often. */
const numbers = fc
  .tuple(
    fc.constantFrom(
      '52',
      '521',
      '54',
      '549',
      '5411',
      '540',
      '55119',
      '55',
      '550',
      '229',
      '22901',
      '49',
      '490',
      '255',
      '1',
      '39',
    ),
    fc.stringMatching(/^[0169]{0,3}\d{6,10}$/),
  )
  .map((parts) => `+${parts.join('')}`.slice(0, 16))

it('Every spelling of a phone has all others, the phone has one key, and it is one of them, in JavaScript and in SQL', async () => {
  const all = fc.sample(numbers, 2_000)
  for (const number of all) {
    const spelled = spellingsOf(number)
    expect(spelled).toContain(number)
    expect(spelled[0]).toBe(phoneKey(number))
    for (const other of spelled) expect([number, spellingsOf(other)]).toEqual([number, spelled])
  }
  const { rows } = await runBatch(env.DB, [askedAll(env.DB, { numbers: JSON.stringify(all) })])
  const inSql = (rows[0] as { list: string }[]).map(({ list }) => list)
  expect(inSql.map((list) => [...new Set(JSON.parse(list))].filter((one) => one !== null))).toEqual(
    all.map(spellingsOf),
  )
})

it('No number has more spellings than a suppression looks for', () => {
  expect(Math.max(...phones.flat().map((number) => spellingsOf(number).length))).toBe(mostSpellings)
})

it('A zero is left in only where calls within the country begin with one, and no number does', () => {
  const plans = Map.groupBy(getCountries(), (country) => getCountryCallingCode(country))
  const dialsZero = [...plans].filter(([, countries]) =>
    countries.every((country) => {
      const metadata = new Metadata()
      metadata.selectNumberingPlan(country)
      // Its types leave out what a numbering plan has.
      const plan = metadata.numberingPlan as unknown as Record<string, () => unknown>
      const pattern = new RegExp(`^(?:${plan.nationalNumberPattern?.()})$`)
      const lengths = plan.possibleLengths?.() as readonly number[]
      const beginsWithZero = lengths.some((length) =>
        Array.from({ length: 900 }, (_, index) => `0${100 + index}`).some((start) =>
          ['0', '1', '5', '9'].some((digit) => pattern.test(start.padEnd(length, digit).slice(0, length))),
        ),
      )
      return plan.nationalPrefix?.() === '0' && !beginsWithZero
    }),
  )
  expect(dialsZero.map(([code]) => code).sort()).toEqual([...codesWithTrunkZero].sort())
})

it('The migration gives numbers that were suppressed before it their spellings, in their scope', async () => {
  const { queries } = env.TEST_MIGRATIONS.find(({ name }) => name.includes('number_spellings')) as D1Migration
  const [one, other] = [await seedCompany(), await seedCompany()]
  const insert = env.DB.prepare(
    `insert into suppressions
       (company_id, phone_number, campaign_number, reason, token, leads_removed, created_at_ms)
     values (?1, ?2, ?3, ?4, ?5, 0, ?6)`,
  )
  await env.DB.batch([
    insert.bind(one, '+525512345678', 0, 'by mail', 'first', 1),
    insert.bind(one, '+14155550123', 0, null, 'first', 1),
    insert.bind(other, '+5215512345678', 7, null, 'second', 2),
    insert.bind(other, '+491711234567', 0, null, 'erasure', 3),
  ])
  await env.DB.batch(queries.map((query) => env.DB.prepare(query)))
  const { results } = await env.DB.prepare(
    `select company_id, phone_number, campaign_number, reason, token, created_at_ms from suppressions
     where company_id in (?1, ?2) order by created_at_ms, phone_number`,
  )
    .bind(one, other)
    .raw()
    .then((rows) => ({ results: rows }))
  expect(results).toEqual([
    [one, '+14155550123', 0, null, 'first', 1],
    [one, '+5215512345678', 0, 'by mail', 'first', 1],
    [one, '+525512345678', 0, 'by mail', 'first', 1],
    [other, '+5215512345678', 7, null, 'second', 2],
    [other, '+525512345678', 7, null, 'second', 2],
    [other, '+491711234567', 0, null, 'erasure', 3],
  ])
})

it('The migration that knows Benin gives what was said before it to the other spelling, in its scope and company', async () => {
  const { queries } = env.TEST_MIGRATIONS.find(({ name }) => name.includes('one_phone')) as D1Migration
  const [one, other] = [await seedCompany(), await seedCompany()]
  const suppress = env.DB.prepare(
    `insert into suppressions
       (company_id, phone_number, campaign_number, reason, token, leads_removed, created_at_ms)
     values (?1, ?2, ?3, ?4, ?5, 0, ?6)`,
  )
  const say = env.DB.prepare(
    `insert into number_log (company_id, phone_number, withdraws, at_ms, kind, campaign_number, actor, stored_at_ms)
     values (?1, ?2, ?3, ?4, 'withdrawal', 0, 'system', ?4)`,
  )
  await env.DB.batch([
    suppress.bind(one, '+22997123456', 0, 'by mail', 'first', 1),
    suppress.bind(one, '+2299712345', 0, null, 'first', 1),
    suppress.bind(other, '+2290197123457', 7, null, 'second', 2),
    suppress.bind(other, '+22997123458', 0, null, 'erasure', 3),
    say.bind(one, '+22997123456', '*', 1),
    say.bind(one, '+22997123457', '', 1),
    say.bind(other, '+2290197123456', 'offers', 2),
  ])
  const inserts = queries.filter((query) => /^\s*(--.*\n)*\s*insert/i.test(query))
  expect(inserts).toHaveLength(2)
  await env.DB.batch(inserts.map((query) => env.DB.prepare(query)))
  const rowsOf = (columns: string, table: string) =>
    env.DB.prepare(
      `select ${columns} from ${table} where company_id in (?1, ?2) and phone_number like '+229%'
       order by company_id = ?2, phone_number`,
    )
      .bind(one, other)
      .raw()
  expect(
    await rowsOf('company_id, phone_number, campaign_number, reason, token, created_at_ms', 'suppressions'),
  ).toEqual([
    [one, '+2290197123456', 0, 'by mail', 'first', 1],
    [one, '+2299712345', 0, null, 'first', 1],
    [one, '+22997123456', 0, 'by mail', 'first', 1],
    [other, '+2290197123457', 7, null, 'second', 2],
    [other, '+22997123457', 7, null, 'second', 2],
    [other, '+22997123458', 0, null, 'erasure', 3],
  ])
  expect(await rowsOf('company_id, phone_number, withdraws, at_ms, kind', 'number_log')).toEqual([
    [one, '+2290197123456', '*', 1, 'withdrawal'],
    [one, '+22997123456', '*', 1, 'withdrawal'],
    [one, '+22997123457', '', 1, 'withdrawal'],
    [other, '+2290197123456', 'offers', 2, 'withdrawal'],
    [other, '+22997123456', 'offers', 2, 'withdrawal'],
  ])
})
