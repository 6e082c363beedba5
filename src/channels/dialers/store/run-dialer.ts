// What the object of a dialer reads and writes besides what any agent does. Nothing here checks a right: the object
// acts for its campaign, and its calls go through its key.
import { sql } from 'drizzle-orm'
import { makeKey } from '../../../base/access/api-key.ts'
import { insertEndedDialerKey, revokeDialerKey } from '../../../base/access/store/dialer-key.ts'
import { isInThisStore, type OfCompany, ofCompany } from '../../../base/access/store/directory.ts'
import { isWritableCompany } from '../../../base/access/store/moving.ts'
import { campaigns, companies } from '../../../base/access/store/tables.ts'
import { param, readRows, runBatch, runSteps, statement } from '../../../base/database/database.ts'
import { limits } from '../../../base/limits.ts'
import { callingSettings } from '../../../queue/campaigns/store/tables.ts'
import type { WaitedCampaign } from '../../../queue/campaigns/waited-campaign.ts'
import { dialerAsJson, type StoredDialer } from './set-dialer.ts'
import { dialers } from './tables.ts'

/** What a round begins with. */
export type DialerToRun = StoredDialer & {
  readonly keyId: string
  readonly campaignId: string
  readonly isRemoved: boolean
  /** It has no row any more, and calls that it has started: a restore has taken it away. */
  readonly isLost: boolean
  /** Null: the campaign has no pace of its own. */
  readonly callsPerMinute: number | null
}

export const mayCall = ({ isEnabled, isRemoved }: DialerToRun) => isEnabled && !isRemoved

const toRun = statement<
  'companyId' | 'number'
>(sql`select ${dialerAsJson} as dialer, d.key_id as "keyId", c.id as "campaignId",
    d.removed_at_ms is not null as "isRemoved", s.calls_per_minute as "callsPerMinute",
    ${ofCompany(sql`co`)}
  from ${dialers} as d
  cross join ${campaigns} as c on c.number = d.campaign_number
  cross join ${companies} as co on co.id = d.company_id
  cross join ${callingSettings} as s on s.campaign_number = d.campaign_number
  where d.campaign_number = ${param('number')} and d.company_id = ${param('companyId')}`)

type RunRow = Omit<DialerToRun, keyof StoredDialer | 'isRemoved' | 'isLost'> &
  OfCompany & { dialer: string; isRemoved: number }

/** Null: there is none. Throws DatabaseUnavailable, as every function here. */
export async function readDialerToRun(
  db: D1Database,
  { companyId, number }: WaitedCampaign,
): Promise<(DialerToRun & OfCompany) | null> {
  const [row] = await readRows<RunRow>(db, toRun(db, { companyId, number }))
  if (row === undefined) return null
  const { dialer, isRemoved, ...rest } = row
  return { ...rest, ...JSON.parse(dialer), isRemoved: isRemoved === 1, isLost: false }
}

type Reasons = 'stoppedReason' | 'restingReason' | 'unmappedReason' | 'failingReason'
type Times = 'stoppedAtMs' | 'restingSinceMs' | 'unmappedAtMs' | 'failingAtMs' | 'deafSinceMs'

/** What alerts are raised for. */
export type DialerNote = Readonly<Record<Reasons, string | null> & Record<Times, number | null>>

const isOwn = sql`campaign_number = ${param('number')} and company_id = ${param('companyId')}
  and ${isWritableCompany(dialers.companyId)}`

const isOff = sql`campaign_number in (select s.campaign_number from ${callingSettings} as s
  where s.campaign_number = ${param('number')} and not s.has_dialer)`

/** One that is off has not begun anew: it still says why it stopped (set-dialer.ts). */
const stopped = (column: string, noted: 'stoppedReason' | 'stoppedAtMs') =>
  sql`${sql.raw(column)} = iif(${param('stoppedReason')} is null and ${isOff}, ${sql.raw(column)}, ${param(noted)})`

const note = statement<Reasons | Times | 'companyId' | 'number' | 'version'>(sql`update ${dialers}
  set ${stopped('stopped_reason', 'stoppedReason')}, ${stopped('stopped_at_ms', 'stoppedAtMs')},
    resting_reason = ${param('restingReason')}, resting_since_ms = ${param('restingSinceMs')},
    unmapped_reason = ${param('unmappedReason')}, unmapped_at_ms = ${param('unmappedAtMs')},
    failing_reason = ${param('failingReason')}, failing_at_ms = ${param('failingAtMs')},
    deaf_since_ms = ${param('deafSinceMs')}
  where ${isOwn} and version = ${param('version')}`)

/** Returns false, and changes nothing, once the dialer was changed. */
export async function noteDialer(
  db: D1Database,
  { companyId, number }: WaitedCampaign,
  version: number,
  noted: DialerNote,
): Promise<boolean> {
  const { rowsChanged } = await runBatch(db, [note(db, { companyId, number, version, ...noted })])
  return rowsChanged > 0
}

const deleteSteps = [
  revokeDialerKey(sql`select d.key_id from ${dialers} as d where d.removed_at_ms is not null
    and d.campaign_number = ${param('number')} and d.company_id = ${param('companyId')}`),
  sql`delete from ${dialers} where ${isOwn} and removed_at_ms is not null`,
].map(statement<'companyId' | 'number' | 'nowMs'>)

/** Deletes a dialer that was removed and has no call left: its key ends with it. */
export async function deleteDialer(
  db: D1Database,
  { companyId, number }: WaitedCampaign,
  nowMs: number,
): Promise<void> {
  await runSteps(db, deleteSteps, { companyId, number, nowMs })
}

const endLostKey = statement<'companyId' | 'number' | 'keyId' | 'hash' | 'nowMs'>(insertEndedDialerKey)

/** Keeps the key of a dialer that is lost. Repeated, it changes nothing. */
export async function keepLostKey(
  db: D1Database,
  { companyId, number }: WaitedCampaign,
  keyId: string,
  nowMs: number,
): Promise<void> {
  const { hash } = makeKey().material
  await runBatch(db, [endLostKey(db, { companyId, number, keyId, hash, nowMs })])
}

/**
 * Of a dialer `d`, its settings `s` and its campaign `c`. A day after the last change, or the end of its campaign, no
 * call of one that is off can be left.
 */
export const isWorking = sql`(s.has_dialer or d.removed_at_ms is not null
    or max(d.changed_at_ms, coalesce(c.archived_at_ms, 0)) > ${param('nowMs')} - ${sql.raw(`${limits.dayMs}`)})`

const working = statement<
  'nowMs' | 'maxDialers'
>(sql`select d.company_id as "companyId", d.campaign_number as number
  from ${dialers} as d
  cross join ${callingSettings} as s on s.campaign_number = d.campaign_number
  cross join ${campaigns} as c on c.number = d.campaign_number
  cross join ${companies} as co on co.id = d.company_id and ${isInThisStore(sql`co`)}
  where ${isWorking}
  order by random()
  limit ${param('maxDialers')}`)

/** Those that may have something to do, in random order. */
export async function listWorking(
  db: D1Database,
  maxDialers: number,
  nowMs: number,
): Promise<readonly WaitedCampaign[]> {
  return readRows(db, working(db, { nowMs, maxDialers }))
}
