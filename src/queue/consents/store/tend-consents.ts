// What the cron does with consents each minute: returns leads to the queue that were held by a requirement which has
// changed since, or by a gate that was removed, and removes consents whose time is over.
import { sql } from 'drizzle-orm'
import { isWritableCampaign } from '../../../base/access/store/moving.ts'
import { campaigns } from '../../../base/access/store/tables.ts'
import { param, runBatch, runSteps, statement } from '../../../base/database/database.ts'
import { forgetConsents } from '../../../base/ledger/consent/kept-consents.ts'
import { moveReturning, returningCampaigns } from '../../campaigns/store/minute-cursors.ts'
import { callingSettings } from '../../campaigns/store/tables.ts'
import { notifyWaiting } from '../../campaigns/store/waiting.ts'
import { lacksYes, returnHeld } from '../../leads/store/queue.ts'
import { leads } from '../../leads/store/tables.ts'

/** How many leads of a campaign a minute takes. */
const leadsAtOnce = 1_000

const nextOf = statement(sql`select changed.campaign_number as "campaignNumber",
    changed.returns_held_after as "afterSeq", coalesce(max(held.seq), changed.returns_held_after) as "untilSeq"
  from ${returningCampaigns} as changed
  left join ${leads} as held on held.seq in (select l.seq from ${leads} as l
    where l.campaign_number = changed.campaign_number and l.held_due_at_ms is not null
      and l.seq > changed.returns_held_after
    order by l.seq
    limit ${sql.raw(`${leadsAtOnce}`)})
  group by changed.campaign_number`)

/** Since it was read, a lead may have been held, and the requirement changed again. */
const isAnyBehind = sql`exists (select 1 from ${leads} as behind
  where behind.campaign_number = ${param('campaignNumber')} and behind.held_due_at_ms is not null
    and behind.seq > ${param('untilSeq')})`

const returnSteps = [
  sql`${returnHeld(sql`select l.seq, ${lacksYes(sql`l`, sql`s`, sql`${param('nowMs')}`)} as lacks_yes
    from ${callingSettings} as s
    cross join ${leads} as l on l.campaign_number = s.campaign_number
    where s.campaign_number = ${param('campaignNumber')} and l.held_due_at_ms is not null
      and l.seq > ${param('afterSeq')} and l.seq <= ${param('untilSeq')}
      and ${isWritableCampaign(sql`l.campaign_number`)}`)}`,
  moveReturning(sql`iif(${isAnyBehind}, ${param('untilSeq')}, null)`),
  // Also of a second try, which finds no held lead any more.
  sql`select ${notifyWaiting(
    sql`(select c.company_id from ${campaigns} as c where c.number = waited.campaign_number)`,
    sql`${param('campaignNumber')}`,
  )}`,
].map(statement<'campaignNumber' | 'afterSeq' | 'untilSeq' | 'nowMs'>)

type Next = {
  readonly campaignNumber: number
  readonly afterSeq: number
  readonly untilSeq: number
}

/** Each lead once after a change: one that is held again waits for a consent. Throws DatabaseUnavailable. */
export async function returnHeldLeads(db: D1Database, nowMs: number): Promise<void> {
  const { rows } = await runBatch(db, [nextOf(db, {})])
  for (const next of rows[0] as Next[]) await runSteps(db, returnSteps, { ...next, nowMs })
}

const forgetSome = statement<'nowMs' | 'share'>(forgetConsents)

const mostRounds = 50

/**
 * Removes consents that need not be kept any longer: the oldest, and as uses may keep those for long, some behind a
 * random place too. Where one is removed, more may follow. Throws DatabaseUnavailable.
 */
export async function forgetOldConsents(db: D1Database, nowMs: number): Promise<void> {
  for (let round = 0; round < mostRounds; round++) {
    const shares = [0, Math.random()]
    const { rowsChanged } = await runBatch(
      db,
      shares.map((share) => forgetSome(db, { nowMs, share })),
    )
    if (rowsChanged === 0) return
  }
}
