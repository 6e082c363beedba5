// The words that assistants and people write for an outcome, and for yes. A line here for each word of the table.
import { expect, it } from 'vitest'
import { type ReportedOutcome, reportedOutcomes } from '../../../src/campaigns/outcomes.ts'
import { fold, isYes, outcomeOf, outcomeWords, yesWords } from '../../../src/dialers/template/words.ts'

const written: readonly (readonly [text: string, outcome: ReportedOutcome])[] = [
  ['DNC', 'do_not_call'],
  ['opt-out', 'do_not_call'],
  ['Opted out', 'do_not_call'],
  ['opt_out_requested', 'do_not_call'],
  ['Unsubscribe!', 'do_not_call'],
  ['stop calling', 'do_not_call'],
  ['Remove from list.', 'do_not_call'],
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
  ...['call.do_not_call_list.checked', 'please do not call', 'do not call me', 'not dnc', 'do not', 'dn c 1'],
  ...['unknown', 'constructor', '__proto__', '', ' ', '—', 'ruf nicht an', '不要打电话', 'dnc'.repeat(100)],
  `${' '.repeat(200)}dnc`,
])('Nothing is guessed, so the text %j is no outcome', (text) => expect(outcomeOf(text)).toBeNull())

it.each(['true', 'yes', 'y', '1', 'TRUE', 'Yes', ' y ', '\n1\t'])('The flag %j is yes', (text) => {
  expect(isYes(text)).toBe(true)
})

it.each(['false', 'no', 'n', '0', '', 'null', 'maybe', 'yes please', '11', 'true.'])(
  'The flag %j is not yes',
  (text) => expect(isYes(text)).toBe(false),
)

it('Every word for yes has a line above', () => expect(yesWords).toEqual(['true', 'yes', 'y', '1']))
