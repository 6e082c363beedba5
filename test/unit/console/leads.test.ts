// Leads in the console, without a browser: names in metadata, picked times in a zone, an export as the API writes it,
// and what became of a selection.
import { describe, expect, it } from 'vitest'
import { describeAlsoIn, nameOf, nextCallOf } from '../../../src/console/leads/lead-words.ts'
import { eraseEach } from '../../../src/console/leads/list/act-on-selection.ts'
import { describePage, isExactly } from '../../../src/console/leads/list/page-words.ts'
import { lineOf, partsOf } from '../../../src/console/leads/list/read-csv.ts'
import {
  type Filter,
  type FoundLead,
  noFilter,
  readPage,
} from '../../../src/console/leads/list/read-leads.ts'
import { metadataTextsOf, readableMembersOf } from '../../../src/console/leads/metadata-text.ts'
import { clientOf } from '../../../src/console/service/client.ts'
import { momentOf, pickerTime } from '../../../src/console/ui/words/zone-time.ts'
import { guessMeanings } from '../../../src/queue/leads/file/guess-columns.ts'
import { leadIdOf } from '../../../src/queue/leads/lead.ts'
import { LeadIntakeError } from '../../../src/sdk/src/errors.ts'
import type { Call, Send } from '../../../src/sdk/src/send.ts'

it.each([
  [{ name: 'Ada' }, 'Ada'],
  [{ 'Full Name': ' Ada Lovelace ' }, 'Ada Lovelace'],
  [{ last_name: 'Lovelace', first_name: 'Ada' }, 'Ada Lovelace'],
  [{ contact: { Vorname: 'Ada' }, city: 'Berlin' }, 'Ada'],
  [{ email: 'ada@example.com' }, 'ada@example.com'],
  [{ company: 'Acme', email: 'ada@example.com' }, 'Acme'],
  [{ name: '', n: 1, deep: { deeper: { name: 'Ada' } } }, null],
  [undefined, null],
])('The name of a lead is guessed from metadata: %j', (metadata, name) => expect(nameOf(metadata)).toBe(name))

it('Metadata is read to the last digit of each lead of a list', () => {
  const text =
    '{"data":{"leads":[{"_id":"a","metadata":{"n": ' +
    '12345678901234567890,"l":[1,[2]]}},{"_id":"b"},{"metadata":{}}],"nextCursor":null}}'
  expect(metadataTextsOf(text)).toEqual(['{"n": 12345678901234567890,"l":[1,[2]]}', '', '{}'])
  expect(metadataTextsOf('{"data":{"leads":[]}}')).toEqual([])
})

it('The next call of a lead is when its campaign opens, and never now while that is closed or paused', () => {
  const days = ['mon', 'tue', 'wed', 'thu', 'fri']
  const week = (...windows: string[][]) =>
    Object.fromEntries([...days, 'sat', 'sun'].map((day) => [day, windows]))
  const campaign = {
    archived: false,
    paused: false,
    timeZone: 'Europe/Berlin',
    callingHours: { ...week(['09:00', '17:00']), sat: [], sun: [] },
    appointmentHours: week(['08:00', '21:00']),
    closedDates: [],
  } as unknown as Parameters<typeof nextCallOf>[1]
  // A Saturday, 11:00 in Berlin.
  const [saturdayMs, mondayMs] = [Date.parse('2026-11-21T10:00Z'), Date.parse('2026-11-23T10:00Z')]
  const due = {
    status: 'raw',
    dueAt: '2026-11-20T10:00:00.000Z',
    lastOutcome: null,
  } as const
  const next = (lead: object, nowMs: number, change: object = {}) =>
    nextCallOf({ ...due, ...lead }, campaign && { ...campaign, ...change }, 'Europe/Berlin', nowMs)
  expect(next({}, saturdayMs)).toMatch(/^Monday 0?9:00/)
  expect(next({}, mondayMs)).toBe('Now')
  expect(next({}, mondayMs, { paused: true })).toBe('Campaign paused')
  expect(next({}, mondayMs, { timeZone: null })).toBe('No time zone set')
  expect(next({}, saturdayMs, { callingHours: week() })).toBe('No upcoming hours')
  // By its own clock, 05:00 there; and a callback, which waits for other hours.
  expect(next({ timeZone: 'America/New_York' }, mondayMs)).toMatch(/^(15|0?3):00/)
  expect(next({ lastOutcome: 'callback_requested' }, saturdayMs)).toBe('Now')
  const sunday = '2026-11-22T05:00:00.000Z'
  expect(next({ dueAt: sunday, scheduledFor: sunday }, saturdayMs)).toMatch(/^Sunday 0?8:00/)
  // Where the hours are not known.
  expect(nextCallOf(due, undefined, 'Europe/Berlin', saturdayMs)).toBe('Now')
})

