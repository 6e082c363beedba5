// The words that assistants and people write for an outcome. A line here for each word of the table.
import { expect, it } from 'vitest'
import { fold, outcomeOf, outcomeWords } from '../../../src/channels/dialers/template/words.ts'
import { type ReportedOutcome, reportedOutcomes } from '../../../src/queue/campaigns/outcomes.ts'

const written: readonly (readonly [text: string, outcome: ReportedOutcome])[] = [
  ['Call-back', 'callback_requested'],
  ['callback later', 'callback_requested'],
  ['Call me later', 'callback_requested'],
  ['wrong person', 'wrong_number'],
  ['Uninterested', 'not_interested'],
  ['Left voicemail', 'voicemail'],
  ['answering machine', 'voicemail'],
  ['SUCCESS', 'answered'],
  ['Completed', 'answered'],
  ['interested', 'answered'],
]

it.each(written)('The text "%s" is %s', (text, outcome) => expect(outcomeOf(text)).toBe(outcome))

it.each([
  ...['Not interested, do not call', 'Hostile - do not call again', 'Legal threat. Never call again'],
  ...['Kein Interesse; nicht mehr anrufen', 'no longer wants to be called'],
])('A no beside another outcome is one all the same: "%s"', (text) => {
  expect(outcomeOf(text)).toBe('do_not_call')
  expect(outcomeOf('Not interested, call in spring')).toBeNull()
})

it('Every word of the table has a line above, in the form in which it is compared', () => {
  const words = Object.values(outcomeWords).flat()
  expect(written.map(([text]) => fold(text))).toEqual(words)
  expect(words.map(fold)).toEqual(words)
})

it.each(reportedOutcomes)('The name of an outcome is one, however it is written: %s', (outcome) => {
  const spaced = outcome.replaceAll('_', ' ')
  const [first = '', ...rest] = spaced.split(' ')
  const camel = first + rest.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('')
  for (const text of [outcome, spaced.toUpperCase(), ` "${outcome}" `, outcome.replaceAll('_', '-'), camel])
    expect(outcomeOf(text), text).toBe(outcome)
})

it.each([
  ['Dó nöt cåll', 'do_not_call'],
  ['ＤＮＣ', 'do_not_call'],
  ['DO\u00a0NOT\u200bCALL', 'do_not_call'],
])('Accents, widths and blanks of another kind change no word: %j', (text, outcome) => {
  expect(outcomeOf(text)).toBe(outcome)
})

it.each([
  ...[
    'call.do_not_call_list.checked',
    'do not',
    'dn c 1',
    'unknown',
    'constructor',
    '__proto__',
    '',
    ' ',
    '—',
  ],
  ...['不要打电话', 'dnc'.repeat(100), `${' '.repeat(200)}dnc`],
])('Nothing is guessed, so the text %j is no outcome', (text) => expect(outcomeOf(text)).toBeNull())
