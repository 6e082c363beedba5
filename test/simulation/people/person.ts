// What a person can do, and what an action has at hand.
import { type Cast, phoneOf } from '../cast.ts'
import type { Draws } from '../draws.ts'
import type { FaultName } from '../faults.ts'
import type { Known, Leased, Made } from '../model/known.ts'
import type { Answer } from '../observed.ts'
import type { Client } from '../platform/client.ts'

export type Scope = 'read' | 'write' | 'agent' | 'manage' | 'operate'

export type Sending = {
  readonly operation: string
  /** Its index in the cast. Null: none, as the operator. */
  readonly company: number | null
  readonly scope: Scope
  readonly parts?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
  /** In place of the one of the scope. */
  readonly key?: string
  /** What a promise needs of it besides. */
  readonly about?: object
}

/** What an action works with. */
export type Stage = {
  readonly cast: Cast
  readonly known: Known
  /** Of this action alone. */
  readonly draws: Draws
  readonly action: number
  /** By the clock of the service. */
  readonly nowMs: () => number
  readonly wait: (ms: number) => Promise<void>
  /** Works with the client for TypeScript. */
  readonly client: (work: (client: Client) => Promise<void>) => Promise<void>
  /** It makes a fault happen that was not planned. */
  readonly met: (fault: FaultName) => void
  /** Null: no answer came. */
  readonly send: (sending: Sending) => Promise<Answer | null>
  /** `about`: the member or the session. */
  readonly visit: (
    operation: 'signIn' | 'signOut',
    method: string,
    about: Made,
    headers: Readonly<Record<string, string>>,
  ) => Promise<Answer | null>
  /** Posts to a URL of the service that needs no key. `about` is what a lesson needs of it. */
  readonly sendTo: (url: string, body: object, about?: object) => Promise<Answer | null>
}

/** Values of JSON, which are part of the story. They name nothing by an id, since ids differ from run to run. */
// biome-ignore lint/suspicious/noExplicitAny: each deed has its own
export type Args = Record<string, any>

export type Deed = {
  /** Those that it sends. */
  readonly operations: readonly string[]
  /** How often it is done, beside others. A world draws it anew. */
  readonly weight: number
  /** In one world of eight alone, and often there: it costs much. */
  readonly isRare?: boolean
  readonly plan: (draws: Draws, cast: Cast) => Args
  /** In a story. */
  readonly says: (args: Args) => string
  /** Does nothing where what it acts on is missing. */
  readonly act: (args: Args, stage: Stage) => Promise<void>
}

export type Person = { readonly name: string; readonly deeds: Readonly<Record<string, Deed>> }

/** A place in the cast. */
export const drawPlace = (draws: Draws, { companies, phones }: Cast) => {
  const company = draws.below(companies.length)
  const phone = draws.below(phones.length)
  return {
    company,
    campaign: draws.below(companies[company]?.campaigns.length ?? 1),
    phone,
    spelling: draws.below(phones[phone]?.spellings.length ?? 1),
  }
}

export const numberAt = ({ phones }: Cast, { phone, spelling }: Args): string =>
  phones[phone]?.spellings[spelling] as string
export const campaignIdAt = ({ companies }: Cast, { company, campaign }: Args): string =>
  companies[company]?.campaigns[campaign]?.id as string
export const saysPlace = ({ company, campaign }: Args) => `campaign ${campaign} of company ${company}`
export const saysNumber = ({ phone, spelling }: Args) =>
  spelling === 0 ? `phone ${phone}` : `phone ${phone} in another spelling`

/** How a consent was given, which is forgotten with its person. No lead of an action has this text. */
export const evidenceOf = (action: number) => {
  const text = `canary${action}x900`
  return { reference: text, source: { url: `https://acme.example/form?of=${text}`, userAgent: text } }
}

/** Counted from the latest. */
export const latest = <Value>(values: readonly Value[], which: number): Value | undefined =>
  values.length === 0 ? undefined : values[values.length - 1 - (which % values.length)]

/** An open call, or any that a claim has answered. Counted from the latest. */
export const leasedAt = ({ leased, calls }: Known, { which, isOpen }: Args): Leased | undefined => {
  const open = new Set(calls.filter(({ outcome }) => outcome === null).map(({ callId }) => callId))
  return latest(isOpen ? leased.filter(({ callId }) => open.has(callId)) : leased, which)
}
export const drawLeased = (draws: Draws) => ({
  which: draws.pick([0, 0, 0, 1, 2, 7]),
  isOpen: draws.below(4) > 0,
})
export const saysLeased = ({ which, isOpen }: Args) => `${isOpen ? 'open ' : ''}call ${which} from the last`

/** A lead that is due. Counted from the latest. */
export const dueAt = ({ cast, leadsSeen }: Known, which: number, nowMs: number): Args | undefined =>
  latest(
    [...leadsSeen].flatMap(([key, { campaign: id, phoneNumber, dueAtMs }]) => {
      const company = Number(key.split('/')[0])
      const campaign = cast.companies[company]?.campaigns.findIndex((one) => one.id === id) ?? -1
      const isDue = campaign !== -1 && dueAtMs !== null && dueAtMs <= nowMs
      return isDue ? [{ company, campaign, phone: phoneOf(cast, phoneNumber) }] : []
    }),
    which,
  )
