// The tables of campaigns: their settings, and the hours in which they may call. All but the settings are without
// rowid (see the migration), so that a row costs one row written.
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { campaignColumn, campaigns } from '../../../base/access/store/tables.ts'

/** Effective values, defaults included. No row: the campaign was never configured, and gives no calls (D45). */
export const callingSettings = sqliteTable(
  'calling_settings',
  {
    campaignNumber: integer('campaign_number')
      .primaryKey()
      .references(() => campaigns.number),
    paused: integer('paused').notNull(),
    timeZone: text('time_zone'),
    /** JSON in the form of the API. */
    callingHours: text('calling_hours').notNull(),
    appointmentHours: text('appointment_hours').notNull(),
    closedDates: text('closed_dates').notNull(),
    maxAttempts: integer('max_attempts').notNull(),
    leaseSeconds: integer('lease_seconds').notNull(),
    /** Limits of one phone number, over all calls of the company; null: none. */
    minGapMinutes: integer('min_gap_minutes'),
    per24Hours: integer('per_24_hours'),
    per7Days: integer('per_7_days'),
    /**
     * JSON: every outcome that existed when it was stored, with class and minutes. A later one has its defaults.
     */
    outcomes: text('outcomes').notNull(),
    /** Rises with each change: openings are written only if the settings have not changed since they were read. */
    version: integer('version').notNull(),
    /** A final lead is erased after so many days; null: never. */
    retentionDays: integer('retention_days'),
    /** The cursor of the search for leads to erase, among the campaign's final leads. */
    retentionSeq: integer('retention_seq').notNull().default(0),
    /** 1: numbers of erased leads that ended refused or dead stay suppressed in the campaign. */
    retentionSuppresses: integer('retention_suppresses').notNull().default(1),
    /** Most leases at once, and most calls begun in a minute; null: no limit. */
    maxLiveCalls: integer('max_live_calls'),
    callsPerMinute: integer('calls_per_minute'),
    /** State of the pace, in microseconds; null: the pace has not begun. */
    pacedUntilUs: integer('paced_until_us'),
    /** Since when leads may be called: set by resuming, and by each change of zone or hours. */
    callableSinceMs: integer('callable_since_ms').notNull().default(0),
    /** Until when claims may be waiting for a lead. */
    waitedForUntilMs: integer('waited_for_until_ms').notNull().default(0),
    /** 1: an enabled dialer calls its leads, and is notified when a lead may become callable. */
    hasDialer: integer('has_dialer').notNull().default(0),
    /**
     * The version of the campaign's gate, without whose yes nobody is called; below 0: the last one of a gate that was
     * removed. Null: it never had one.
     */
    gateVersion: integer('gate_version'),
    /** How many answers that gate has given, and how many of them were a no. */
    gateChecked: integer('gate_checked').notNull().default(0),
    gateRefused: integer('gate_refused').notNull().default(0),
    /** Nobody is called without a consent of this purpose; null: none is required. */
    consentPurpose: text('consent_purpose'),
    /** A consent that is older does not count; null: of any age. */
    consentMaxAgeDays: integer('consent_max_age_days'),
    /** Held leads behind this place return to the queue, since the requirement has changed; null: nothing returns. */
    returnsHeldAfter: integer('returns_held_after'),
  },
  (t) => [
    index('calling_settings_returning').on(t.campaignNumber).where(sql`${t.returnsHeldAfter} is not null`),
  ],
)

/** Until when the openings of a lane are known. A lane is a time zone of leads; '' is the campaign's own. */
export const callingLanes = sqliteTable(
  'calling_lanes',
  {
    campaignNumber: campaignColumn(),
    lane: text('lane').notNull(),
    coveredUntilMs: integer('covered_until_ms').notNull(),
  },
  (t) => [primaryKey({ columns: [t.campaignNumber, t.lane] })],
)

/** When a lane may be called: intervals that neither overlap nor touch. */
export const openings = sqliteTable(
  'openings',
  {
    campaignNumber: integer('campaign_number').notNull(),
    lane: text('lane').notNull(),
    /** 1: for appointments. 0: for all other leads. */
    isForAppointments: integer('is_for_appointments').notNull(),
    opensAtMs: integer('opens_at_ms').notNull(),
    closesAtMs: integer('closes_at_ms').notNull(),
  },
  (t) => [primaryKey({ columns: [t.campaignNumber, t.lane, t.isForAppointments, t.opensAtMs] })],
)
