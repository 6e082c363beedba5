// What is known of a world: sets and lists, which grow with what is answered and with each call that begins. The
// promises read it, and actions choose by it what they act on.
import type { ProviderCall } from '../../support/dialers/fake-provider.ts'
import type { Cast, Settings } from '../cast.ts'
import type { Call, Exchange } from '../observed.ts'
import type { LeadSeen, Seen } from './seen.ts'

/** An event that a receiver has taken. */
export type Delivered = {
  readonly webhookId: string
  readonly eventId: string
  readonly type: string
  /** Null: it is of none, or of many. */
  readonly leadId: string | null
  readonly at: number
  /** Signed with a secret that the webhook had. */
  readonly isSigned: boolean
}

/** A lead that the service has acknowledged. */
export type KnownLead = {
  readonly leadId: string
  readonly company: number
  readonly campaign: number
  readonly phone: number
  readonly phoneNumber: string
  readonly externalId: string
  /** As it was sent. */
  readonly sent: Readonly<Record<string, unknown>>
  readonly exchange: Exchange
  /** The request that erased it. */
  erasedBy: Exchange | null
}

/** A call as a claim has answered it. */
export type Leased = {
  readonly callId: string
  readonly company: number
  readonly campaign: number
  /** Of its lead. */
  readonly externalId: string
  readonly exchange: Exchange
}

/** Somebody has said that he must not be called, and it was answered. */
export type No = {
  readonly company: number
  /** Null: in the whole company. */
  readonly campaign: number | null
  readonly phone: number
  readonly exchange: Exchange
}

/** All consents that were given until it was sent are withdrawn. */
export type Withdrawal = { readonly company: number; readonly phone: number; readonly exchange: Exchange }

/** A person has lifted it. */
export type Lift = No

export type Report = {
  readonly callId: string
  readonly outcome: string
  readonly doNotCall: boolean
  readonly result: string
  readonly exchange: Exchange
}

/** That were made in a world, by name of the list in Known. */
export type Made = {
  readonly company: number
  readonly id: string
  /** Of what is in a campaign. */
  readonly campaignId?: string
  readonly campaign: number | null
  /** The text of a key, or the URL of a source. */
  readonly text: string
  /** Of a key; of a session, once it has been asked for. Null: of nothing else. */
  scope: string | null
  /** The request that ended it. */
  endedBy: Exchange | null
  /** Of a key. Null: it has no end. */
  endsAtMs: number | null
}

/** Of a member, whose id it has. */
export type Session = Made & {
  /** The request that made it. */
  readonly exchange: Exchange
}

export type Webhook = {
  readonly webhookId: string
  readonly company: number
  /** In its URL. */
  readonly name: string
  readonly secrets: string[]
  readonly exchange: Exchange
  /** By another request, whatever that was answered. */
  isChanged: boolean
}

/** A phone has rung. */
export type Rung = {
  readonly callId: string
  readonly phoneNumber: string
  /** Of its provider, among providerHosts. */
  readonly host: number
  readonly atMs: number
  /** When its dialer has sent it. */
  readonly leftMs: number
  readonly at: number
  readonly endUrl: string | undefined
  /** Its provider's own, with its end so far. */
  readonly talk: ProviderCall
  /** Its dialer has surely heard by which id it can be hung up. */
  readonly isAnswered: boolean
  /** When its provider has told that nobody may call it again. */
  saidNoAt: number | null
}

/** Of an agent of the client: how long it has held a call. */
export type Talk = {
  readonly callId: string
  readonly company: number
  readonly beganMs: number
  /** When the service has told it to end the call. */
  toldMs: number | null
  endedMs: number | null
}

/** Changes of a campaign's gate: only what overlaps with no other says for sure how it is. */
export type Gates = {
  /** `isHeard`: it came in time. */
  readonly asked: {
    readonly place: string
    readonly phone: number
    readonly atMs: number
    readonly question: number
    readonly isYes: boolean
    readonly isNo: boolean
    readonly isHeard: boolean
  }[]
  /** Places that have one since then. `isHolding`: nobody is called whom it has not said yes to. */
  readonly set: Map<
    string,
    { readonly sinceMs: number; readonly isHolding: boolean; readonly question: number }
  >
  /** How many changes of a place are on their way, and how many there were. One without an answer stays so. */
  readonly busy: Map<string, number>
  readonly changes: Map<string, number>
}

/** A page of the log. */
export type Polled = { readonly events: readonly { readonly id: string }[]; readonly next: string }

/** Settings of a campaign from a moment on. */
export type SettingsSince = {
  readonly settings: Settings
  readonly from: number
  /** By the clock of the service. */
  readonly fromMs: number
  /** When that was asked for: the service may take it for the time of the change. */
  readonly askedMs: number
}

