// Looks into the tables of a company, wherever it is stored: what began and ended, and what is there.
import { callIdOf } from '../../../src/queue/calling/call.ts'
import { phoneOf } from '../cast.ts'
import type { Call, Consent, Exchange } from '../observed.ts'
import type { Service } from '../platform/service.ts'
import type { Sqlite } from '../platform/sqlite.ts'
import type { Known } from './known.ts'

export type LeadRow = {
  readonly seq: number
  readonly campaign: string
  readonly phoneNumber: string
  readonly externalId: string | null
  readonly status: string
  readonly attempts: number
  readonly erasedAtMs: number | null
  readonly leaseExpiresAtMs: number | null
}
export type SuppressionRow = { readonly phoneNumber: string; readonly campaign: string | null }

/** Of one company. */
type CallRow = Pick<
  Call,
  'seq' | 'claimedAtMs' | 'consentId' | 'scheduledAtMs' | 'leaseExpiresAtMs' | 'outcome' | 'endedAtMs'
> & {
  readonly [Name in 'company' | 'campaign' | 'phoneNumber' | 'token']: string
} & {
  readonly consent: string | null
  readonly agent: string | null
  readonly lane: string | null
  readonly wasAppointment: number | null
  /** Null: the service called. Else whether it is an attempt. */
  readonly inboundCounts: number | null
}

export type Rows = {
  readonly leads: readonly LeadRow[]
  readonly suppressions: readonly SuppressionRow[]
  /** Of leads by campaign and status, as its hours add up. */
  readonly counts: readonly ({ readonly campaign: string } & Readonly<Record<string, number>>)[]
  /** The numbers of its log. */
  readonly events: readonly number[]
  /** Of all companies in its store. */
  readonly canaries: ReadonlySet<string>
}

const selectCalls = `select k.company_id as company, k.phone_number as "phoneNumber", k.claimed_at_ms as "claimedAtMs",
    k.seq, k.token, k.agent, k.outcome, k.ended_at_ms as "endedAtMs", k.consent_id as "consentId",
    k.was_appointment as "wasAppointment", k.inbound ->> 'counts' as "inboundCounts",
    c.id as campaign, l.lane, l.scheduled_at_ms as "scheduledAtMs",
    iif(l.claim_token = k.token, l.lease_expires_at_ms, null) as "leaseExpiresAtMs",
    (select json_array(o.company_id, o.phone_number, o.purpose, o.given_at_ms, o.expires_at_ms) from consents as o
      where o.id = k.consent_id) as consent
  from calls as k
  left join leads as l on l.seq = k.seq
  left join campaigns as c on c.number = k.seq >> 32
  where k.outcome is null or k.claimed_at_ms >= ?1 or k.ended_at_ms >= ?1
  order by k.claimed_at_ms, k.phone_number`

/** What is sent with a lead, and with no other. */
const canary = /canary\d+(x\d+)?/g

/** Calls that have ended this long before are not looked at again. */
const lookBackMs = 60_000

/** Where the company is now: in D1, or in a store of its own. Null: it is between two states. */
export function storeOf(service: Service, companyId: string): Sqlite | null {
  const [row] = service.sqlite.rows('select store from companies where id = ?1', companyId)
  if (row === undefined) return null
  if (row.store === null) return service.sqlite
  const { storage } = service.objects.objectOf('CompanyStore', String(row.store))
  return storage.isDirty() ? null : storage.sqlite()
}

const namedStore = (service: Service, name: string | null): Sqlite | null =>
  name === null ? service.sqlite : service.objects.objectOf('CompanyStore', name).storage.sqlite()

/** What a dialer or another request has written may be durable with what a request wrote. */
const isBegunBy = (exchange: Exchange | null, { agent, inboundCounts }: CallRow) =>
  agent !== 'dialer' && (exchange?.operation === 'findCaller') === (inboundCounts !== null)

