// What is seen of calling after each transaction: leads, their calls, and what decides whether they may be called. A
// look costs time: it is taken where a table that matters has changed.
import type { Changed, Sqlite } from '../platform/sqlite.ts'

export type CallRow = {
  readonly [Name in 'company' | 'campaign' | 'phoneNumber' | 'token']: string
} & {
  readonly [Name in 'seq' | 'claimedAtMs' | 'attempt' | 'isDone' | 'isLate']: number
} & {
  readonly [Name in 'leaseExpiresAtMs' | 'endedAtMs' | 'scheduledAtMs' | 'callbackAtMs' | 'seconds']:
    | number
    | null
} & {
  readonly [Name in 'consent' | 'consentId' | 'agent' | 'lane' | 'outcome']: string | null
} & {
  readonly wasAppointment: number | null
  /** Its lease ran out, and that alone ended the lead. */
  readonly endedLead: number | null
  /** JSON: the person rang, and how the lead was before. Null: the service called. */
  readonly inbound: string | null
}

export type LeadSeen = {
  readonly [Name in 'company' | 'campaign' | 'phoneNumber' | 'lane']: string
} & {
  readonly [Name in 'seq' | 'attempts' | 'forgiven' | 'rank' | 'priority' | 'createdAtMs' | 'number']: number
} & {
  readonly status: 'raw' | 'attempting' | 'exhausted' | 'concluded'
  /** Of the last claim; null after a requeue. */
  readonly token: string | null
  /** Null: not in the queue. */
  readonly dueAtMs: number | null
  /** Null: it does not wait for a consent, or for a gate. */
  readonly heldAtMs: number | null
  /** Where a claim has moved it, since its phone was not free. */
  readonly movedToMs: number | null
  readonly leaseExpiresAtMs: number | null
  readonly scheduledAtMs: number | null
  readonly erasedAtMs: number | null
  readonly refusedBy: string | null
}

/** `withdraws`: a purpose, `*` for all, empty for none. */
export type Said = {
  readonly company: string
  readonly phoneNumber: string
  readonly withdraws: string
  readonly atMs: number
}
export type ConsentSeen = {
  readonly [Name in 'id' | 'company' | 'phoneNumber' | 'purpose']: string
} & {
  readonly numberHash: string | null
  readonly givenAtMs: number
  readonly expiresAtMs: number | null
}

export type Seen = {
  readonly calls: readonly CallRow[]
  readonly leads: readonly LeadSeen[]
  /** `number`: of the campaign; 0: in the whole company. */
  readonly suppressed: readonly {
    readonly company: string
    readonly phoneNumber: string
    readonly number: number
  }[]
  readonly consents: readonly ConsentSeen[]
  readonly said: readonly Said[]
}

const selectCalls = `select k.company_id as company, k.phone_number as "phoneNumber", k.claimed_at_ms as "claimedAtMs",
    k.seq, k.token, k.attempt, k.agent, k.outcome, k.ended_at_ms as "endedAtMs", k.consent_id as "consentId",
    k.was_appointment as "wasAppointment", k.inbound, k.is_done as "isDone", k.is_late as "isLate",
    k.ended_lead as "endedLead", k.callback_at_ms as "callbackAtMs", k.duration_seconds as seconds,
    c.id as campaign, l.lane, l.scheduled_at_ms as "scheduledAtMs",
    iif(l.claim_token = k.token, l.lease_expires_at_ms, null) as "leaseExpiresAtMs",
    (select json_array(o.company_id, o.phone_number, o.purpose, o.given_at_ms, o.expires_at_ms) from consents as o
      where o.id = k.consent_id) as consent
  from calls as k
  left join leads as l on l.seq = k.seq
  left join campaigns as c on c.number = k.seq >> 32
  where k.outcome is null or k.claimed_at_ms >= ?1 or k.ended_at_ms >= ?1
  order by k.claimed_at_ms, k.phone_number`

const selectLeads = `select c.company_id as company, c.id as campaign, c.number, l.seq, l.phone_number as "phoneNumber",
    l.lane, l.status, l.attempts, l.attempts_forgiven as forgiven, l.queue_rank as rank, l.priority,
    l.created_at_ms as "createdAtMs", l.claim_token as token, l.due_at_ms as "dueAtMs",
    l.held_due_at_ms as "heldAtMs", l.moved_to_ms as "movedToMs", l.lease_expires_at_ms as "leaseExpiresAtMs",
    l.scheduled_at_ms as "scheduledAtMs", l.erased_at_ms as "erasedAtMs", l.gate_refused_by as "refusedBy"
  from leads as l join campaigns as c on c.number = l.campaign_number order by l.seq`

const others = {
  suppressed: `select company_id as company, phone_number as "phoneNumber", campaign_number as number
    from suppressions`,
  consents: `select id, company_id as company, phone_number as "phoneNumber", number_hash as "numberHash", purpose,
    given_at_ms as "givenAtMs", expires_at_ms as "expiresAtMs" from consents`,
  said: `select company_id as company, phone_number as "phoneNumber", withdraws, at_ms as "atMs" from number_log`,
}

const looked = new Set(['calls', 'leads', 'suppressions', 'consents', 'number_log'])

/** Calls that have ended before are not looked at again. */
export function lookAt(sqlite: Sqlite, changed: readonly Changed[], sinceMs: number): Seen | null {
  if (!changed.some(({ table }) => looked.has(table))) return null
  const rows = (text: string, ...values: number[]) => sqlite.rows(text, ...values) as never
  return {
    ...{ calls: rows(selectCalls, sinceMs), leads: rows(selectLeads), suppressed: rows(others.suppressed) },
    ...{ consents: rows(others.consents), said: rows(others.said) },
  }
}
