// Requeueing many leads of a campaign: those that became exhausted, or concluded, at or after a moment, a part in
// each request. The numbers of a part are read first, because only JavaScript can hash them; one transaction then
// requeues the leads that are still the same. The place that a request has reached is kept for a while, so that the
// next one continues behind it, past the leads that stay because their numbers are suppressed.
import { sql } from 'drizzle-orm'
import {
  type Access,
  type AccessNames,
  accessVerdict,
  grantedCampaign,
  isRefused,
  type PepperLost,
  type Refusal,
  refusalOf,
  type Verdict,
} from '../../../base/access/store/rights.ts'
import { param, runSteps, statement } from '../../../base/database/database.ts'
import { type ActorNames, appendIfListening } from '../../../base/ledger/log/append.ts'
import { hasHashes, isHashed, isPepperLost } from '../../../base/ledger/suppression/hashed-numbers.ts'
import type { NumberHashes } from '../../../base/ledger/suppression/number-hash.ts'
import { isSuppressed } from '../../../base/ledger/suppression/numbers.ts'
import { limits } from '../../../base/limits.ts'
import { notifyWaiting } from '../../campaigns/store/waiting.ts'
import type { FinalStatus } from '../../leads/lead.ts'
import { isFinal } from '../../leads/store/lead-status.ts'
import { isErased } from '../../leads/store/row.ts'
import { leads } from '../../leads/store/tables.ts'
import { requeueSteps } from './requeue.ts'
import { requeues } from './tables.ts'

/** How many final leads a request reads, whenever they became final. */
const scannedPerRequest = sql.raw('20000')

/** After a longer break a requeue starts over, since leads before its place may have become final meanwhile. */
const pauseMs = sql.raw(`${10 * 60_000}`)

const isWanted = sql`${leads.status} = ${param('status')}
  and ${leads.finishedAtMs} >= ${param('sinceMs')}
  and not ${isErased}`

/** The place after which the request continues. */
const afterSeq = sql`coalesce((select r.after_seq from ${requeues} as r
  where r.campaign_number = granted.number
    and r.status = ${param('status')}
    and r.since_ms = ${param('sinceMs')}
    and r.at_ms > ${param('nowMs')} - ${pauseMs}), 0)`

const granted = grantedCampaign('write')
const verdict = accessVerdict('write')

/** Through the index of statuses, which has the leads in the order of their places. */
const scanned = sql`(select l.seq, l.phone_number, l.finished_at_ms, l.erased_at_ms
  from ${granted} as granted
  cross join ${leads} as l on l.campaign_number = granted.number
    and l.status = ${param('status')}
    and l.status <> 'raw'
    and l.seq > ${afterSeq}
  order by l.seq
  limit ${scannedPerRequest})`

/** The two statements that read a part: whether it may be requeued, and its leads. */
const readSteps = [
  sql`select verdict.number, ${hasHashes(sql`verdict.company_id`)} as "hasHashes",
    ${isPepperLost(sql`verdict.company_id`)} as "isPepperLost",
    (select iif(count(*) = ${scannedPerRequest}, max(scanned.seq), null) from ${scanned} as scanned)
      as "scannedUntil"
  from ${verdict} as verdict`,
  sql`select scanned.seq, scanned.phone_number as "phoneNumber" from ${scanned} as scanned
    where scanned.finished_at_ms >= ${param('sinceMs')} and scanned.erased_at_ms is null
    order by scanned.seq
    limit ${sql.raw(`${limits.leadsPerRequeue}`)} + 1`,
].map(statement<AccessNames | 'pepperCheck' | 'status' | 'sinceMs'>)

const company = sql`granted.company_id`
const isFree = sql`not ${isSuppressed(company, sql`${leads.phoneNumber}`, sql`granted.number`)}
  and (not ${hasHashes(company)}
    or (item.value ->> 2 is not null
      and not ${isPepperLost(company)}
      and not ${isHashed(company, sql`item.value ->> 2`, sql`granted.number`)}))`