/** The calls that a commit began. Those that have ended are noted. */
export function noteCalls(
  known: Known,
  service: Service,
  store: string | null,
  { moment, nowMs, exchange }: { moment: number; nowMs: number; exchange: Exchange | null },
): readonly Call[] {
  const begun: Call[] = []
  const sqlite = namedStore(service, store)
  if (sqlite === null) return begun
  // A lease that has run out ends its call in the past.
  const open = known.calls.filter(({ outcome }) => outcome === null).map(({ claimedAtMs }) => claimedAtMs)
  const sinceMs = Math.min(nowMs - lookBackMs, ...open)
  const here = new Set(
    service.sqlite.rows('select id from companies where store is ?1', store).map(({ id }) => id),
  )
  for (const row of sqlite.rows(selectCalls, sinceMs) as CallRow[]) {
    // A move copies its calls to where it is not yet, and leaves some where it was.
    if (!here.has(row.company)) continue
    const { claimedAtMs, seq, token } = row
    const callId = callIdOf({ claimedAtMs, seq, token })
    const company = known.cast.companies.findIndex(({ id }) => id === row.company)
    let call = known.calls.find((one) => one.callId === callId)
    if (call === undefined) {
      const campaigns = known.cast.companies[company]?.campaigns ?? []
      call = {
        callId,
        company,
        campaign: campaigns.findIndex(({ id }) => id === row.campaign),
        phone: phoneOf(known.cast, row.phoneNumber),
        seq,
        consentId: row.consentId,
        consent: row.consent === null ? null : consentOf(known, JSON.parse(row.consent)),
        isAppointment: Boolean(row.wasAppointment),
        direction: row.inboundCounts === null ? 'outbound' : 'inbound',
        countsAsAttempt: row.inboundCounts !== 0,
        lane: row.lane ?? '',
        scheduledAtMs: row.scheduledAtMs,
        claimedAtMs,
        claimedAt: moment,
        exchange: isBegunBy(exchange, row) ? exchange : null,
        leaseExpiresAtMs: row.leaseExpiresAtMs,
        leaseLostMs: 0,
        outcome: row.outcome,
        endedAtMs: row.endedAtMs,
        endedAt: null,
      }
      begun.push(call)
    }
    const wasMs = call.leaseExpiresAtMs ?? 0
    if (exchange?.operation === 'extendCalls' && row.leaseExpiresAtMs !== null)
      call.leaseLostMs = Math.max(call.leaseLostMs, wasMs - row.leaseExpiresAtMs)
    if (row.outcome === 'unknown' && call.outcome === null)
      call.leaseLostMs = Math.max(call.leaseLostMs, (row.endedAtMs ?? 0) - nowMs)
    call.leaseExpiresAtMs = row.leaseExpiresAtMs ?? call.leaseExpiresAtMs
    if (call.outcome === null && row.outcome !== null) call.endedAt = moment
    call.outcome = row.outcome
    call.countsAsAttempt = row.inboundCounts !== 0
    call.endedAtMs = row.endedAtMs
  }
  known.calls.push(...begun)
  return begun
}

function consentOf({ cast }: Known, row: [string, string, string, number, number | null]): Consent {
  const [companyId, phoneNumber, purpose, givenAtMs, expiresAtMs] = row
  const company = cast.companies.findIndex(({ id }) => id === companyId)
  return { company, phone: phoneOf(cast, phoneNumber), purpose, givenAtMs, expiresAtMs }
}

export function rowsOf(sqlite: Sqlite, companyId: string): Rows {
  const leads = sqlite.rows(
    `select l.seq, c.id as campaign, l.phone_number as "phoneNumber", l.external_id as "externalId", l.status,
       l.attempts, l.erased_at_ms as "erasedAtMs", l.lease_expires_at_ms as "leaseExpiresAtMs"
     from leads as l join campaigns as c on c.number = l.campaign_number where c.company_id = ?1 order by l.seq`,
    companyId,
  )
  const suppressions = sqlite.rows(
    `select s.phone_number as "phoneNumber", c.id as campaign
     from suppressions as s left join campaigns as c on c.number = s.campaign_number where s.company_id = ?1`,
    companyId,
  )
  const numbers = sqlite.rows(
    'select e.number from events as e where e.company_id = ?1 order by 1',
    companyId,
  )
  const counts = sqlite.rows(
    `select c.id as campaign, sum(h.d_raw) as raw, sum(h.d_attempting) as attempting, sum(h.d_exhausted) as exhausted,
       sum(h.d_concluded) as concluded
     from campaigns as c join campaign_hours as h on h.campaign_number = c.number where c.company_id = ?1
       group by c.id`,
    companyId,
  )
  const events = numbers.map(({ number }) => Number(number))
  return { leads, suppressions, counts, events, canaries: canariesIn(sqlite) } as unknown as Rows
}

/** In any row of any table. */
function canariesIn(sqlite: Sqlite): ReadonlySet<string> {
  const tables = sqlite.rows(
    "select name from sqlite_master where type = 'table' and name not like 'lead_search%'",
  )
  const found = tables.flatMap(
    ({ name }) => JSON.stringify(sqlite.rows(`select * from ${name}`)).match(canary) ?? [],
  )
  return new Set(found)
}
