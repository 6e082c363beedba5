// How the leads of a list are found: by which index, or by place alone. pages.ts makes the statements of each way.
import { type SQL, sql } from 'drizzle-orm'
import { param } from '../../../../base/database/database.ts'
import type { LeadStatus } from '../../lead.ts'
import { lastSeqOf, placesOf } from '../row.ts'
import { leads } from '../tables.ts'

/** Which leads of the campaign. Null: no such condition. */
export type LeadFilter = {
  readonly status: LeadStatus | null
  readonly phoneNumber: string | null
  readonly externalId: string | null
  readonly createdAfterMs: number | null
  readonly createdBeforeMs: number | null
  /** A value of filterOf (../../origin/origin.ts). */
  readonly origin: string | null
}

export type Way = {
  /** The condition that uses the index. */
  readonly reach: (campaign: SQL) => SQL
  /** Conditions checked on each lead. */
  readonly sift: SQL
  /** Whether the places of the filter's times are looked up first. */
  readonly isByTime: boolean
  /** Whether it scans places, erased leads included: no index has those. */
  readonly isByPlace: boolean
  /** Whether it finds few leads. Others end a page of an origin where it has looked at lookedAtPerPage. */
  readonly findsFew: boolean
}

const isOf = (campaign: SQL) => sql`${leads.campaignNumber} = ${campaign}`
const hasStatus = sql`(${param('status')} is null or ${leads.status} = ${param('status')})`
const hasExternalId = sql`(${param('externalId')} is null or ${leads.externalId} = ${param('externalId')})`
export const isInTime = sql`(${param('createdAfterMs')} is null or ${leads.createdAtMs} > ${param('createdAfterMs')})
  and (${param('createdBeforeMs')} is null or ${leads.createdAtMs} < ${param('createdBeforeMs')})`

const byPlace = { reach: () => sql`true`, sift: hasStatus, isByPlace: true, findsFew: false }
const byStatus = {
  // SQLite uses a partial index only when the query repeats its condition.
  reach: (campaign: SQL) =>
    sql`${isOf(campaign)} and ${leads.status} = ${param('status')} and ${leads.status} <> 'raw'`,
  sift: sql`true`,
  isByPlace: false,
  findsFew: false,
}

export const ways = {
  byPlace: { ...byPlace, isByTime: false },
  byPlaceInTime: { ...byPlace, isByTime: true },
  byStatus: { ...byStatus, isByTime: false },
  byStatusInTime: { ...byStatus, isByTime: true },
  byPhone: {
    reach: (campaign: SQL) => sql`${isOf(campaign)} and ${leads.phoneNumber} = ${param('phoneNumber')}`,
    sift: sql`${hasStatus} and ${hasExternalId} and ${isInTime}`,
    isByTime: false,
    isByPlace: false,
    findsFew: true,
  },
  byExternalId: {
    reach: (campaign: SQL) => sql`${isOf(campaign)} and ${leads.externalId} = ${param('externalId')}`,
    sift: sql`${hasStatus} and ${isInTime}`,
    isByTime: false,
    isByPlace: false,
    findsFew: true,
  },
} satisfies Record<string, Way>

export function wayOf(filter: LeadFilter): keyof typeof ways {
  if (filter.phoneNumber !== null) return 'byPhone'
  if (filter.externalId !== null) return 'byExternalId'
  const isInTime = filter.createdAfterMs !== null || filter.createdBeforeMs !== null
  // The index of statuses leaves raw leads out.
  if (filter.status === null || filter.status === 'raw') return isInTime ? 'byPlaceInTime' : 'byPlace'
  return isInTime ? 'byStatusInTime' : 'byStatus'
}

/**
 * Creation times never fall from one lead of a campaign to the next, so a binary search of at most 32 steps finds the
 * place of a time, without an index that each new lead would write to. It finds the last `seq` whose lead was created
 * before, or not after, the time.
 */
export function placesOfTimes(campaign: SQL): SQL {
  const { before } = placesOf(campaign)
  const middle = sql`(low + high + 1) / 2`
  const placeOf = (name: SQL, isBefore: SQL) => {
    const isLower = sql`(select ${leads.createdAtMs} ${isBefore} from ${leads} where ${leads.seq} >= ${middle}
      order by ${leads.seq}
      limit 1)`
    return sql`${name}(low, high) as (
      select ${before}, coalesce(${lastSeqOf(campaign)}, ${before}) from verdict
      union all
      select iif(${isLower}, ${middle}, low), iif(${isLower}, high, ${middle} - 1) from ${name}
      where low < high)`
  }
  return sql`${placeOf(sql`place_after`, sql`<= coalesce(${param('createdAfterMs')}, -1)`)},
    ${placeOf(sql`place_before`, sql`< coalesce(${param('createdBeforeMs')}, 9e15)`)}`
}
