// What became of the rows of a lead file, and the rest of an interrupted import.
import { describe, expect, it } from 'vitest'
import { type Judged, settle } from '../../../src/console/import/file/judge-rows.ts'
import { emptyTally as noRows, type Tally } from '../../../src/console/import/import-messages.ts'
import { partsLeft } from '../../../src/queue/leads/file/resume.ts'
import { addToTally, emptyTally, judgeRow, see } from '../../../src/queue/leads/file/tally.ts'
import { createMany } from '../../../src/sdk/src/create-many.ts'
import type { Send } from '../../../src/sdk/src/send.ts'
import { all, gather } from '../../support/leads/lead-file.ts'

it('Results make a tally that counts every row once, and know a repeated number from an existing one', () => {
  const seen = new Set<number>()
  const results = [
    ['+14155550100', { status: 'created', leadId: 'x' }],
    ['+14155550101', { status: 'skipped', leadId: 'y' }],
    ['+14155550100', { status: 'skipped', leadId: 'x' }],
    ['0155', { status: 'invalid', error: 'no number' }],
    ['0155', { status: 'invalid', error: 'no number' }],
  ] as const
  const verdicts = results.map(([number, result]) => judgeRow(result, () => see(seen, number)))
  expect(verdicts.map(({ status }) => status)).toEqual([
    'created',
    'existing',
    'repeated',
    'invalid',
    'invalid',
  ])
  expect(verdicts.reduce(addToTally, { ...emptyTally, suppressed: 7 })).toEqual({
    rows: 5,
    created: 1,
    existing: 1,
    repeated: 1,
    invalid: 2,
    suppressed: 7,
  })
})

it('The number of a row that the service found invalid is repeated in a later row, but not in a dry run', () => {
  const statusesOf = (isTrial: boolean) => {
    const seen = new Set<number>()
    const isSeen = () => see(seen, '+14155550100')
    return [
      judgeRow({ status: 'invalid', error: 'metadata is too large' }, isSeen, { isTrial }).status,
      judgeRow({ status: 'skipped', leadId: 'x' }, isSeen, { isTrial }).status,
    ]
  }
  expect([statusesOf(false), statusesOf(true)]).toEqual([
    ['invalid', 'repeated'],
    ['invalid', 'existing'],
  ])
})

it('Results of the console count what is suppressed, and give the rows that the service did not accept', () => {
  const sent = (row: number): Judged => ({ row, phoneNumber: `+1415555010${row}`, json: '{}', changes: [] })
  const results = [
    { index: 0, status: 'created', leadId: 'x', suppressed: true, lead: sent(2) },
    { index: 1, status: 'skipped', leadId: 'y', lead: sent(3) },
    { index: 2, status: 'invalid', error: 'not sent', lead: { row: 4, phoneNumber: '', problem: 'x' } },
    { index: 3, status: 'invalid', error: 'metadata is too large', lead: sent(5) },
  ] as const
  const seen = new Set<number>()
  let tally: Tally = noRows
  const invalid = results.map((result) => {
    const settled = settle(tally, result, seen)
    tally = settled.tally
    return settled.problem
  })
  expect(tally).toEqual({ rows: 4, created: 1, existing: 1, repeated: 0, invalid: 2, suppressed: 1 })
  expect(invalid).toEqual([null, null, null, 'metadata is too large'])
})

it('Results of an interrupted import are created by it where its lead is its own', () => {
  const isOwn = (leadId: string) => leadId === 'own'
  const statusOf = (leadId: string | null, isRepeated: boolean) =>
    judgeRow({ status: 'skipped', leadId }, () => isRepeated, { isOwn }).status
  expect([statusOf('own', false), statusOf('other', false), statusOf(null, false)]).toEqual([
    'created',
    'existing',
    'existing',
  ])
  expect(statusOf('own', true)).toBe('repeated')
})

describe('What is left of an interrupted import', () => {
  const rows = Array.from({ length: 10 }, (_, index) => ({ phoneNumber: `+1415555010${index}` }))

  it('An interrupted import is sent in the same requests, byte for byte and with the same keys, wherever it stopped', async () => {
    const many = Array.from({ length: 3500 }, (_, index) => ({ phoneNumber: `+1415${5550000 + index}` }))
    const sent: string[] = []
    /** Sends until the request of that number, whose answer is lost, and returns what was stored before it. */
    const run = async (confirmed: number, pending: { rows: number; key: string } | null, lostAt: number) => {
      let stored = { confirmed, pending }
      let requests = 0
      const send: Send = async ({ body, idempotencyKey }) => {
        sent.push(`${idempotencyKey} ${body}`)
        if (++requests === lostAt) throw new Error('closed')
        const results = JSON.parse(`${body}`).leads.map(() => ({ status: 'created', leadId: 'x' }))
        return { data: { results } as never, status: 200, headers: new Headers(), text: '' }
      }
      let again = pending
      const idempotencyKey = (_: number, rows: number) => {
        const own = again ?? { rows, key: `key ${confirmed}` }
        again = null
        stored = { confirmed, pending: own }
        return own.key
      }
      try {
        for (const part of await partsLeft(all(...many), confirmed, pending?.rows ?? 0, new Set()))
          for await (const _ of createMany(send, 'c', part, { idempotencyKey })) confirmed++
      } catch {}
      return stored
    }
    await run(0, null, 0)
    const through = sent.splice(0)
    for (const lostAt of [1, 2, 4]) {
      const { confirmed, pending } = await run(0, null, lostAt)
      expect(confirmed).toBe((lostAt - 1) * 1000)
      await run(confirmed, pending, 0)
      const [lost] = sent.splice(lostAt, 1)
      expect(sent.splice(0)).toEqual(through)
      expect(lost).toBe(through[lostAt - 1])
    }
  })

  it.each([
    [0, 0, 0, 10],
    [4, 0, 0, 6],
    [4, 3, 3, 3],
    [8, 5, 2, 0],
  ])(
    'What is left of an interrupted import after %i rows, with a request of %i, is each row once',
    async (confirmed, interrupted, first, second) => {
      const seen = new Set<number>()
      const parts = await partsLeft(all(...rows), confirmed, interrupted, seen)
      const left: unknown[][] = []
      for (const part of parts) left.push(await gather(part))
      expect(left.map(({ length }) => length)).toEqual([first, second])
      expect(left.flat()).toEqual(rows.slice(confirmed))
      expect(seen.size).toBe(confirmed)
    },
  )
})
