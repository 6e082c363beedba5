// Columns of a file that say who must not be called: their headers, what becomes of rows that say no, and of the
// numbers in them. Which words say it is the judge's to know (no/judge.test.ts).
import { describe, expect, it } from 'vitest'
import { invalidRowsFile } from '../../../src/console/import/file/invalid-rows-file.ts'
import { openJudge, settle } from '../../../src/console/import/file/judge-rows.ts'
import { survey } from '../../../src/console/import/file/survey.ts'
import { emptyTally, scopeOf } from '../../../src/console/import/import-messages.ts'
import {
  columnsOf,
  type Meaning,
  problemOfMeanings,
  withInstead,
} from '../../../src/queue/leads/file/columns.ts'
import { inBatches } from '../../../src/queue/leads/file/do-not-call.ts'
import {
  guessInstead,
  guessMeanings,
  overruledDoNotCall,
} from '../../../src/queue/leads/file/guess-columns.ts'
import { describeDoubt, noOfDoubt, stillOpen } from '../../../src/queue/leads/file/held/doubt.ts'
import { openDoubts } from '../../../src/queue/leads/file/held/doubts.ts'
import { collectDoNotCall, emptyHoldList } from '../../../src/queue/leads/file/held/held-numbers.ts'
import { openReaders } from '../../../src/queue/leads/file/readers.ts'
import type { Readers } from '../../../src/queue/leads/file/row-item.ts'
import { addToTally, notCalled, numbersOf } from '../../../src/queue/leads/file/tally.ts'
import { all } from '../../support/leads/lead-file.ts'
import cases from '../../support/leads/no-cases.json'

const says =
  `Do Not Call, DoNotCall, donotcall, do_not_call, doNotCall, Do-not-call, DNC, On DNC, IsDNC, DNC Status,
  DNC Flag, DNC (Y/N), DNC list, On DNC List, Do not call list, Do Not Call Flag, Do Not Call (Y/N), DoNotCall__c,
  Do not phone, Do not contact, No Call, Never call,
  HasOptedOutOfCall, Has opted out of calls, Opted out of calls, Opt out of calls, Call Opt-Out, Call_Opt_Out,
  Call opted out,
  Calls opt out, Phone opt out, Phone Opted Out, Phone optout, phoneNumberIsOptedOut, Phone Number Is Opted-Out,
  Phone is opted out, Unsubscribed from calls,
  Person - Do not call, Person - Do not contact, Contact: Do Not Call, Lead: Do Not Call,
  Nicht anrufen, Nicht kontaktieren, Anrufsperre, Anrufverbot, Telefonsperre, Sperrvermerk, Werbesperre, Kontaktsperre,
  Ne pas appeler, Ne pas contacter, Ne pas téléphoner, Bloctel,
  No llamar, No contactar, No telefonear,
  Non chiamare, Non contattare,
  Niet bellen, Niet meer bellen, Bel me niet, Niet contacteren,
  Não ligar, Não telefonar, Não contatar, Não contactar,
  Nie dzwonić, Nie kontaktować`
    .split(',')
    .map((header) => header.trim())
const maySay = [
  ...[
    'Opt out',
    'Opt-Out',
    'opt_out',
    'OptOut',
    'optout',
    'Opted out',
    'optedout',
    'HasOptedOut',
    'Is opted out',
  ],
  ...['Opposition', 'Unsubscribed', 'Unsubscribe'],
]
const saysNothing = [
  ...[
    'Email Opt Out',
    'HasOptedOutOfEmail',
    'HasOptedOutOfFax',
    'Unsubscribed from all email',
    'SMS opt out',
  ],
  ...['Marketing status', 'Opt in', 'Do not mail', 'Call result', 'Last call', 'Called', 'Position', 'Notes'],
]

/** Of columns above these cells, and of which nobody has said what they are. */
function doubtsOf(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  said: readonly number[] = [],
) {
  const doubts = openDoubts(headers)
  for (const [at, cells] of rows.entries()) doubts.add(at + 2, cells)
  return stillOpen(doubts.all(), guessMeanings(headers), (place) => said.includes(place))
}
const bothAnswers = [
  ['+14155550100', 'yes'],
  ['+14155550101', 'no'],
]