it('Metadata is shown member by member', () => {
  expect(
    readableMembersOf('{"a":{"b":"x","c":{}},"tags":["gold",1e400],"list":[{"n":1}],"empty":[],"no":null}'),
  ).toEqual([
    ['a › b', 'x'],
    ['a › c', '{}'],
    ['tags', 'gold, 1e400'],
    ['list', '[\n  {\n    "n": 1\n  }\n]'],
    ['empty', '[]'],
    ['no', 'null'],
  ])
})

describe('A picked time', () => {
  const iso = (picked: string, zone: string) => {
    const timeMs = momentOf(picked, zone)
    return timeMs === null ? null : new Date(timeMs).toISOString()
  }
  it.each([
    ['2030-01-15T09:30', 'Europe/Berlin', '2030-01-15T08:30:00.000Z'],
    ['2030-07-15T09:30', 'Europe/Berlin', '2030-07-15T07:30:00.000Z'],
    ['2030-07-15T09:30', 'Asia/Kolkata', '2030-07-15T04:00:00.000Z'],
    ['2030-01-15T23:59', 'Pacific/Auckland', '2030-01-15T10:59:00.000Z'],
    // In the hour that autumn has twice, the first.
    ['2030-10-27T02:30', 'Europe/Berlin', '2030-10-27T00:30:00.000Z'],
    ['2030-03-31T02:30', 'Europe/Berlin', null],
    ['', 'Europe/Berlin', null],
  ])('A picked time is read in a zone: %s in %s', (picked, zone, moment) =>
    expect(iso(picked, zone)).toBe(moment),
  )

  it('A picked time is shown as it was picked', () =>
    expect(pickerTime(Date.parse('2030-01-15T14:30:00Z'), 'America/New_York')).toBe('2030-01-15T09:30'))
})

describe('The next call', () => {
  const nowMs = Date.parse('2030-01-15T07:00:00Z')
  const plain = { lastOutcome: null }
  it.each([
    ['raw', '2030-01-15T06:00:00.000Z', 'Now'],
    ['raw', null, 'Not in the queue'],
    ['attempting', '2030-01-15T08:30:00.000Z', '09:30'],
    ['attempting', null, 'Being called'],
    ['concluded', null, '–'],
  ] as const)('The next call of a lead that is %s and due %s', (status, dueAt, words) =>
    expect(nextCallOf({ status, dueAt, ...plain }, undefined, 'Europe/Berlin', nowMs)).toMatch(words),
  )
})

const lead: FoundLead = {
  _id: leadIdOf({ seq: 2 ** 32 + 1, createdAtMs: 1_795_217_110_612, token: '2pQ7wXk2Lm9' }),
  campaignId: '=demo',
  phoneNumber: '+14155550123',
  externalId: '@sum(1)',
  metadataText: '{"a":"x;=1+1","n":12345678901234567890}',
  status: 'raw',
  scheduledFor: '2027-01-15T09:30:00+01:00',
  priority: 3,
  attempts: 0,
  timeZone: 'Europe/Berlin',
  _creationTime: 1_795_217_110_612,
  lastOutcome: 'busy',
  dueAt: '2027-01-15T08:30:00.000Z',
}

