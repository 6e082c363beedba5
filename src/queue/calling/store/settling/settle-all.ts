// What the cron does with calls each minute: settles the expired leases of all campaigns, and deletes what is old.
import { sql } from 'drizzle-orm'
import { isWritableCampaign, isWritableCompany } from '../../../../base/access/store/moving.ts'
import { campaigns } from '../../../../base/access/store/tables.ts'
import { param, runSteps, statement } from '../../../../base/database/database.ts'
import { forgetOldEntries } from '../../../../base/ledger/log/retention.ts'
import { callingSettings } from '../../../campaigns/store/tables.ts'
import { agentKeptMs } from '../../failing-agents.ts'
import { agents, claims } from '../tables.ts'
import { settleStatements } from './settle.ts'

/** Every campaign that ever had settings; no other has calls. */
const configured = sql`(select c.number, c.company_id from ${callingSettings} as configured
  cross join ${campaigns} as c on c.number = configured.campaign_number
    and ${isWritableCompany(sql`c.company_id`)})`

const leasesPerRun = 1_000
const settleConfigured = settleStatements(configured, leasesPerRun, { isOne: false }).map(statement<'nowMs'>)

const claimKeptMs = 24 * 3_600_000

const forgetClaims = statement<'nowMs'>(sql`delete from ${claims}
  where (${claims.claimedAtMs}, ${claims.token}) in (
    select old.claimed_at_ms, old.token from ${claims} as old
    where old.claimed_at_ms < ${param('nowMs')} - ${sql.raw(`${claimKeptMs}`)}
      and ${isWritableCampaign(sql`old.campaign_number`)}
    limit ${sql.raw(`${leasesPerRun}`)})`)

const forgetEntries = statement<'nowMs'>(forgetOldEntries)
const forgetAgents = statement<'nowMs'>(sql`delete from ${agents}
  where ${agents.lastUnknownAtMs} < ${param('nowMs')} - ${sql.raw(`${agentKeptMs}`)}
    and ${isWritableCompany(agents.companyId)}`)

/**
 * Settles expired leases of all campaigns, and deletes claims of the day before (D59) and old entries of the log: at
 * most a thousand of each. Returns whether it changed anything, and so may find more. Throws DatabaseUnavailable.
 */
export async function settleAll(db: D1Database, nowMs: number): Promise<boolean> {
  const steps = [...settleConfigured, forgetClaims, forgetEntries, forgetAgents]
  const { rowsChanged } = await runSteps(db, steps, { nowMs })
  return rowsChanged > 0
}

/** The rest waits for the next minute, or for its campaign's next claim. */
const maxRuns = 20

/** Also in campaigns without claims, so that their leads and numbers do not wait for one (D47). */
export async function settleByTheMinute(db: D1Database, nowMs: number): Promise<void> {
  for (let run = 0; run < maxRuns; run++) if (!(await settleAll(db, nowMs))) return
}