describe('A header above cells of yes and no', () => {
  it.each(cases.headers.no)('%j says who must not be called, without a question', (header) => {
    expect(guessMeanings(['phone', header])).toEqual(['phoneNumber', 'doNotCall'])
    expect(doubtsOf(['phone', header], bothAnswers)).toEqual([])
  })

  it.each(cases.headers.ask)('%j is asked about', (header) => {
    const doubts = doubtsOf(['phone', header], bothAnswers)
    expect(doubts).toMatchObject([{ place: 1, header, count: 1 }])
    expect(doubts[0]?.kind).not.toBe('value')
    expect(doubtsOf(['phone', header], bothAnswers, [1])).toEqual([])
  })

  it.each(cases.headers.keep)('%j is kept as metadata, without a question', (header) => {
    expect(guessMeanings(['phone', header])).toEqual(['phoneNumber', 'keep'])
    expect(doubtsOf(['phone', header], bothAnswers)).toEqual([])
  })
})

describe('The columns of which a person has to say what they are', () => {
  it('A column that asks for permission is asked about with the number of its no, and not without one', () => {
    const rows = ['no', 'No', 'refused', '', 'yes', 'perhaps'].map((cell) => ['+14155550100', cell])
    const [doubt] = doubtsOf(['phone', 'Phone Consent'], rows)
    expect(doubt).toMatchObject({
      kind: 'permission',
      count: 3,
      first: [{ row: 2, value: 'no' }, { row: 3 }, { row: 4 }],
    })
    expect(doubt && describeDoubt(doubt)).toBe('asks whether people may be called, and 3 cells say no')
    expect(doubt && noOfDoubt[doubt.kind]).toBe('doNotCallIfNo')
    expect(doubtsOf(['phone', 'Phone Consent'], rows.slice(3))).toEqual([])
  })

  it('A column whose cells say it for themselves is asked about, with how many and one of them', () => {
    const rows = ['Qualified', 'Please do not call again', '', 'Bitte nicht anrufen'].map((cell) => [
      '+14155550100',
      cell,
    ])
    const [doubt] = doubtsOf(['phone', 'Notes'], rows)
    expect(doubt).toMatchObject({ kind: 'value', place: 1, count: 2 })
    expect(doubt && describeDoubt(doubt)).toBe(
      'says do not call in 2 cells, such as “Please do not call again”',
    )
    expect(doubt && noOfDoubt[doubt.kind]).toBe('doNotCallIfSaid')
  })

  it.each(cases.values.say)('The status %j is asked about, alone and among tags', (text) => {
    for (const [header, cell] of [
      ['Lead Status', text],
      ['Tags', `VIP; ${text}`],
      ['Tags', `${text}, New`],
    ] as const)
      expect(doubtsOf(['phone', header], [['+14155550100', cell]])).toMatchObject([
        { kind: 'value', count: 1 },
      ])
  })

  it.each(cases.values.doNot)('The status %j is not asked about', (text) => {
    expect(doubtsOf(['phone', 'Lead Status'], [['+14155550100', text]])).toEqual([])
  })

  it('A word that says it in a status is none in a column of other things, and columns of a lead or a report are not read', () => {
    const rows = [['+14155550100', 'Stop', 'do not call', 'do_not_call']]
    expect(doubtsOf(['phone', 'City', 'externalId', 'importStatus'], rows)).toEqual([])
    expect(doubtsOf(['phone', 'Stage', 'externalId', 'importStatus'], rows)).toMatchObject([{ place: 1 }])
  })
})

