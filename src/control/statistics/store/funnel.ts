// Reads a campaign's statistics in one round trip: its leads by status, its counts by hour and its queue. The counting
// is in src/base/ledger/hours/counts.ts.
import {
  type Access,
  type AccessNames,
  grantedCampaign,
  type Refusal,
} from '../../../base/access/store/rights.ts'
import { type Bind, statement } from '../../../base/database/database.ts'
import { hoursOf, statusesOf } from '../../../base/ledger/hours/counts.ts'
import { type QueueOverview, readCampaign } from '../../../queue/calling/store/campaign-overview.ts'
import type { CampaignSettings } from '../../../queue/campaigns/store/settings-row.ts'
import type { LeadStatus } from '../../../queue/leads/lead.ts'

type StatusCounts = Readonly<Record<LeadStatus, number>>

type Funnel = {
  readonly campaign: CampaignSettings
  readonly queue: QueueOverview
  readonly status: StatusCounts
  /** Each hour with a count: the hour, and its counts in the order of hourCounts. */
  readonly hours: readonly (readonly [hour: number, ...counts: number[]])[]
  /** The rows of each further statement. */
  readonly more: readonly Rows[]
}

type Rows = readonly unknown[]

type FunnelResult = Refusal | ({ readonly kind: 'found' } & Funnel)

const counts = [statusesOf, hoursOf].map((countsOf) =>
  statement<AccessNames | 'fromHour' | 'untilHour'>(countsOf(grantedCampaign('look'))),
)

/** The rows of `more` are read in the same trip. Throws DatabaseUnavailable. */
export async function readFunnel(
  db: D1Database,
  access: Access,
  hours: { readonly fromHour: number; readonly untilHour: number },
  more: readonly Bind<AccessNames>[] = [],
): Promise<FunnelResult> {
  const result = await readCampaign(db, { ...access, ...hours }, [...counts, ...more])
  if (result.kind !== 'found') return result
  const [[statuses], [counted], ...rest] = result.more as [[StatusCounts], [{ hours: string }], ...Rows[]]
  const { raw, attempting, exhausted, concluded } = statuses
  return {
    ...result,
    status: { raw, attempting, exhausted, concluded },
    hours: JSON.parse(counted.hours),
    more: rest,
  }
}
