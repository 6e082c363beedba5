// A look at a campaign's queue without a claim, one statement: whether a lead can be leased now, and when the next one
// may. It checks no right, so its answer goes to no client but as `ready`.
import { sql } from 'drizzle-orm'
import { campaigns } from '../../../access/store/tables.ts'
import type { WaitedCampaign } from '../../../campaigns/waited-campaign.ts'
import { param, readRows, statement } from '../../../database/database.ts'
import { heldAt } from '../../store/sql/capacity.ts'
import {
  asFarAsClaims,
  dueInUnknownHours,
  momentsOf,
  type QueueStateRow,
  selectQueueState,
} from '../../store/sql/queue-state.ts'
import { nextMoment } from '../moments.ts'

const campaign = sql`(select c.number, c.company_id from ${campaigns} as c
  where c.number = ${param('number')} and c.company_id = ${param('companyId')})`

const look = statement<'nowMs' | 'number' | 'companyId'>(
  selectQueueState(campaign, sql`true`, asFarAsClaims, dueInUnknownHours),
)

export type Outlook = { readonly canLease: boolean; readonly nextMs: number | null }

type LookRow = QueueStateRow & { readonly dueInUnknownHours: string }

/** Throws DatabaseUnavailable. */
export async function readOutlook(db: D1Database, { companyId, number }: WaitedCampaign, nowMs: number) {
  const [row] = await readRows<LookRow>(db, look(db, { companyId, number, nowMs }))
  return outlookOf(row, nowMs)
}

/** Leads whose opening hours are not written yet may be leased: a claim writes them first. */
function outlookOf(row: LookRow | undefined, nowMs: number): Outlook {
  const moments = momentsOf(row, nowMs)
  const isReady = moments.readyAtMs !== null && moments.readyAtMs <= nowMs
  const isUnknown =
    row?.isConfigured === 1 &&
    row.isPaused === 0 &&
    row.dueInUnknownHours !== '[]' &&
    heldAt(row, nowMs) === null
  return { canLease: isReady || isUnknown, nextMs: nextMoment(moments) }
}