/** An element of placeholder `items` is place, number and hash; null in a company without hashes. */
const named = sql`${granted} as granted
  cross join json_each(${param('items')}) as item
  cross join ${leads} on ${leads.seq} = item.value ->> 0
    and ${leads.campaignNumber} = granted.number
    and ${leads.phoneNumber} = item.value ->> 1`

const free = sql`${named} and ${isWanted} where ${isFree}`
const changeSteps = requeueSteps(free, appendIfListening).map(
  statement<AccessNames | ActorNames | 'items' | 'status' | 'sinceMs' | 'pepperCheck'>,
)

/**
 * Leads that were read and have left their status were requeued, by this try or an earlier one. The others are
 * suppressed.
 */
const resultStep = statement<AccessNames | 'items' | 'status' | 'sinceMs'>(sql`select verdict.number,
    (select count(*) from ${named} and ${isWanted}) as skipped,
    (select count(*) from ${named} and not ${isFinal}) as requeued,
    ${notifyWaiting(sql`verdict.company_id`, sql`verdict.number`)}
  from ${verdict} as verdict`)

const keepPlace = statement<AccessNames | 'status' | 'sinceMs' | 'untilSeq'>(sql`
  insert into ${requeues} (campaign_number, status, since_ms, after_seq, at_ms)
  select granted.number, ${param('status')}, ${param('sinceMs')}, ${param('untilSeq')}, ${param('nowMs')}
  from ${granted} as granted
  where true
  on conflict do update set after_seq = excluded.after_seq, at_ms = excluded.at_ms`)

const forgetPlaces = statement<AccessNames | 'status' | 'sinceMs'>(sql`delete from ${requeues}
  where ${requeues.campaignNumber} = (select granted.number from ${granted} as granted)
    and (${requeues.atMs} <= ${param('nowMs')} - ${pauseMs}
      or (${requeues.status} = ${param('status')} and ${requeues.sinceMs} = ${param('sinceMs')}))`)

export type RequeueMany = {
  readonly status: FinalStatus
  readonly sinceMs: number
}

type RequeueManyResult =
  | Refusal
  | PepperLost
  | {
      readonly kind: 'requeued'
      readonly requeued: number
      /** Not changed, because their numbers are suppressed. */
      readonly skipped: number
      /** True: the same request, sent again, continues behind these. */
      readonly more: boolean
    }

type VerdictRow = Verdict & {
  readonly hasHashes: number
  readonly isPepperLost: number
  /** Null: no lead is behind those that were read. */
  readonly scannedUntil: number | null
}

type ResultRow = Verdict & { readonly requeued: number; readonly skipped: number }

/** At most so many leads as `limits` says. Throws DatabaseUnavailable. */
export async function requeueLeads(
  db: D1Database,
  access: Access,
  { status, sinceMs }: RequeueMany,
  hashes: NumberHashes,
): Promise<RequeueManyResult> {
  const values = { ...access, status, sinceMs, pepperCheck: hashes.pepperCheck }
  const { rows } = await runSteps(db, readSteps, values)
  const before = rows[0]?.[0] as VerdictRow | undefined
  if (isRefused(before)) return refusalOf(before)
  if (before.isPepperLost === 1) return { kind: 'pepper_lost' }
  const read = rows[1] as readonly { seq: number; phoneNumber: string }[]
  const taken = read.slice(0, limits.leadsPerRequeue)
  const untilSeq = read.length > taken.length ? (taken.at(-1)?.seq ?? null) : before.scannedUntil
  const items = taken.map(({ seq, phoneNumber }) => [
    seq,
    phoneNumber,
    before.hasHashes === 1 ? hashes.of(phoneNumber) : null,
  ])
  const steps = [...changeSteps, untilSeq === null ? forgetPlaces : keepPlace, resultStep]
  const done = await runSteps(db, steps, { ...values, items: JSON.stringify(items), untilSeq })
  const after = done.rows.at(-1)?.[0] as ResultRow | undefined
  if (isRefused(after)) return refusalOf(after)
  return { kind: 'requeued', requeued: after.requeued, skipped: after.skipped, more: untilSeq !== null }
}
