// A gate as data: what is asked before a lead of the campaign is called, and which answers are a no, a later and a yes.
// Pure.
import { holds } from '../template/condition.ts'
import { type Answer, isSuccess } from '../template/read-start.ts'
import type { PlainCondition, TemplateRequest } from '../template/template.ts'

/** Holds for what the pointer leads to in the answer: exactly one of the others stands beside it. */
type Check = { readonly pointer: string } & Omit<PlainCondition, 'at' | 'some'>

/** One check, or several of which any is enough or all are needed. */
type Checks = Check | { readonly any: readonly Check[] } | { readonly all: readonly Check[] }

/** A change of these makes a new version, of which no answer is known yet (keepsAnswers). */
export type Questions = {
  readonly ask: TemplateRequest
  readonly no: Checks | null
  readonly later: Checks | null
  readonly yes: Checks
}

export const whenSilentChoices = ['hold', 'call'] as const
export const suppressChoices = ['none', 'campaign', 'company'] as const

export type GateSettings = Questions & {
  readonly keepHours: number
  readonly laterMinutes: number
  /** What becomes of a lead while the gate gives no answer that can be read. */
  readonly whenSilent: (typeof whenSilentChoices)[number]
  /** Where a number is suppressed that the gate says no to. */
  readonly suppress: (typeof suppressChoices)[number]
}

export const gateDefaults = { keepHours: 24, laterMinutes: 60, whenSilent: 'hold', suppress: 'none' } as const

/** `answer` null: none that can be read. `pointer`: what the answer was read from. */
export type GateAnswer = {
  readonly answer: 'yes' | 'no' | 'later' | null
  readonly pointer: string | null
}

const silence: GateAnswer = { answer: null, pointer: null }

/** Of several that hold: no, then later, then yes. `answer` null: none came. */
export function readGateAnswer(questions: Questions, answer: Answer | null): GateAnswer {
  if (answer === null || answer.unread !== null || !isSuccess(answer.status)) return silence
  for (const name of ['no', 'later', 'yes'] as const) {
    const pointer = findHolding(questions[name], answer.body)
    if (pointer !== null) return { answer: name, pointer }
  }
  return silence
}

/** The pointer of the first check that holds; of several that are needed, of the first of them. */
function findHolding(checks: Checks | null, body: unknown): string | null {
  if (checks === null) return null
  if ('all' in checks)
    return checks.all.every((check) => isTrue(check, body)) ? (checks.all[0]?.pointer ?? null) : null
  const found = listOfChecks(checks).find((check) => isTrue(check, body))
  return found?.pointer ?? null
}

const listOfChecks = (checks: Checks): readonly Check[] =>
  'any' in checks ? checks.any : 'all' in checks ? checks.all : [checks]

const isTrue = ({ pointer, ...condition }: Check, body: unknown) => holds({ at: pointer, ...condition }, body)

/** Whom silence has let through has no yes, which is needed from now on. */
export const keepsAnswers = (before: GateSettings, after: GateSettings): boolean =>
  JSON.stringify(questionsOf(before)) === JSON.stringify(questionsOf(after)) &&
  !(before.whenSilent === 'call' && after.whenSilent === 'hold')

export const questionsOf = ({ ask, no, later, yes }: Questions): Questions => ({ ask, no, later, yes })
