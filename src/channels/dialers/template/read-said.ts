// What an assistant has written of a call where a template has a place for it: an outcome, and whether the person must
// not be called. What smells of a no and is not clearly none counts as one. Pure.
import type { ReportedOutcome } from '../../../queue/campaigns/outcomes.ts'
import { answerOf } from '../../../queue/leads/no/judge.ts'
import { valuesAt, variablesInPointer } from './pointer.ts'
import { listOf, type StatusTemplate, type Texts } from './template.ts'
import { isPlainAnswer, outcomeOf } from './words.ts'

export type Said = {
  /** By a word, or by the flag. */
  readonly isDoNotCall: boolean
  /** It is one by a flag alone that is neither yes nor no. */
  readonly isFlagUnclear: boolean
  /** What was written at the first place of an outcome that has a text. Null: nothing. */
  readonly text: string | null
  /** What is written there as an outcome. Null: it is none. */
  readonly outcome: ReportedOutcome | null
  /** The word is `answered`, which does not say what for. */
  readonly isPlainAnswer: boolean
  /** Something is written where it counts. */
  readonly isThere: boolean
  /** Some of it is a known outcome, or a flag that says yes, no or nothing. */
  readonly isUnderstood: boolean
}

export function readSaid(
  { outcome, outcomeNames, doNotCall }: StatusTemplate,
  body: object,
  { variables, saidNo = false }: { readonly variables: Texts; readonly saidNo?: boolean },
): Said {
  const places = valuesAt(body, listOf(outcome), variables)
    .map((value) => textsIn(value))
    .filter((texts) => texts.length > 0)
  const meanings = places.map((texts) => texts.map((text) => outcomeOf(text, outcomeNames ?? {})))
  const flags = valuesAt(body, listOf(doNotCall), variables).map((value) => answerOf(value, 'no'))
  const [texts = []] = places
  const at = meanings[0]?.findIndex((meaning) => meaning !== null) ?? -1
  const isWord = meanings.some((some) => some.includes('do_not_call'))
  const [isFlag, isFlagUnclear] = [flags.includes('yes'), flags.includes('unclear')]
  return {
    isDoNotCall: saidNo || isWord || isFlag || isFlagUnclear,
    isFlagUnclear: isFlagUnclear && !isFlag && !isWord,
    text: texts[0] ?? null,
    outcome: meanings[0]?.[at] ?? null,
    isPlainAnswer: isPlainAnswer(texts[at] ?? ''),
    isThere: valuesAt(
      body,
      whatCounts([...listOf(outcome), ...listOf(doNotCall)], variables),
      variables,
    ).some((value) => textsIn(value).length > 0 || answerOf(value, 'no') !== 'nothing'),
    isUnderstood: at >= 0 || isWord || flags.some((flag) => flag !== 'unclear'),
  }
}

/** What a customer has named by a variable counts, and no other place: it may be filled later than those. */
function whatCounts(pointers: readonly string[], variables: Texts): readonly string[] {
  const named = pointers.filter((pointer) => {
    const names = variablesInPointer(pointer)
    return names.length > 0 && names.every((name) => Object.hasOwn(variables, name))
  })
  return named.length > 0 ? named : pointers
}

/** In this order: the first that has something. Reasons and confidence beside them are no words of the person. */
const membersWithText = ['value', 'values', 'objective', 'answer', 'result', 'selected', 'subjective']
const [maxTexts, maxLevels] = [100, 4]

/** The texts of a value, of the items of a list, and of what an object holds as its value. */
export function textsIn(value: unknown, levels = maxLevels): readonly string[] {
  const text = readText(value)
  if (text !== null) return /^\s*(?:null\s*)?$/i.test(text) ? [] : [text]
  if (typeof value !== 'object' || value === null || levels === 0) return []
  if (Array.isArray(value))
    return value
      .slice(0, maxTexts)
      .flatMap((item) => textsIn(item, levels - 1))
      .slice(0, maxTexts)
  for (const name of membersWithText) {
    const texts = Object.hasOwn(value, name) ? textsIn(value[name as keyof typeof value], levels - 1) : []
    if (texts.length > 0) return texts
  }
  return []
}

/** The texts, numbers and booleans of an answer, as texts. */
export const readText = (value: unknown): string | null =>
  ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : null