export type Known = {
  readonly cast: Cast
  readonly exchanges: Exchange[]
  readonly leads: KnownLead[]
  readonly leased: Leased[]
  /** All that the service has begun, also those that nobody else knows of. */
  readonly calls: Call[]
  /** Each lead as the last transaction left it, by `keyOf` of its company and place. */
  readonly leadsSeen: Map<string, LeadSeen>
  /** By company: what the last look has seen there, and when that was. */
  readonly seen: (Seen | null)[]
  readonly movedAt: number[]
  /** By the clock of the service. */
  readonly movedMs: number[]
  readonly reports: Report[]
  readonly noes: No[]
  readonly lifts: Lift[]
  readonly withdrawals: Withdrawal[]
  readonly keys: Made[]
  readonly members: Made[]
  readonly sessions: Session[]
  readonly sources: Made[]
  readonly webhooks: Webhook[]
  /** What receivers were sent, and whether they have taken it. */
  readonly tried: { readonly name: string; readonly eventId: string; readonly isTaken: boolean }[]
  /** Receivers, by name, that want nothing any more. */
  readonly goneReceivers: Set<string>
  readonly delivered: Delivered[]
  /** For people in a chat. */
  readonly messages: string[]
  /** By a receiver for good: they hold others back no longer. */
  readonly refusedEvents: Set<string>
  readonly rung: Rung[]
  /** Calls that a provider was asked to start, whatever became of them. */
  readonly startsAsked: Set<string>
  readonly talks: Talk[]
  readonly gates: Gates
  /** By company. */
  readonly polled: readonly Polled[][]
  /** People that were erased, by company and phone. */
  readonly erased: { readonly company: number; readonly phone: number; readonly exchange: Exchange }[]
  /** By company and campaign. The latest is last. */
  readonly settings: readonly (readonly SettingsSince[][])[]
  /** Companies that may be as they were before: what was known of them may be taken back. */
  readonly restored: Set<number | null>
  /** How far the clock has jumped back, in all. */
  jumpedMs: number
  /** Alarms were late, or lost: then what they do is late. */
  areAlarmsTroubled: boolean
  /** An object has died, or was evicted: what was under way in it is lost. */
  haveObjectsDied: boolean
  /** The platform has failed, so that somebody may not have been woken. */
  hasFailed: boolean
  /** What may lie between a statement and its answer. */
  slowestMs: number
  /** The most statements and requests that one round of a dialer has sent. */
  mostInRound: number
}

const noGates = (): Gates => ({
  ...{ asked: [], set: new Map(), busy: new Map(), changes: new Map() },
})

export const nothingKnown = (cast: Cast): Known => ({
  ...{ cast, exchanges: [], leads: [], leased: [], calls: [], reports: [], noes: [], lifts: [], jumpedMs: 0 },
  areAlarmsTroubled: false,
  haveObjectsDied: false,
  hasFailed: false,
  slowestMs: 0,
  mostInRound: 0,
  leadsSeen: new Map(),
  seen: cast.companies.map(() => null),
  movedAt: cast.companies.map(() => 0),
  movedMs: cast.companies.map(() => 0),
  ...{ withdrawals: [], refusedEvents: new Set<string>(), restored: new Set<number>() },
  ...{
    keys: [],
    members: [],
    sessions: [],
    sources: [],
    webhooks: [],
    tried: [],
    goneReceivers: new Set(),
    delivered: [],
    messages: [],
    rung: [],
    startsAsked: new Set(),
    talks: [],
    erased: [],
  },
  gates: noGates(),
  polled: cast.companies.map(() => []),
  settings: cast.companies.map(({ campaigns }) =>
    campaigns.map(({ settings }) => [{ settings, from: 0, fromMs: 0, askedMs: 0 }]),
  ),
})

/** As they are at this moment. */
export function settingsAt({ settings }: Known, company: number, campaign: number, moment: number): Settings {
  const all = settings[company]?.[campaign] ?? []
  return (all.findLast(({ from }) => from <= moment) ?? all[0])?.settings as Settings
}

/** The moment of its last write. Null: it has written nothing. */
export const committedAt = ({ commits }: Exchange): number | null => commits.at(-1)?.moment ?? null

/** What was answered 5xx may be carried out later, as what has no answer. */
export const endedAt = ({ answer, answeredAt }: Exchange) =>
  (answer !== null && answer.status < 500 ? answeredAt : null) ?? Number.POSITIVE_INFINITY

/** Whether it covers a call of this campaign. */
export const covers = (said: No, company: number, campaign: number, phone: number) =>
  said.company === company && said.phone === phone && (said.campaign === null || said.campaign === campaign)

/** Lifted by a request that may have come after it. */
export function isLifted({ lifts }: Known, no: No, before = Number.POSITIVE_INFINITY): boolean {
  const saidAt = no.exchange.sentAt
  return lifts.some(
    (lift) =>
      lift.company === no.company &&
      lift.phone === no.phone &&
      (lift.campaign === null ? no.campaign === null : lift.campaign === no.campaign) &&
      endedAt(lift.exchange) > saidAt &&
      lift.exchange.sentAt < before,
  )
}

/** What had withdrawn a consent of this phone that was given then, and was answered before this moment. */
export const withdrawalOf = (
  known: Known,
  company: number,
  phone: number,
  givenAtMs: number,
  before: number,
) =>
  [...known.withdrawals, ...known.noes.filter(({ campaign }) => campaign === null)].find(
    (said) =>
      said.company === company &&
      said.phone === phone &&
      givenAtMs <= said.exchange.sentMs - known.jumpedMs &&
      (said.exchange.answeredAt ?? Number.POSITIVE_INFINITY) < before,
  )

/** Of attempts, in some campaign: leads that have had more stay in the queue until a claim looks at them. */
export const isMaximumLowered = ({ settings }: Known, company: number | null): boolean =>
  settings[company ?? -1]?.some((all) =>
    all.some(({ settings: is }, at) => is.maxAttempts < (all[at - 1]?.settings.maxAttempts ?? 0)),
  ) ?? false
