// A campaign's funnel: how many leads it has in each status, what was counted by the hour, and its queue at this moment,
// in one trip. The counts are those of src/ledger/hours/counts.ts.
import { type Access, accessVerdict, grantedCampaign, type Refusal } from '../../access/store/rights.ts'
import { campaignReader, type QueueOverview } from '../../calling/store/campaign-overview.ts'
import type { LeadStatus } from '../../leads/lead.ts'
import { hoursOf, statusesOf } from '../../ledger/hours/counts.ts'

export type StatusCounts = Readonly<Record<LeadStatus, number>>

export type Funnel = {
  readonly timeZone: string | null
  readonly queue: QueueOverview
  readonly status: StatusCounts
  /** Of each hour in which anything was counted: the hour, and each counter in order. */
  readonly hours: readonly (readonly [hour: number, ...counts: number[]])[]
}

export type FunnelResult = Refusal | ({ readonly kind: 'found' } & Funnel)

const granted = grantedCampaign('look')
const read = campaignReader<Access & { readonly fromHour: number; readonly untilHour: number }>(
  accessVerdict('look'),
  granted,
  { more: [statusesOf(granted), hoursOf(granted)] },
)

/** Throws DatabaseUnavailable. */
export async function readFunnel(
  db: D1Database,
  access: Access,
  hours: { readonly fromHour: number; readonly untilHour: number },
): Promise<FunnelResult> {
  const outcome = await read(db, { ...access, ...hours })
  if (outcome.kind !== 'found') return outcome
  const [statuses, counted] = outcome.more
  return {
    kind: 'found',
    timeZone: outcome.campaign.timeZone,
    queue: outcome.queue,
    status: readStatuses(statuses),
    hours: JSON.parse((counted?.[0] as { hours: string } | undefined)?.hours ?? '[]'),
  }
}

/** Of a row of statusesOf. Until a campaign from before the counts has been counted, a sum can be less than nothing. */
export function readStatuses(rows: readonly unknown[] | undefined): StatusCounts {
  const { raw = 0, attempting = 0, exhausted = 0, concluded = 0 } = (rows?.[0] ?? {}) as Partial<StatusCounts>
  const atLeastNone = (n: number) => Math.max(0, n)
  return {
    raw: atLeastNone(raw),
    attempting: atLeastNone(attempting),
    exhausted: atLeastNone(exhausted),
    concluded: atLeastNone(concluded),
  }
}
