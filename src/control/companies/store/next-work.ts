// When a store of its own has something to do without a request: so that it sleeps until then.
import { type SQL, sql } from 'drizzle-orm'
import { apiKeys, campaigns } from '../../../base/access/store/tables.ts'
import { param, readRows, statement } from '../../../base/database/database.ts'
import { consents } from '../../../base/ledger/consent/tables.ts'
import { recounts } from '../../../base/ledger/hours/tables.ts'
import { isSending, webhooks } from '../../../base/ledger/log/tables.ts'
import { limits } from '../../../base/limits.ts'
import { sources } from '../../../channels/sources/store/tables.ts'
import { logHead } from '../../../channels/webhooks/store/endpoints.ts'
import { settleGraceMs } from '../../../queue/campaigns/outcomes.ts'
import { callingSettings } from '../../../queue/campaigns/store/tables.ts'
import { lacksNumbers } from '../../../queue/leads/store/mentions/fill-words.ts'
import { isUnfinished, lacksCalls } from '../../../queue/leads/store/search-index.ts'
import { leads } from '../../../queue/leads/store/tables.ts'
import { alerts } from '../../alerts/store/tables.ts'

const minute = sql`${param('nowMs')} + ${sql.raw(`${limits.minuteMs}`)}`
const hour = sql`${param('nowMs')} + ${sql.raw(`${limits.hourMs}`)}`
const fullHour = sql`(cast(${param('nowMs')} / ${sql.raw(`${limits.hourMs}`)} as integer) + 1) *
  ${sql.raw(`${limits.hourMs}`)}`

const whenAny = (which: SQL, at: SQL) => sql`(select iif(exists (${which}), ${at}, null))`

// While leads are queued, each minute: an alert is due when they can be called and no agent claims them, and when that
// is would take a look at each of them. Retention is exact to the hour;
// while a round through the final leads is unfinished, the next look follows in a minute (../jobs.ts).
const moments = [
  sql`(select min(l.lease_expires_at_ms) + ${sql.raw(`${settleGraceMs}`)}
    from ${campaigns} as c
    cross join ${leads} as l on l.campaign_number = c.number and l.lease_expires_at_ms is not null)`,
  whenAny(
    sql`select 1 from ${campaigns} as c
      cross join ${leads} as l on l.campaign_number = c.number and l.due_at_ms is not null`,
    minute,
  ),
  sql`(select min(k.expires_at_ms) + ${sql.raw(`${limits.dayMs}`)} from ${apiKeys} as k where k.member_id is not null)`,
  whenAny(sql`select 1 from ${alerts}`, minute),
  whenAny(sql`select 1 from ${callingSettings} as s where s.has_dialer or s.gate_version > 0`, minute),
  // Posts that a source refuses are an alert within the hour.
  whenAny(
    sql`select 1 from ${sources} as s where s.problem_at_ms > ${param('nowMs')} - ${sql.raw(`${limits.hourMs}`)}`,
    minute,
  ),
  whenAny(
    sql`select 1 from ${webhooks} as w
      where ${isSending(sql`w`)} and ${logHead(sql`w.company_id`)} > w.passed_number`,
    minute,
  ),
  // A sender may wait for its alarm, which may have been dropped: channels/webhooks/wake-senders.ts looks at this
  // minute.
  whenAny(sql`select 1 from ${webhooks} as w where ${isSending(sql`w`)}`, fullHour),
  whenAny(sql`select 1 from ${callingSettings} as s where s.retention_days is not null`, hour),
  whenAny(sql`select 1 from ${callingSettings} as s where s.returns_held_after is not null`, minute),
  whenAny(sql`select 1 from ${consents}`, hour),
  sql`iif(${isUnfinished} or ${lacksNumbers} or ${lacksCalls}, ${minute}, null)`,
  sql`(select min(r.due_at_ms) from ${recounts} as r)`,
  whenAny(
    sql`select 1 from ${campaigns} as c
      where c.number > coalesce((select max(r.campaign_number) from ${recounts} as r), 0)`,
    hour,
  ),
]

const nextWork = statement<'nowMs'>(
  sql`select min(moment.value) as "atMs" from json_each(json_array(${sql.join(moments, sql`, `)})) as moment`,
)

/** In Unix ms, at least a minute from now; null: nothing. Throws DatabaseUnavailable. */
export async function nextWorkMs(db: D1Database, nowMs: number): Promise<number | null> {
  const [found] = await readRows<{ atMs: number | null }>(db, nextWork(db, { nowMs }))
  const atMs = found?.atMs ?? null
  return atMs === null ? null : Math.max(atMs, nowMs + limits.minuteMs)
}
