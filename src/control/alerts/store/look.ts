// One look for alerts: reads what may be wrong, and writes what was decided, with its events.
import { type SQL, sql } from 'drizzle-orm'
import { isWritableCompany } from '../../../base/access/store/moving.ts'
import { param, runSteps, statement } from '../../../base/database/database.ts'
import { appendAlways, entryColumns, theSystem } from '../../../base/ledger/log/append.ts'
import { waits } from '../../../base/limits.ts'
import { formatTimestamp } from '../../../base/timestamp.ts'
import type { Alert } from '../alert-kinds.ts'
import { raisedStalled, toClear, toRaise } from './failures.ts'
import { alertCursor, alerts } from './tables.ts'
import { readWatched, type WatchedCampaign, watchedCampaigns } from './watched-campaigns.ts'

/** `noted` is stored and not raised. */
export type AlertChange = Alert & {
  readonly change: 'raised' | 'cleared' | 'noted'
  readonly callsCounted?: number
}

type Look = {
  readonly campaigns: readonly WatchedCampaign[]
  readonly toRaise: readonly Alert[]
  readonly toClear: readonly Alert[]
  /** Alerts about work that is not done. */
  readonly stalled: readonly Alert[]
}

/** `storeBytes` as in alertByTheMinute. Throws DatabaseUnavailable, as writeChanges. */
export async function lookForAlerts(db: D1Database, nowMs: number, storeBytes: number): Promise<Look> {
  const values = { nowMs, storeBytes }
  const steps = [watchedCampaigns, toRaise, toClear, raisedStalled]
  const { rows } = await runSteps(db, steps, values, waits.administrationMs)
  return {
    campaigns: readWatched(rows[0] ?? []),
    toRaise: rows[1] as readonly Alert[],
    toClear: rows[2] as readonly Alert[],
    stalled: rows[3] as readonly Alert[],
  }
}

const value = (name: string) => sql`(item.value ->> ${sql.raw(`'${name}'`)})`
const items = (changes: string) => sql`json_each(${param('changes')}) as item
    ${sql.raw(`where item.value ->> 'change' in (${changes})`)}
      and ${isWritableCompany(value('companyId'))}`

/** The stored row of an item, as `a`. */
const isSameAlert = sql`a.kind = ${value('kind')}
      and a.campaign_number = ${value('campaignNumber')}
      and a.company_id = ${value('companyId')}
      and a.subject = ${value('subject')}`
const isRaised = sql`exists (select 1 from ${alerts} as a
    where ${isSameAlert} and a.raised_at_ms is not null)`

const log = (type: 'alert.raised' | 'alert.cleared', changes: SQL) =>
  appendAlways(
    sql`select ${entryColumns({
      type,
      companyId: value('companyId'),
      campaignNumber: sql`nullif(${value('campaignNumber')}, 0)`,
      data: sql`json_object('kind', ${value('kind')}, 'subject', nullif(${value('subject')}, ''),
        'since', ${value('since')})`,
    })} from ${changes}`,
    theSystem,
  )

// The log first: a repeated try finds the rows as the first one left them, and logs nothing.
const writeSteps = [
  statement<'nowMs' | 'changes'>(log('alert.raised', sql`${items(`'raised'`)} and not ${isRaised}`)),
  statement<'nowMs' | 'changes'>(log('alert.cleared', sql`${items(`'cleared'`)} and ${isRaised}`)),
  statement<'changes'>(sql`delete from ${alerts}
  where (kind, campaign_number, company_id, subject) in (
    select ${value('kind')}, ${value('campaignNumber')}, ${value('companyId')}, ${value('subject')}
    from ${items(`'cleared'`)})`),
  statement<'nowMs' | 'changes'>(sql`insert into ${alerts}
    (kind, campaign_number, company_id, subject, since_ms, raised_at_ms, calls_counted)
  select ${value('kind')}, ${value('campaignNumber')}, ${value('companyId')}, ${value('subject')}, ${value('sinceMs')},
    iif(${value('change')} = 'raised', cast(${param('nowMs')} as integer), null), coalesce(${value('callsCounted')}, 0)
  from ${items(`'raised', 'noted'`)}
  on conflict do update set
    since_ms = excluded.since_ms,
    raised_at_ms = excluded.raised_at_ms,
    calls_counted = excluded.calls_counted
  where ${sql.identifier('alerts')}.raised_at_ms is null`),
]

const moveCursor = statement<'lastCampaign'>(sql`insert into ${alertCursor} (id, campaign_number)
  values (1, ${param('lastCampaign')})
  on conflict do update set campaign_number = excluded.campaign_number
  where ${sql.identifier('alert_cursor')}.campaign_number <> excluded.campaign_number`)

/** The next look begins behind `lastCampaign`; 0: at the first; null: as if this were none. */
export async function writeChanges(
  db: D1Database,
  changes: readonly AlertChange[],
  lastCampaign: number | null,
  nowMs: number,
): Promise<void> {
  const json = JSON.stringify(
    changes.map((change) => ({ ...change, since: formatTimestamp(change.sinceMs) })),
  )
  const steps = lastCampaign === null ? writeSteps : [...writeSteps, moveCursor]
  await runSteps(db, steps, { nowMs, changes: json, lastCampaign: lastCampaign ?? 0 }, waits.administrationMs)
}
