// A column of a file that says who must not be called: its header, its words, and what becomes of its rows. To add a word or a
// header, add its line here and in src/leads/no/languages.ts or src/leads/file/names/column-names.ts.
import { describe, expect, it } from 'vitest'
import { invalidRowsFile } from '../../../src/console/import/file/invalid-rows-file.ts'
import { openJudge, settle } from '../../../src/console/import/file/judge-rows.ts'
import { survey } from '../../../src/console/import/file/survey.ts'
import { emptyTally, scopeOf } from '../../../src/console/import/import-messages.ts'
import { readYesNo } from '../../../src/leads/file/cells/yes-no.ts'
import { columnsOf, type Meaning, problemOfMeanings } from '../../../src/leads/file/columns.ts'
import { inBatches } from '../../../src/leads/file/do-not-call.ts'
import { guessMeanings, overruledDoNotCall } from '../../../src/leads/file/guess-columns.ts'
import { columnNames, maybeDoNotCall } from '../../../src/leads/file/names/column-names.ts'
import { openReaders } from '../../../src/leads/file/readers.ts'
import { noneHeld, type Readers, seeNos } from '../../../src/leads/file/row-item.ts'
import { addToTally, notCalled, numbersOf } from '../../../src/leads/file/tally.ts'
import { termsByWord } from '../../../src/leads/no/languages.ts'
import { all } from '../../support/leads/lead-file.ts'

const yes =
  `true TRUE True t yes Yes YES y Y 1 1.0 on ON x X checked Checked ticked ☑ ✓ ✔ ✔️ ✅ ja Ja JA j J wahr WAHR oui Oui vrai
  VRAI si SI sí Sí sì Sì s S verdadero VERDADERO vero VERO waar sim Sim verdadeiro tak Tak prawda PRAWDA sant ＹＥＳ ｙｅｓ Ｙ Ｊａ １`.split(
    /\s+/,
  )
const no =
  `false FALSE False f no No NO n N 0 0.0 off unchecked ☐ nein Nein falsch FALSCH non Non faux FAUX falso FALSO nee
  onwaar não Não NÃO nao nie Nie fałsz FAŁSZ nej Nej falskt ＮＯ ｎｏ Ｎｅｉｎ ０`.split(/\s+/)
const neither = [
  '-',
  '?',
  '2',
  'unknown',
  'maybe',
  '✗',
  'o',
  'email',
  'yes, by mail',
  '2026-01-01',
  'not yet',
  'nope',
]

describe('The words for yes and no', () => {
  it.each(yes)('A cell with %j says yes', (word) => {
    expect([readYesNo(word), readYesNo(` ${word}\t`)]).toEqual(['yes', 'yes'])
  })

  it.each(['', '  ', '\u00a0', ...no])('A cell with %j says no', (word) => {
    expect([readYesNo(word), readYesNo(` ${word}\t`)]).toEqual(['no', 'no'])
  })

  it.each(neither)('A cell with %j says neither yes nor no', (word) => {
    expect(readYesNo(word)).toBeNull()
  })

  it('Every word has a line here, and none says both', () => {
    const folded = (words: readonly string[]) =>
      new Set(
        words.map((word) => word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace('ł', 'l')),
      )
    const [yesWords, noWords] = (['yes', 'no'] as const).map((kind) => {
      const terms = [...termsByWord().values()].flat().filter((term) => term.kind === kind)
      return new Set(terms.map(({ words }) => words.join(' ')))
    })
    expect(yesWords).toEqual(folded(yes))
    expect(noWords).toEqual(folded(no))
    expect(yes.filter((word) => folded(no).has(word))).toEqual([])
  })
})

const says =
  `Do Not Call, DoNotCall, donotcall, do_not_call, doNotCall, Do-not-call, DNC, On DNC, IsDNC, DNC Status,
  DNC Flag, DNC (Y/N), DNC list, On DNC List, Do not call list, Do Not Call Flag, Do Not Call (Y/N), DoNotCall__c,
  Do not phone, Do not contact, No Call, Never call,
  HasOptedOutOfCall, Has opted out of calls, Opted out of calls, Opt out of calls, Call Opt-Out, Call_Opt_Out, Call opted out,
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

  it('Every header of the tables has a line here', () => {
    const folded = (headers: readonly string[]) =>
      headers.map((header) =>
        header
          .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
          .normalize('NFD')
          .replace(/\p{M}/gu, '')
          .toLowerCase()
          .replace(/[^\p{L}\p{N}]+/gu, ' ')
          .trim(),
      )
    const namesIn = (table: string) => new Set(folded(table.split(',')))
    expect(namesIn(columnNames.doNotCall)).toEqual(new Set(folded(says)))
    expect(namesIn(maybeDoNotCall)).toEqual(new Set(folded(maySay)))
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

  it('A number that says no is that of the rows that are sent: as it is without a reader, else as it is read', () => {
    const { number } = readers
    const noOf = (cell: string, some: Readers, said = 'yes') => {
      const held = noneHeld()
      seeNos(held, columns, [cell, '', said], some)
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

  it('A row that says no to an empty number has that of the column that is used instead', () => {
    const judgeInstead = openJudge(columns, readers, { insteadPlace: 1 })
    expect(judgeInstead({ row: 2, cells: ['', '0171 1234567', 'yes'] })).toMatchObject({
      no: '+491711234567',
    })
  })

  it('No row of another spelling of a number that says no is a lead; the twin of another number is', () => {
    const judge = openJudge(columns, {}, {}, { ...noneHeld(), nos: new Set([5215512345678, 551187654321]) })
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
    const judge = openJudge(columns, readers, {}, { ...noneHeld(), nos: new Set([491711234567]) })
    const judged = rows.map(judge)
    expect(judged.map((one) => ('json' in one ? 'lead' : (one.no ?? one.problem)))).toEqual([
      ...['+491711234567', '+491711234567', '+491711234567', 'lead'],
      expect.stringMatching(/^Phone number .+ and the row says do not call\.$/),
      'Do-not-call: yes or no?',
    ])
    expect(judged[0]).toMatchObject({ problem: 'Another row of this number says do not call.' })

    const found = await survey(all(...rows), judge, (cell) => cell)
    expect(found).toMatchObject({ rows: 6, valid: 1, invalid: 2, repeated: 0, held: 3, unreadableNos: 1 })
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
