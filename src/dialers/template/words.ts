// What assistants and people write for an outcome, and for yes. To teach the service another word, add it to its line here,
// folded: without accents, in lower case, letters and digits only ("Do Not Call!" is donotcall). Nothing is guessed: a text
// is an outcome only as a whole. Each word has a line in test/unit/dialers/words.test.ts. Pure.
import { type ReportedOutcome, reportedOutcomes } from '../../campaigns/outcomes.ts'

/** Besides the names of the outcomes themselves, such as `no_answer`, "No answer" and NO-ANSWER. */
export const outcomeWords = {
  do_not_call: [
    'dnc',
    'optout',
    'optedout',
    'optoutrequested',
    'unsubscribe',
    'stopcalling',
    'removefromlist',
  ],
  callback_requested: ['callback', 'callbacklater', 'callmelater'],
  wrong_number: ['wrongperson'],
  not_interested: ['uninterested'],
  voicemail: ['leftvoicemail', 'answeringmachine'],
  answered: ['success', 'completed', 'interested'],
} as const satisfies Partial<Readonly<Record<ReportedOutcome, readonly string[]>>>

/** Of a flag; any other text is no. In any case, and without blanks around it. */
export const yesWords: readonly string[] = ['true', 'yes', 'y', '1']

/** The reason of a text that is no outcome. The text itself stays with its call: no alert holds a person's words. */
export const notUnderstood = 'outcome_not_understood'

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

/** By the names that a template gives first. Null: it is none. */
export function outcomeOf(
  text: string,
  names: Readonly<Record<string, ReportedOutcome>> = {},
): ReportedOutcome | null {
  if (text.length > wordMaxChars) return null
  const word = fold(text)
  const named = Object.entries(names).find(([name]) => fold(name) === word)
  return named?.[1] ?? outcomeOfWord.get(word) ?? null
}

/** Why the names that a template gives cannot be, or null. No word that says no loses its meaning. */
export function findNamesProblem(names: Readonly<Record<string, ReportedOutcome>>): string | null {
  const seen = new Map<string, ReportedOutcome>()
  for (const [name, outcome] of Object.entries(names)) {
    const word = fold(name)
    if (word === '' || name.length > wordMaxChars)
      return `must have names with letters or digits, of at most ${wordMaxChars} characters`
    if (outcomeOfWord.get(word) === 'do_not_call' && outcome !== 'do_not_call')
      return 'must not give a word of do_not_call another outcome'
    if ((seen.get(word) ?? outcome) !== outcome) return 'must not give one word two outcomes'
    seen.set(word, outcome)
  }
  return null
}

export const isYes = (text: string): boolean =>
  text.length <= wordMaxChars && yesWords.includes(text.trim().toLowerCase())