describe('An export', () => {
  const linesOf = async (leads: readonly object[]) => {
    const parts = await partsOf(leads.map((one) => lineOf({ ...lead, ...one })))
    return parts.map((part) => part.trimEnd().split(','))
  }

  it('An export has times in ISO 8601, the last outcome, the next call, and a column for each member of metadata', async () => {
    const [header, first, second] = await linesOf([
      { metadata: '{"a":"x;=1+1","n":12345678901234567890,"status":"won"}' },
      { metadata: '{"n":7,"list":[1]}', lastOutcome: null, dueAt: null, _creationTime: '1795217110612' },
    ])
    expect(header?.slice(-4)).toEqual(['a', 'n', 'metadata.status', 'list'])
    const valuesOf = (cells: readonly string[] = []) =>
      Object.fromEntries(cells.map((cell, at) => [header?.[at], cell]))
    expect(valuesOf(first)).toMatchObject({
      campaignId: "'=demo",
      phoneNumber: '+14155550123',
      externalId: "'@sum(1)",
      lastOutcome: 'busy',
      dueAt: '2027-01-15T08:30:00.000Z',
      _creationTime: '2026-11-20T23:25:10.612Z',
      status: 'raw',
      a: `"x;'=1+1"`,
      n: '12345678901234567890',
      'metadata.status': 'won',
      list: '',
    })
    expect(valuesOf(second)).toMatchObject({ lastOutcome: '', dueAt: '', a: '', n: '7', list: '[1]' })
  })

  it('An export has what is beyond its columns in one column', async () => {
    const wide = (from: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`m${from + at}`, 'v'])))
    const [header, , second] = await linesOf([{ metadata: wide(0) }, { metadata: wide(100) }])
    expect(header?.at(-1)).toBe('metadata')
    const values = (second ?? []).slice(12).join()
    for (let at = 200; at < 250; at++) expect(values).toContain(`""m${at}"":""v""`)
    expect(header).toContain('m199')
  })

  it('An export is imported again as the leads that it holds', async () => {
    const [header = []] = await linesOf([{ metadata: '{"city":"Berlin"}' }])
    const meanings = guessMeanings(header)
    expect(header.filter((_, at) => meanings[at] === 'ignore').toSorted()).toEqual([
      '_creationTime',
      '_id',
      'attempts',
      'campaignId',
      'dueAt',
      'lastOutcome',
      'status',
    ])
    expect(meanings[header.indexOf('city')]).toBe('keep')
  })
})

describe('A page of leads', () => {
  /** A list of so many leads, of which each tenth was busy. */
  const listOf = (count: number) => {
    const sent: Call[] = []
    const send = (async (call: Call) => {
      sent.push(call)
      const { cursor, limit } = call.query as { cursor: string | null; limit: number }
      const from = Number(cursor ?? 0)
      const leads = Array.from({ length: Math.min(limit, count - from) }, (_, index) => ({
        _id: `${from + index}`,
        lastOutcome: (from + index) % 10 === 0 ? 'busy' : null,
      }))
      const data = { leads, nextCursor: from + limit < count ? `${from + limit}` : null }
      return { data, text: JSON.stringify({ data }) }
    }) as unknown as Send
    return { client: clientOf(send), sent }
  }
  const busy = { ...noFilter, outcome: 'busy' } as const

  it('A page of leads is read until there is enough to show, at most ten requests', async () => {
    const { client, sent } = listOf(2000)
    const first = await readPage(client, 'demo', busy, null)
    expect([first.data?.leads.length, first.data?.nextCursor, first.data?.read, sent.length]).toEqual([
      25,
      '250',
      250,
      5,
    ])
    const next = await readPage(client, 'demo', busy, '250')
    expect(next.data?.leads[0]?._id).toBe('250')
    const rare = listOf(2000)
    const none = await readPage(rare.client, 'demo', { ...noFilter, outcome: 'failed' }, null)
    expect([none.data?.leads, none.data?.nextCursor, rare.sent.length]).toEqual([[], '500', 10])
    expect(describePage('demo', { ...noFilter, outcome: 'failed' }, 0, none.data)).toBe(
      'None among 500 leads. Choose Next to look further.',
    )
  })

  it('A page of leads says how many there are of its state, unless it is a search or has an outcome', async () => {
    const { data: page } = await readPage(listOf(2000).client, 'demo', noFilter, null)
    const counts = { raw: 5_000, attempting: 470, concluded: 5, exhausted: 0 }
    const words = (filter: Partial<Filter>) =>
      describePage('demo', { ...noFilter, ...filter }, 0, page, counts)
    expect(words({})).toBe('1 to 50 of 5,475, newest first.')
    expect(words({ status: 'attempting' })).toBe('1 to 50 of 470, newest first.')
    for (const filter of [{ q: 'ada' }, { outcome: 'busy' }, { status: 'concluded' }] as const)
      expect(words(filter)).toBe('1 to 50, newest first.')
  })

  it('A page of leads without a filter is one request', async () => {
    const { client, sent } = listOf(2000)
    const { data } = await readPage(client, 'demo', noFilter, null)
    expect([data?.leads.length, data?.nextCursor, sent.length]).toEqual([50, '50', 1])
  })
})

