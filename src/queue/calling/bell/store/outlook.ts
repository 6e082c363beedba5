// A look at a campaign's queue without a claim, one statement: whether a lead can be leased now, and when the next one
// may. It checks no right, so its answer goes to no client but as `ready`.
import { sql } from 'drizzle-orm'
import { campaigns } from '../../../../base/access/store/tables.ts'
import { param, readRows, statement } from '../../../../base/database/database.ts'
import type { WaitedCampaign } from '../../../campaigns/waited-campaign.ts'
import { heldAt } from '../../store/sql/capacity.ts'
import {
  asFarAsClaims,
  dueInUnknownHours,
  nextMoment,
  type QueueStateRow,
  selectQueueState,
} from '../../store/sql/queue-state.ts'

const campaign = sql`(select c.number, c.company_id from ${campaigns} as c
  where c.number = ${param('number')} and c.company_id = ${param('companyId')})`

const look = statement<'nowMs' | 'number' | 'companyId'>(
  selectQueueState(campaign, sql`true`, asFarAsClaims, dueInUnknownHours),
)

export type Outlook = { readonly canLease: boolean; readonly nextMs: number | null }

type LookRow = QueueStateRow & { readonly dueInUnknownHours: string }

/** Throws DatabaseUnavailable. */
export async function readOutlook(
  db: D1Database,
  { companyId, number }: WaitedCampaign,
  nowMs: number,
): Promise<Outlook> {
  const [row] = await readRows<LookRow>(db, look(db, { companyId, number, nowMs }))
  const mayLease = row?.isConfigured === 1 && row.isPaused === 0 && heldAt(row, nowMs) === null
  const isReady = row?.readyAtMs != null && row.readyAtMs <= nowMs
  // Leads whose opening hours are not written yet may be leased: a claim writes them first.
  const canLease = mayLease && (isReady || row.dueInUnknownHours !== '[]')
  return { canLease, nextMs: nextMoment(row, nowMs) }
}
