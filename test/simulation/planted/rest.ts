// Planted in what is said of a lead that waits, and in what the service does while nobody asks for anything.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of the source.
import type { PlantedFault } from './fault.ts'

export const rest: readonly PlantedFault[] = [
  {
    file: 'src/queue/calling/store/blockers/lead-facts.ts',
    find: "...(isOpen ? [] : [{ code: 'outside_hours'",
    replace: "...(isOpen || ofLead.length > 0 ? [] : [{ code: 'outside_hours'",
    story: 'The hours are no reason for a lead that waits for something else.',
  },
  {
    file: 'src/queue/calling/store/sql/number-limits.ts',
    find: '${settings}.min_gap_minutes is not null, ${claimedAtMs} + ${settings}.min_gap_minutes * 60000, 0)',
    replace:
      '${settings}.min_gap_minutes is not null, ${claimedAtMs} + ${settings}.min_gap_minutes * 90000, 0)',
    story: 'The gap between two calls is longer than it should be.',
  },
  {
    file: 'src/queue/calling/store/sql/number-limits.ts',
    find: 'iif(${n} = ${settings}.per_24_hours, ${claimedAtMs}',
    replace: 'iif(${nth} = 1, ${claimedAtMs}',
    story: 'A phone waits for a day after each call, whatever its campaign allows.',
  },
  {
    file: 'src/queue/calling/store/blockers/lead-rules.ts',
    find: 'or ${dueAtMs(lead)} is not null and ${isUsedUp(',
    replace: 'or ${dueAtMs(lead)} is not null and not ${isUsedUp(',
    story: 'A lead that has attempts left is explained as finished.',
  },
  {
    file: 'src/queue/calling/store/sql/lead-after-call.ts',
    find: 'coalesce(${laterMs}, ${endedAtMs} + ${minutes} * 60000))`,',
    replace: 'coalesce(${laterMs}, ${endedAtMs} + ${minutes} * 61000))`,',
    story: 'The wait after a call is longer than the campaign says.',
  },
  {
    file: 'src/control/companies/store/next-work.ts',
    find: 'whenAny(sql`select 1 from ${consents}`, hour),',
    replace: 'whenAny(sql`select 1 from ${consents}`, minute),',
    story: 'The store of a company wakes each minute because it has a consent.',
  },
  {
    file: 'src/channels/dialers/dialer.ts',
    find: 'if (isNow || nextMs !== null) await this.#wakeAt(isNow ? Date.now() : (nextMs ?? 0))',
    replace: 'await this.#wakeAt(isNow ? Date.now() : Math.min(nextMs ?? 9e15, Date.now() + 20_000))',
    story: 'A dialer without calls wakes every twenty seconds.',
  },
  {
    file: 'src/queue/calling/store/settling/settle-all.ts',
    find: 'const claimKeptMs = 24 * 3_600_000',
    replace: 'const claimKeptMs = 3 * 3_600_000',
    story: 'What a claim has picked is forgotten after three hours, when it may still be repeated.',
  },
  {
    file: 'src/queue/calling/store/blockers/preview.ts',
    find: "\n  placesIn('leads_held', sql`l.held_due_at_ms is not null`, sql`l.seq`),",
    replace: '',
    story: 'The preview leaves out the leads that are held.',
  },
  {
    file: 'src/queue/campaigns/store/configure.ts',
    find:
      'iif(consent_purpose is excluded.consent_purpose\n' +
      '  and consent_max_age_days is excluded.consent_max_age_days, returns_held_after, 0)`',
    replace: 'iif(consent_purpose is excluded.consent_purpose, returns_held_after, 0)`',
    story: 'Leads that are held do not return when a consent may be older than before.',
  },
]
