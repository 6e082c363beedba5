// What the tables of a company have of what people set: each value under a name, as model/set-values.ts has it.
import { leadIdOf } from '../../../src/queue/leads/lead.ts'
import type { Sqlite } from '../platform/sqlite.ts'

export type Kept = ReadonlyMap<string, string>

/** A receiver was gone, or its key has ended: nobody has set that. */
export const byItself = 'by itself'
const yes = (value: unknown) => String(Boolean(value))
const timeOf = (value: unknown) => String(value === null ? null : Date.parse(String(value)))

// biome-ignore lint/suspicious/noExplicitAny: columns differ from table to table
type Values = (row: any) => Readonly<Record<string, string>>

/** Each read for one company; `?1` is its id. */
const reads: readonly (readonly [text: string, values: Values])[] = [
  [
    `select c.id, s.* from calling_settings as s join campaigns as c on c.number = s.campaign_number
      where c.company_id = ?1`,
    (row) => ({
      [`campaign ${row.id} paused`]: yes(row.paused),
      [`campaign ${row.id} timeZone`]: row.time_zone,
      [`campaign ${row.id} callingHours`]: row.calling_hours,
      [`campaign ${row.id} appointmentHours`]: row.appointment_hours,
      [`campaign ${row.id} closedDates`]: row.closed_dates,
      [`campaign ${row.id} leaseSeconds`]: String(row.lease_seconds),
      [`campaign ${row.id} maxAttempts`]: String(row.max_attempts),
      [`campaign ${row.id} maxLiveCalls`]: String(row.max_live_calls),
      [`campaign ${row.id} callsPerMinute`]: String(row.calls_per_minute),
      [`campaign ${row.id} numberLimits`]: JSON.stringify([
        row.min_gap_minutes,
        row.per_24_hours,
        row.per_7_days,
      ]),
      [`campaign ${row.id} requireConsent`]: JSON.stringify([row.consent_purpose, row.consent_max_age_days]),
      ...Object.fromEntries(
        Object.entries(JSON.parse(row.outcomes) as Record<string, { minutes: number }>).map(
          ([outcome, { minutes }]) => [`campaign ${row.id} after ${outcome}`, String(minutes)],
        ),
      ),
      [`campaign ${row.id} dialer enabled`]: yes(row.has_dialer),
    }),
  ],
  [
    'select id, scope, revoked_at_ms from api_keys where company_id = ?1 and is_dialer = 0',
    (row) => ({ [`key ${row.id}`]: yes(row.revoked_at_ms === null), [`key ${row.id} scope`]: row.scope }),
  ],
  [
    'select id, scope, removed_at_ms from members where company_id = ?1',
    (row) => ({
      [`member ${row.id}`]: yes(row.removed_at_ms === null),
      [`member ${row.id} scope`]: row.scope,
    }),
  ],
  [
    'select id, url, disabled_at_ms, disabled_reason from webhooks where company_id = ?1',
    (row) => ({
      [`webhook ${row.id}`]: 'true',
      [`webhook ${row.id} url`]: row.url,
      [`webhook ${row.id} disabled`]: [null, 'operator'].includes(row.disabled_reason as string | null)
        ? yes(row.disabled_at_ms)
        : byItself,
    }),
  ],
  [
    'select id, name, is_enabled, removed_at_ms from sources where company_id = ?1',
    (row) => ({
      [`source ${row.id}`]: yes(row.removed_at_ms === null),
      [`source ${row.id} name`]: row.name,
      [`source ${row.id} enabled`]: yes(row.is_enabled),
    }),
  ],
  [
    `select c.id, d.max_live, d.removed_at_ms from dialers as d join campaigns as c on c.number = d.campaign_number
      where c.company_id = ?1`,
    (row) => ({
      [`campaign ${row.id} dialer`]: yes(row.removed_at_ms === null),
      [`campaign ${row.id} dialer maxLive`]: String(row.max_live),
    }),
  ],
  [
    `select c.id, g.later_minutes, g.when_silent, g.suppress from gates as g
      join campaigns as c on c.number = g.campaign_number where c.company_id = ?1`,
    (row) => ({
      [`campaign ${row.id} gate`]: 'true',
      [`campaign ${row.id} gate laterMinutes`]: String(row.later_minutes),
      [`campaign ${row.id} gate whenSilent`]: row.when_silent,
      [`campaign ${row.id} gate suppress`]: row.suppress,
    }),
  ],
  [
    'select phone_number, purpose, given_at_ms, expires_at_ms from consents where company_id = ?1',
    (row) => ({
      [`consent ${row.phone_number} ${row.purpose} ${row.given_at_ms} ${row.expires_at_ms}`]: 'true',
    }),
  ],
  [
    `select l.seq, l.created_at_ms as "createdAtMs", l.token, l.priority, l.scheduled_for, l.lane, l.metadata
      from leads as l join campaigns as c on c.number = l.campaign_number
      where c.company_id = ?1 and l.erased_at_ms is null`,
    (row) => ({
      [`lead ${leadIdOf(row)} priority`]: String(row.priority),
      [`lead ${leadIdOf(row)} scheduledFor`]: timeOf(row.scheduled_for),
      [`lead ${leadIdOf(row)} timeZone`]: row.lane,
      [`lead ${leadIdOf(row)} metadata`]: String(row.metadata),
    }),
  ],
]

export const keptIn = (sqlite: Sqlite, companyId: string): Kept =>
  new Map(
    reads.flatMap(([text, values]) =>
      sqlite.rows(text, companyId).flatMap((row) => Object.entries(values(row))),
    ),
  )
