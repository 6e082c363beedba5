// What the API sends, as far as the console reads it. The API description (/openapi.json) is what decides.

export type LeadStatus = 'raw' | 'attempting' | 'exhausted' | 'concluded'

export type Lead = {
  readonly _id: string
  readonly campaignId: string
  readonly phoneNumber: string
  readonly externalId?: string
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly status: LeadStatus
  readonly scheduledFor?: string
  readonly timeZone?: string
  readonly priority: number
  readonly attempts: number
  readonly _creationTime: number
}

export type LeadPage = { readonly leads: readonly Lead[]; readonly nextCursor?: string | null }

export type Reason = 'empty' | 'waiting' | 'outside_hours' | 'paused' | 'not_configured'

export type Queue = {
  readonly queued: number
  readonly leased: number
  readonly isCapped: boolean
  readonly reason: Reason | null
  readonly nextOpening: string | null
  readonly failingAgents?: readonly { readonly agent: string; readonly until: string }[]
}

export const weekDays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type WeekDay = (typeof weekDays)[number]
export type Window = readonly [from: string, until: string]
export type WeekHours = Readonly<Record<WeekDay, readonly Window[]>>

export type OutcomeClass = 'done' | 'dead' | 'retry' | 'appointment'
export type OutcomeRule = { readonly class: OutcomeClass; readonly minutes?: number | null }

export type NumberLimits = {
  readonly minGapMinutes: number | null
  readonly per24Hours: number | null
  readonly per7Days: number | null
}

export type Settings = {
  readonly id: string
  readonly name: string
  readonly paused: boolean
  readonly timeZone: string | null
  readonly callingHours: WeekHours
  readonly appointmentHours: WeekHours
  readonly closedDates: readonly string[]
  readonly maxAttempts: number
  readonly leaseSeconds: number
  readonly numberLimits: NumberLimits
  readonly outcomes: Readonly<Record<string, OutcomeRule>>
  readonly retentionDays?: number | null
  readonly retentionSuppresses?: boolean
}

export type Campaign = Settings & { readonly queue: Queue }

/** Counts of one hour or day. Outcomes stand beside the named ones, each under its own word. */
export type StatsBucket = { readonly start: string } & Readonly<Record<string, number | string>>

export type Stats = {
  readonly status: Readonly<Record<LeadStatus, number>>
  readonly series: readonly StatsBucket[]
  readonly outcomes: Readonly<Record<string, number>>
  readonly queue: Queue
}

export type OpenCall = {
  readonly callId: string
  readonly attempt: number
  readonly isLastAttempt: boolean
  readonly leaseExpiresAt: string
  readonly dialBefore: string
  readonly timeZone: string
  readonly lead: Lead
  readonly agent: string | null
}

export type PastCall = {
  readonly callId: string
  readonly attempt: number
  readonly agent: string | null
  readonly claimedAt: string
  readonly outcome: string | null
  readonly endedAt: string | null
  readonly callbackAt: string | null
  readonly doNotCall: boolean
  readonly isLate: boolean
  readonly durationSeconds: number | null
  readonly details: Readonly<Record<string, unknown>> | null
}

export type Blocker = { readonly code: string; readonly until: string | null }

export type Calling = {
  readonly callable: boolean
  readonly blockers: readonly Blocker[]
  readonly nextCallAt: string | null
}

export type Suppression = {
  readonly phoneNumber: string
  readonly campaignId: string | null
  readonly reason: string | null
  readonly createdAt: string
}