describe('The headers of a column that says no', () => {
  it.each(says)('The header %j says who must not be called', (header) => {
    expect(guessMeanings(['phone', header])).toEqual(['phoneNumber', 'doNotCall'])
  })

  it.each(maySay)('The header %j may be about e-mail, so a person is asked', (header) => {
    const meanings = guessMeanings(['phone', header])
    expect(meanings).toEqual(['phoneNumber', 'ask'])
    expect(problemOfMeanings(['phone', header], meanings)).toBe(
      `Say whether the column ${header} is about calls.`,
    )
    for (const said of ['doNotCall', 'keep', 'ignore'] as const)
      expect(problemOfMeanings(['phone', header], ['phoneNumber', said])).toBeNull()
  })

  it.each(saysNothing)('The header %j says nothing of calls', (header) => {
    expect(guessMeanings(['phone', header])).toEqual(['phoneNumber', 'keep'])
  })

  it('Several columns may say no, and none of them is dropped', () => {
    const headers = ['phone', 'DNC', 'Do Not Call', 'Opt out']
    expect(guessMeanings(headers)).toEqual(['phoneNumber', 'doNotCall', 'doNotCall', 'ask'])
    const meanings: Meaning[] = ['phoneNumber', 'doNotCall', 'doNotCall', 'keep']
    expect(problemOfMeanings(headers, meanings)).toBeNull()
    const judge = openJudge(columnsOf(headers, meanings))
    const no = '+14155550100'
    for (const cells of [
      ['yes', '', ''],
      ['', 'yes', ''],
      ['perhaps', 'yes', ''],
      ['yes', 'perhaps', ''],
    ])
      expect(judge({ row: 2, cells: [no, ...cells] })).toMatchObject({ no })
    expect(judge({ row: 2, cells: [no, 'no', '', 'yes'] })).toMatchObject({
      json: '{"phoneNumber":"+14155550100","metadata":{"Opt out":"yes"}}',
    })
  })

  it('A header that says no and is used for something else is named', () => {
    const headers = ['phone', 'Do not call', 'DNC', 'Opt out']
    expect(overruledDoNotCall(headers, ['phoneNumber', 'keep', 'ignore', 'keep'])).toEqual([
      'Do not call',
      'DNC',
    ])
    expect(overruledDoNotCall(headers, ['phoneNumber', 'doNotCall', 'doNotCall', 'keep'])).toEqual([])
  })
})