it.each([
  ['+1 415 555-0123', true],
  ['0415 5550123', true],
  ['5550123', true],
  ['0123', false],
  ['@SUM(1)', true],
  ['ada', false],
])('A search names one lead or not: %s', (q, isOne) => expect(isExactly(q, lead)).toBe(isOne))

describe('Erasing a selection', () => {
  const leads = ['+1415555000', '+1415555001', '+1415555001', '+1415555002'].map((phoneNumber, index) => ({
    _id: `${index}`,
    phoneNumber,
  }))
  const service = (statuses: readonly number[], alsoIn: readonly string[] = [], isPartial = false) => {
    const sent: string[] = []
    const client = clientOf((async ({ method, path }: Call) => {
      const status = statuses[sent.length] ?? 200
      sent.push(`${method} ${path.replace('/api/v1', '')}`)
      if (status === 200) return { data: { alsoIn, isPartial } }
      throw new LeadIntakeError(`Failed ${status}.`, { status, code: 'failed', requestId: 'r' })
    }) as Send)
    return { client, sent }
  }

  it('The erasure of a selection takes one request for a person, and counts one who is gone already', async () => {
    const { client, sent } = service([200, 404, 500])
    const progress: string[] = []
    const result = await eraseEach(client, leads, true, (done, of) => progress.push(`${done} of ${of}`))
    expect(sent).toEqual(Array(3).fill('POST /erasures'))
    expect(progress).toEqual(['0 of 3', '1 of 3', '2 of 3'])
    expect(result).toEqual({ text: '2 people erased. Not +1415555002: Failed 500.', isFailure: true })
  })

  it('The erasure of a selection stops where the service refuses to go on, and says which were not tried', async () => {
    const { client, sent } = service([200, 429])
    const result = await eraseEach(client, leads, false, () => {})
    expect(sent).toEqual(['DELETE /leads/0', 'DELETE /leads/1'])
    expect(result.text).toBe(
      '1 lead erased. Not +1415555001: Failed 429. Not +1415555001, +1415555002: not tried.',
    )
  })

  it('The erasure of a selection says from how many other leads numbers were removed, and whether there may be more', async () => {
    const { client } = service([], ['a', 'b'], true)
    expect((await eraseEach(client, leads, true, () => {})).text).toBe(
      '3 people erased. Removed from the metadata of other leads: 6. More leads may have such ' +
        'numbers in their metadata.',
    )
    expect(describeAlsoIn({ alsoIn: ['a'], isPartial: false })).toBe(
      'The number was removed from the metadata of 1 other lead.',
    )
    expect(describeAlsoIn({ alsoIn: [], isPartial: false })).toBe('')
  })
})
