// What assistants and people write for an outcome. To teach the service another word, add it to its line here, folded:
// without accents, in lower case, letters and digits only ("Call-back!" is callback). Nothing is guessed but a no,
// which queue/leads/no/judge.ts knows: a text is any other outcome only as a whole. Each word has a line in
// test/unit/dialers/words.test.ts. Pure.
import { type ReportedOutcome, reportedOutcomes } from '../../../queue/campaigns/outcomes.ts'
import { nameSays, partSays } from '../../../queue/leads/no/judge.ts'

/** Besides the names of the outcomes themselves, such as `no_answer`, "No answer" and NO-ANSWER. */
export const outcomeWords = {
  callback_requested: ['callback', 'callbacklater', 'callmelater'],
  wrong_number: ['wrongperson'],
  not_interested: ['uninterested'],
  voicemail: ['leftvoicemail', 'answeringmachine'],
  answered: ['success', 'completed', 'interested'],
} as const satisfies Partial<Readonly<Record<ReportedOutcome, readonly string[]>>>

/** A longer text is no word. */
const wordMaxChars = 200

export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

const outcomeOfWord = new Map<string, ReportedOutcome>([
  ...Object.entries(outcomeWords).flatMap(([outcome, words]) =>
    words.map((word) => [word, outcome as ReportedOutcome] as const),
  ),
  ...reportedOutcomes.map((outcome) => [fold(outcome), outcome as ReportedOutcome] as const),
])

/** By the names that a template gives first, then those that all know, then what says no. Null: it is none. */
export function outcomeOf(
  text: string,
  names: Readonly<Record<string, ReportedOutcome>> = {},
): ReportedOutcome | null {
  if (text.length > wordMaxChars) return null
  const word = fold(text)
  const named = Object.entries(names).find(([name]) => fold(name) === word)
  return named?.[1] ?? outcomeOfWord.get(word) ?? (partSays(text, 'outcome') ? 'do_not_call' : null)
}

/** Not one of the other words for it, by which an assistant says that its work is done. */
export const isPlainAnswer = (text: string): boolean => fold(text) === 'answered'

/** Why the names that a template gives cannot be, or null. A clear no keeps its meaning. */
export function findNamesProblem(names: Readonly<Record<string, ReportedOutcome>>): string | null {
  const seen = new Map<string, ReportedOutcome>()
  for (const [name, outcome] of Object.entries(names)) {
    const word = fold(name)
    if (word === '' || name.length > wordMaxChars)
      return `must have names with letters or digits, of at most ${wordMaxChars} characters`
    if (nameSays(name) === 'no' && outcome !== 'do_not_call')
      return 'must not give a word of do_not_call another outcome'
    if ((seen.get(word) ?? outcome) !== outcome) return 'must not give one word two outcomes'
    seen.set(word, outcome)
  }
  return null
}
