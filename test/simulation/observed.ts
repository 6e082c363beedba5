// What is seen of a run: each request with its answer, what it committed, and each call that began or ended. Moments
// count what has happened in a world: the lower one was first.

export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  // biome-ignore lint/suspicious/noExplicitAny: whatever the service answers
  readonly body: any
}

/** By one transaction. */
export type Commit = {
  readonly moment: number
  /** By the clock of the service. */
  readonly atMs: number
  /** Null: D1. */
  readonly store: string | null
  readonly changed: readonly { readonly table: string; readonly rows: number }[]
}

export type Exchange = {
  /** The number of the action in the story; -1: before the story, or after. */
  readonly action: number
  readonly who: string
  /** Of no other request of the world. */
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
  readonly operation: string
  /** Its index in the cast. Null: the operator's. */
  readonly company: number | null
  readonly method: string
  readonly path: string
  // biome-ignore lint/suspicious/noExplicitAny: whatever people send
  readonly body: any
  /** What a lesson needs of it besides. */
  readonly about: object | null
  /** In place of the key of a scope. */
  readonly key: string | null
  readonly idempotencyKey: string | null
  readonly sentMs: number
  readonly sentAt: number
  /** Null: none has come yet, or ever. */
  answer: Answer | null
  answeredAt: number | null
  answeredMs: number | null
  readonly commits: Commit[]
}

/** That somebody may be called. */
export type Consent = {
  readonly company: number
  readonly phone: number
  readonly purpose: string
  readonly givenAtMs: number
  readonly expiresAtMs: number | null
}

/** `counts`: 1, it is an attempt; `returned`: it was one until its lease ended without a report. */
export type Inbound = {
  readonly status: string
  readonly dueAtMs: number | null
  readonly counts: number
  readonly returned?: number
}

/** One row of the service's calls, as of the transaction that began it. Its end is noted when it comes. */
export type Call = {
  readonly callId: string
  readonly company: number
  readonly campaign: number
  readonly phone: number
  readonly phoneNumber: string
  /** Of the lead. */
  readonly seq: number
  /** Of the claim. */
  readonly token: string
  /** Which of the lead's. */
  readonly attempt: number
  readonly consentId: string | null
  /** That it names, as it was then. */
  readonly consent: Consent | null
  readonly isAppointment: boolean
  /** By its name. */
  readonly agent: string | null
  /** A dialer claimed it. */
  readonly isOfDialer: boolean
  /** Since when the lead was due, if no attempt of it counted before. */
  waitedSinceMs: number | null
  /** The person rang. */
  readonly direction: 'outbound' | 'inbound'
  /** Of the lead: those that are released do not count either. */
  countsAsAttempt: boolean
  /** The lead's own time zone; empty: its campaign's. */
  readonly lane: string
  readonly scheduledAtMs: number | null
  readonly claimedAtMs: number
  readonly claimedAt: number
  /** The request that claimed it. Null: a dialer did. */
  readonly exchange: Exchange | null
  leaseExpiresAtMs: number | null
  /** How much of its lease an extension, or the end of it, has taken away. */
  leaseLostMs: number
  outcome: string | null
  endedAtMs: number | null
  endedAt: number | null
  callbackAtMs: number | null
  /** How long it took, as it was reported. */
  seconds: number | null
  /** The person was reached. */
  isDone: boolean
  /** It was reported after the lead was called again. */
  isLate: boolean
  /** Its lease ran out, and that alone ended the lead. */
  endedLead: boolean
  /** How the lead was before the person rang. Null: the service called. */
  inbound: Inbound | null
}