describe('A row that says no', () => {
  const columns = columnsOf(['phone', 'when', 'DNC'], [
    'phoneNumber',
    'scheduledFor',
    'doNotCall',
  ] satisfies Meaning[])
  const said = { country: 'DE', turnedOff: [], dates: null, timeZone: 'UTC' } as const
  const { readers } = openReaders(said)
  const judge = openJudge(columns, readers)
  const judged = (...cells: string[]) => judge({ row: 2, cells })

  it('A row that says no is no lead, whatever else is wrong with it, and its number is read as others are', () => {
    for (const cells of [
      ['0171 1234567', '', 'yes'],
      ['+491711234567', 'tomorrow', 'x'],
      ['0171 1234567', '', '1', 'a cell too many'],
    ]) {
      expect(judged(...cells)).toMatchObject({ problem: 'The row says do not call.', no: '+491711234567' })
      expect(judged(...cells)).not.toHaveProperty('json')
    }
  })

  it('A row that says neither yes nor no is refused, with the cell', () => {
    expect(judged('0171 1234567', '', 'perhaps')).toMatchObject({
      problem: 'Do-not-call: yes or no?',
      value: 'perhaps',
    })
    expect(judged('0171 1234567', '', 'perhaps')).not.toHaveProperty('no', '+491711234567')
  })

  it('A row that says no of a number that cannot be read is invalid, and says so', () => {
    expect(judged('4711', '', 'yes')).toMatchObject({
      problem:
        'Phone number starts with neither + nor the prefix of a national number, and the row says do not call.',
      value: '4711',
      no: null,
    })
    expect(judged('', '', 'yes')).toMatchObject({
      problem: 'Phone number is missing, and the row says do not call.',
      no: null,
    })
  })

  it('A no in a permission column, and a status that says it, are a no; what else they say is metadata', () => {
    const meanings: Meaning[] = ['phoneNumber', 'doNotCallIfNo', 'doNotCallIfSaid']
    const judge = openJudge(columnsOf(['phone', 'Phone Consent', 'Status'], meanings), readers)
    const judged = (...cells: string[]) => judge({ row: 2, cells: ['+49 171 1234567', ...cells] })
    for (const cells of [
      ['no', ''],
      ['refused', 'Qualified'],
      ['yes', 'DNC'],
      ['', 'Do not call'],
    ])
      expect(judged(...cells)).toMatchObject({ problem: 'The row says do not call.', no: '+491711234567' })
    expect(judged('yes', 'Qualified')).toMatchObject({
      json: '{"phoneNumber":"+491711234567","metadata":{"Phone Consent":"yes","Status":"Qualified"}}',
    })
    expect(judged('perhaps', '')).toHaveProperty('json')
  })

  it('A date ahead under "do not call until" is a no, and of a header of TPS a clear yes alone', () => {
    const headers = ['phone', 'Do not call until', 'TPS']
    const judge = openJudge(columnsOf(headers, guessMeanings(headers)), readers)
    const judged = (...cells: string[]) => judge({ row: 2, cells: ['0171 1234567', ...cells] })
    for (const cells of [
      ['2999-12-31', ''],
      ['', 'yes'],
    ])
      expect(judged(...cells)).toMatchObject({ no: '+491711234567' })
    for (const cells of [
      ['2020-12-31', ''],
      ['', 'ask Ann'],
      ['', '120'],
    ])
      expect(judged(...cells)).toHaveProperty('json')
  })

  it('A row of which the metadata says no is no lead, and its number is held back', () => {
    const judge = openJudge(columnsOf(['phone', 'more'], ['phoneNumber', 'metadata']), readers)
    const judged = (metadata: string) => judge({ row: 2, cells: ['+491711234567', metadata] })
    expect(judged('{"a":{"dnc":true}}')).toMatchObject({ no: '+491711234567' })
    for (const metadata of ['{"a":{"dnc":false}}', '{"opt_out":true}', '{"note":"do not call"}'])
      expect(judged(metadata)).toHaveProperty('json')
  })

  it('A number that says no is that of the rows that are sent: as it is without a reader, else as it is read', () => {
    const { number } = readers
    const noOf = (cell: string, some: Readers, said = 'yes') => {
      const held = emptyHoldList()
      collectDoNotCall(held, columns, [cell, '', said], some)
      return numbersOf(held.nos)[0] ?? null
    }
    // Sent as they are: a zero left in, one that no country has, a scheme.
    expect(noOf('+4901711234567', { numberOfNo: number })).toBe('+4901711234567')
    expect(noOf('+999123456789', { numberOfNo: number })).toBe('+999123456789')
    expect(noOf('tel:+491711234567', { numberOfNo: number })).toBe('+491711234567')
    expect(noOf('+49 171 1234567', { numberOfNo: number })).toBe('+491711234567')
    expect(noOf('+4901711234567', { number })).toBe('+491711234567')
    expect(noOf('+999123456789', { number })).toBe('+999123456789')
    expect(noOf('+52 1 55 1234 5678', { number })).toBe('+5215512345678')
    expect(noOf('+52 1 55 1234 5678', { numberOfNo: number })).toBe('+5215512345678')
    expect(noOf('0155', { number })).toBeNull()
    expect(noOf('+14155550100 5', { number })).toBeNull()
    expect(noOf('+491711234567', readers, 'no')).toBeNull()
  })

  it('A no reaches every number beside it: each column of a phone, each number in a cell, not those of other people', () => {
    const headers = [
      'Name',
      'Phone',
      'Mobile',
      'Work Phone',
      'WhatsApp',
      'Company phone',
      'Phone Type',
      'Order',
      'DNC',
    ]
    const columns = columnsOf(headers, guessMeanings(headers))
    const cells = [
      'Ada',
      '0171 1234567',
      '+1 303 556 1003 (mobile)',
      '030 1234567 x 5 / 030 7654321',
      'https://wa.me/4917112345678',
      '+49301112223',
      'mobile',
      '01721112223',
      'yes',
    ]
    const all = ['+491711234567', '+13035561003', '+49301234567', '+49307654321', '+4917112345678']
    const held = emptyHoldList()
    collectDoNotCall(held, columns, cells, readers)
    collectDoNotCall(
      held,
      columns,
      ['Bob', '0171 1234599', '+13035561099', '', '', '', '', '', 'no'],
      readers,
    )
    expect(numbersOf(held.nos).sort()).toEqual([...all].sort())
    const judge = openJudge(columns, readers, {}, held)
    expect(judge({ row: 2, cells })).toMatchObject({ no: '+491711234567' })
    const row = (number: string) => judge({ row: 3, cells: ['Cy', number, '', '', '', '', '', '', ''] })
    for (const number of all)
      expect(row(number)).toMatchObject({
        problem: 'Another row of this number says do not call.',
        no: number,
      })
    for (const number of ['+49301112223', '+491721112223', '+491711234599'])
      expect(row(number)).toHaveProperty('json')
  })

  it('The phone of somebody else is reached where a person chose it', () => {
    const headers = ['Owner Phone', 'Agent Phone', 'Office Phone', 'DNC']
    const columns = columnsOf(headers, ['phoneNumber', 'keep', 'keep', 'doNotCall'])
    const cells = ['0171 1234567', '0171 1234568', '0171 1234569', 'yes']
    const reached = (place?: number) => {
      const held = emptyHoldList()
      collectDoNotCall(held, withInstead(columns, place), cells, readers)
      return numbersOf(held.nos)
    }
    expect(reached()).toEqual(['+491711234567'])
    expect(reached(1)).toEqual(['+491711234567', '+491711234568'])
  })

  it('A row that says no of which only another phone can be read holds that one, and is no red one', () => {
    const columns = columnsOf(['phone', 'Mobile', 'DNC'], ['phoneNumber', 'keep', 'doNotCall'])
    const judge = openJudge(columns, readers)
    expect(judge({ row: 2, cells: ['n/a', '0171 1234567', 'x'] })).toMatchObject({ no: '+491711234567' })
    expect(judge({ row: 2, cells: ['n/a', 'none', 'x'] })).toMatchObject({ no: null })
  })

  it('A row that says neither yes nor no holds back others of all its numbers, and suppresses none', () => {
    const columns = columnsOf(['phone', 'Mobile', 'DNC'], ['phoneNumber', 'keep', 'doNotCall'])
    const held = emptyHoldList()
    collectDoNotCall(held, columns, ['0171 1234567', '0171 1234568', 'perhaps'], readers)
    expect([numbersOf(held.nos), numbersOf(held.unclear)]).toEqual([[], ['+491711234567', '+491711234568']])
  })

  it('A row that says no to an empty number has that of the column that is used instead', () => {
    const judgeInstead = openJudge(columns, readers, { insteadPlace: 1 })
    expect(judgeInstead({ row: 2, cells: ['', '0171 1234567', 'yes'] })).toMatchObject({
      no: '+491711234567',
    })
  })

  it('No row of another spelling of a number that says no is a lead; the twin of another number is', () => {
    const judge = openJudge(
      columns,
      {},
      {},
      { ...emptyHoldList(), nos: new Set([5215512345678, 551187654321]) },
    )
    const judged = [
      '+525512345678',
      '+5511987654321',
      '+5501187654321',
      '+525512345679',
      '+541123456789',
    ].map((number) => judge({ row: 2, cells: [number, '', ''] }))
    const another = 'Another row of this number says do not call.'
    expect(judged.map((one) => ('json' in one ? 'lead' : one.problem))).toEqual([
      ...[another, another, another, 'lead', 'lead'],
    ])
  })

  it('No row of a number that says no is a lead, before or after the row that says it; others are', async () => {
    const rows = [
      { row: 2, cells: ['0171 1234567', '', ''] },
      { row: 3, cells: ['+49 171 1234567', '', 'yes'] },
      { row: 4, cells: ['+491711234567', '', 'no'] },
      { row: 5, cells: ['0171 1234568', '', ''] },
      { row: 6, cells: ['4711', '', 'yes'] },
      { row: 7, cells: ['0171 1234569', '', '?'] },
    ]
    const judge = openJudge(columns, readers, {}, { ...emptyHoldList(), nos: new Set([491711234567]) })
    const judged = rows.map(judge)
    expect(judged.map((one) => ('json' in one ? 'lead' : (one.no ?? one.problem)))).toEqual([
      ...['+491711234567', '+491711234567', '+491711234567', 'lead'],
      expect.stringMatching(/^Phone number .+ and the row says do not call\.$/),
      'Do-not-call: yes or no?',
    ])
    expect(judged[0]).toMatchObject({ problem: 'Another row of this number says do not call.' })

    const found = await survey(all(...rows), judge, (cell) => cell)
    expect(found).toMatchObject({
      rows: 6,
      valid: 1,
      invalid: 2,
      repeated: 0,
      held: 3,
      unreadableDoNotCall: 1,
    })
    expect(found.problems.map(({ row }) => row)).toEqual([6, 7])
    const format = { delimiter: ',', newline: '\n' }
    const file = await invalidRowsFile(['phone', 'when', 'DNC'], all(...rows), judge, new Map(), format)
    expect((await file.text()).match(/,\d,/g)).toEqual([',6,', ',7,'])

    const results = judged.map((lead, index) =>
      'json' in lead
        ? ({ index, status: 'created', leadId: 'x', lead } as const)
        : ({ index, status: 'invalid', error: 'Not JSON', lead } as const),
    )
    const tally = results.reduce((sum, result) => settle(sum, result, new Set()).tally, emptyTally)
    expect(tally).toEqual({
      rows: 6,
      created: 1,
      existing: 0,
      repeated: 0,
      invalid: 2,
      do_not_call: 3,
      suppressed: 0,
    })
  })

  it('Rows that say no add to a tally of an earlier version, which did not count them', () => {
    const earlier = { rows: 1, created: 1, existing: 0, repeated: 0, invalid: 0 }
    expect(addToTally(earlier, notCalled('x'))).toEqual({ ...earlier, rows: 2, do_not_call: 1 })
  })
})

