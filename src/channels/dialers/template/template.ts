// What a dialer's template says of a voice provider: which requests it gets, and how its answers are read. Data,
// without expressions or loops. What is valid is in template-input.ts. Pure.
import type { ReportedOutcome } from '../../../queue/campaigns/outcomes.ts'

export type Scalar = string | number | boolean

/** Holds for what a pointer leads to: exactly one of the others stands beside `at`. */
export type PlainCondition = {
  readonly at: string
  readonly in?: readonly Scalar[]
  readonly equals?: Scalar
  readonly notNull?: true
  /** A text: in a text, or in one of a list of texts. */
  readonly contains?: string
  /** A number, or a text that is one, is greater. */
  readonly above?: number
  /** One item of a list. */
  readonly some?: Pick<PlainCondition, 'at' | 'in' | 'equals'>
}

/** `all`: each of them is needed. */
export type Condition = PlainCondition | { readonly all: readonly PlainCondition[] }

/** One of several is enough. */
export type Conditions = Condition | readonly Condition[]

/** The first of several that is there wins. A step may be `{{variables.<name>}}`, or `*` for any one member. */
export type Pointers = string | readonly string[]

export type Credential = { readonly variable: string } | { readonly secret: string }

export type Auth =
  | { readonly kind: 'bearer'; readonly secret: string }
  | { readonly kind: 'basic'; readonly user: Credential; readonly password: Credential }
  | { readonly kind: 'header'; readonly name: string; readonly secret: string; readonly prefix?: string }

export const encodings = ['json', 'form'] as const

type Parts = {
  readonly encoding?: (typeof encodings)[number]
  /** Placeholders of variables only. */
  readonly headers?: Readonly<Record<string, string>>
  /** Placeholders in its texts. */
  readonly body?: unknown
}

export type TemplateRequest = Parts & { readonly method: string; readonly url: string }

/** `urlAt` points into the last status, at a URL whose host is `within` or below it. */
export type HangUp =
  | TemplateRequest
  | (Parts & { readonly method: string; readonly urlAt: string; readonly within: string })

/**
 * Why a call was not dialled. `account`: nothing can be. `busy`: later. `lead`: this lead cannot be called, and
 * `lead:invalid_number` that its number is wrong.
 */
export const notDialledCauses = ['account', 'busy', 'lead', 'lead:invalid_number'] as const
export type NotDialled = (typeof notDialledCauses)[number]

export type TemplateOutcome = ReportedOutcome | `not_dialled:${NotDialled}`

export const durationUnits = ['s', 'ms', 'min'] as const

export type Seconds =
  | { readonly at: string; readonly unit: (typeof durationUnits)[number] }
  | { readonly from: string; readonly to: string }

/** What a call is that rings and never becomes live, when nothing else is known of its end. */
export const rangOutOutcomes = [
  'no_answer',
  'busy',
  'voicemail',
  'failed',
] as const satisfies readonly ReportedOutcome[]
export const defaultRangOut = 'no_answer'

/** Without a hang-up, a phone may ring on: it is waited for at least so long. */
export const ringingAloneSeconds = 180

/** After so many seconds for which `while` held at each asking, a call is hung up where that can be, and ends. */
type Ringing = {
  readonly while: Conditions
  readonly seconds: number
  readonly outcome?: (typeof rangOutOutcomes)[number]
}

type Refusal = {
  readonly status: readonly number[]
  readonly when?: Conditions | null
  readonly because: NotDialled
}

/** The unit of a number `at` one place. */
export const costUnits = ['units', 'cents'] as const

/** What the call has cost. `currency`: three letters, or a pointer to them. */
export type Cost = {
  readonly at: Pointers
  readonly unit?: (typeof costUnits)[number]
  readonly currency: string
}

export type StatusTemplate = {
  readonly method: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly over: Conditions
  /** Absent: `over` is enough. */
  readonly complete?: Conditions | null
  /** The first whose value is in `outcomes`. */
  readonly reason?: readonly string[]
  readonly talked?: Conditions | null
  /** A machine answered: what it said may stand there as the person's words. */
  readonly voicemail?: Conditions | null
  readonly ringing?: Ringing | null
  /** By reason. A key may begin and end in `*`, which stand for anything. The longest first. */
  readonly outcomes?: Readonly<Record<string, TemplateOutcome>>
  /** The same for a call in which somebody has talked, where `answered` would be said of a fault. */
  readonly afterTalk?: Readonly<Record<string, ReportedOutcome>> | null
  /** An outcome as the assistant has written it: see words.ts. */
  readonly outcome?: Pointers | null
  /** What its words mean, before those of words.ts. */
  readonly outcomeNames?: Readonly<Record<string, ReportedOutcome>> | null
  /** A flag. Of several, one yes is enough. */
  readonly doNotCall?: Pointers | null
  readonly callbackAt?: Pointers | null
  readonly seconds?: Seconds | null
  readonly cost?: Cost | null
  readonly details?: Readonly<Record<string, Pointers>> | null
}

export type Template = {
  readonly auth?: Auth | null
  readonly start: TemplateRequest
  readonly started: { readonly id: string; readonly unless?: Conditions | null }
  /** The first that fits counts. */
  readonly notDialled?: readonly Refusal[]
  readonly status: StatusTemplate
  readonly hangUp?: HangUp | null
  readonly check?: Pick<TemplateRequest, 'method' | 'url' | 'headers'> | null
}

export type Texts = Readonly<Record<string, string>>

/** The reason of a text that is no outcome. The text itself stays with its call: no alert holds a person's words. */
export const notUnderstood = 'outcome_not_understood'
/** The reason of a flag that is neither yes nor no, and counts as yes. */
export const flagNotUnderstood = 'flag_not_understood'

/** It has a place where what somebody has said of calls may stand. */
export const hears = ({ outcome, doNotCall }: StatusTemplate): boolean =>
  listOf(outcome).length + listOf(doNotCall).length > 0

export const listOf = <Item>(oneOrMore: Item | readonly Item[] | null | undefined): readonly Item[] =>
  Array.isArray(oneOrMore) ? oneOrMore : oneOrMore == null ? [] : [oneOrMore as Item]
