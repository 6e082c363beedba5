// A CSV is opened in a spreadsheet, which runs what looks like a formula.
import { exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { csvText } from '../../src/base/csv-cell.ts'
import { api } from '../support/http/api.ts'
import { dataOf } from '../support/http/expectations.ts'
import { newPhones, seedWorld } from '../support/world.ts'

describe('A CSV', () => {
  const formulas = [
    '=1+1',
    '+1',
    '-1',
    '@SUM(1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '＝1',
    '＋1',
    '－1',
    '＠1',
    '=cmd|"/c calc"!A1',
    '=a,b',
    'x;=1+1;y',
    'x;"=1+1";y',
    'x|@SUM(1)',
    'x\t-1',
    'x\n+1',
    'x; ＝1',
  ]

  it.each(formulas)('A CSV holds no cell that a spreadsheet would run: %j', async (externalId) => {
    const { campaignId, writeKey } = await seedWorld()
    const [phoneNumber] = newPhones(1) as [string]
    dataOf(
      await api(writeKey).createLead({ campaignId, phoneNumber, externalId, metadata: { f: externalId } }),
      201,
    )
    const { text } = await csvOf(writeKey, campaignId)
    const [, row] = parseCsv(text)
    for (const [column, cell] of (row ?? []).entries()) {
      if (column === 2) continue
      expect(cell).not.toMatch(/^[\t\r\n]/)
      // Excel splits at the separator of its language, and knows no quotes but at the start of what it then finds.
      for (const part of cell.split(/[;|\t\r\n]/)) expect(part).not.toMatch(/^[ "]*[=+\-@＝＋－＠]/)
    }
    expect(row?.[2]).toBe(phoneNumber)
    expect(csvText(row?.[3] ?? '')).toBe(externalId)
    expect(csvText(row?.[4] ?? '')).toBe(JSON.stringify({ f: externalId }))
  })
})

async function csvOf(key: string, campaignId: string): Promise<{ text: string }> {
  const response = await exports.default.fetch(
    `http://lead-intake.test/api/v1/leads?campaignId=${campaignId}`,
    {
      headers: { 'x-api-key': key, accept: 'text/csv' },
    },
  )
  return { text: await response.text() }
}

/** RFC 4180. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === '\r\n') rows.push([])
  }
  return rows
}