it('The key of a campaign suppresses in its campaign alone, a key of the company where a person says', () => {
  const scopes = [undefined, 'company', 'campaign', 'skip'] as const
  const scopesOf = (isOfCompany: boolean) =>
    scopes.map((doNotCall) => scopeOf({ doNotCall } as Parameters<typeof scopeOf>[0], isOfCompany))
  expect(scopesOf(true)).toEqual(['company', 'company', 'campaign', 'skip'])
  expect(scopesOf(false)).toEqual(['campaign', 'campaign', 'campaign', 'skip'])
})

it('Numbers are sent in batches, in smaller ones where a company has many campaigns, and a failure ends it', async () => {
  const numbers = Array.from({ length: 2500 }, (_, index) => `+1415${5_550_000 + index}`)
  const sizes: number[] = []
  const sent: string[] = []
  const send = async (batch: readonly string[]) => {
    sizes.push(batch.length)
    if (batch.length > 600) throw 'too many'
    sent.push(...batch)
  }
  await inBatches([...numbers, ...numbers], send, (error) => error === 'too many')
  expect(sizes).toEqual([1000, 500, 500, 500, 500, 500])
  expect(sent).toEqual(numbers)
  const fail = async () => Promise.reject('down')
  await expect(inBatches(numbers, fail, (error) => error === 'too many')).rejects.toBe('down')
  await expect(inBatches(['+14155550100'], fail, () => true)).rejects.toBe('down')
})

it.each([
  [['phone', 'Name'], -1],
  [['phone', 'Name', 'Mobile'], 2],
  [['phone', 'Phone 2', 'Phone 3'], 1],
  [['phone', 'Other phone', 'Mobile'], 2],
  [['phone', 'Alt Phone', 'Phone Type', 'Phone Carrier', 'Phone Country'], 1],
  [['phone', 'Phone Type', 'Phone Consent', 'OK to phone', 'Phone DNC'], -1],
  [['phone', 'Company Phone', 'Agent phone', 'Emergency Contact Phone', 'Fax'], -1],
  [['Mobile', 'phoneNumber'], 0],
])('Of the headers %j, the place of the column that is used instead is %s', (headers, place) => {
  expect(guessInstead(headers, guessMeanings(headers))).toBe(place)
})
