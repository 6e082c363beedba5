// Planted in what decides who is called when, and what becomes of a call.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of the source.
import type { PlantedFault } from './fault.ts'

export const calling: readonly PlantedFault[] = [
  {
    file: 'src/queue/calling/store/sql/number-limits.ts',
    find: '= ${settings}.per_24_hours, ${claimedAtMs} + ${dayMs}',
    replace: '= ${settings}.per_24_hours + 1, ${claimedAtMs} + ${dayMs}',
    story: 'A phone is called once more in a day than it may be.',
  },
  {
    file: 'src/queue/calling/store/sql/number-limits.ts',
    find: '${claimedAtMs} + ${weekMs}, 0)',
    replace: '${claimedAtMs} + ${dayMs}, 0)',
    story: 'The limit of a week lasts a day.',
  },
  {
    file: 'src/queue/calling/store/sql/number-limits.ts',
    find: '${settings}.min_gap_minutes * 60000',
    replace: '${settings}.min_gap_minutes * 6000',
    story: 'The gap between two calls is a tenth of what it should be.',
  },
  {
    file: 'src/queue/calling/store/sql/number-limits.ts',
    find: "and (k.outcome is not 'released' or k.inbound is not null)`,",
    replace: "and k.outcome in ('answered', 'unknown')`,",
    story: 'Calls that nobody took do not count towards the limits of a phone.',
  },
  {
    file: 'src/queue/calling/store/sql/number-limits.ts',
    find: 'coalesce(kept.is_inbound, 0) from ${remembered}',
    replace: 'coalesce(kept.is_inbound, 0) from ${remembered} and 0',
    story: 'The calls of an erased lead do not count towards the limits of its phone.',
  },
  {
    file: 'src/queue/calling/store/sql/number-limits.ts',
    find: 'and k.outcome is null`,\n    ),',
    replace: "and k.outcome = 'unknown'`,\n    ),",
    story: 'A phone that is in a call is called by another campaign.',
    isOfTest: true,
  },
  {
    file: 'src/base/ledger/suppression/spellings-sql.ts',
    find: 'columns.map(of)',
    replace: 'columns.slice(0, 1).map(of)',
    story: 'Limits know a phone by one spelling of its number alone.',
  },
  {
    file: 'src/queue/calling/store/sql/claim-steps.ts',
    find: 'iif(found.has_twins, ${withoutTwins(sql`found.picks`)}, found.picks)',
    replace: 'found.picks',
    story: 'One claim leases a phone twice, by two spellings.',
  },
  {
    file: 'src/queue/calling/store/sql/claim-steps.ts',
    find: 'where s.paused = 0\n      and s.time_zone is not null',
    replace: 'where s.time_zone is not null',
    story: 'A campaign that is paused calls on.',
  },
  {
    file: 'src/queue/calling/store/claim-answer.ts',
    find: 'requestKey === null ? ownCalls : repeatedCalls,',
    replace: 'ownCalls,',
    story: 'A claim that is repeated with its key is told none of its calls.',
  },
  {
    file: 'src/queue/calling/store/claim-answer.ts',
    find: "    and ${leads.leaseExpiresAtMs} > ${param('nowMs')}\n  cross join ${calls} as k on",
    replace: '  cross join ${calls} as k on',
    story: 'A claim that is repeated after the lease is told its calls.',
  },
  {
    file: 'src/queue/leads/store/queue.ts',
    find: 'dueAtMs: sql`max(${scheduledAtMs}, ${lead.createdAtMs})`,',
    replace: 'dueAtMs: sql`${lead.createdAtMs}`,',
    story: 'A lead is called before the time for which it is scheduled.',
  },
  {
    file: 'src/queue/calling/store/sql/claim-steps.ts',
    find: '${leads.attempts} + (${isLeased}) as attempts',
    replace: '${leads.attempts} as attempts',
    story: 'A claim counts no attempt.',
    isOfTest: true,
  },
  {
    file: 'src/queue/calling/store/sql/claim-steps.ts',
    find: '- (select picking.max_calls from picking))',
    replace: '- (select picking.max_calls + 1 from picking))',
    story: 'A claim is given one call more than it asks for.',
  },
  {
    file: 'src/queue/calling/store/sql/capacity.ts',
    find: 'sql`max(0, ${cap} - (select',
    replace: 'sql`max(0, ${cap} + 1 - (select',
    story: 'A campaign has one live call more than its cap.',
  },
  {
    file: 'src/queue/campaigns/store/pace.ts',
    find: '+ ${calls} * ${gapUs}`',
    replace: '+ ${gapUs}`',
    story: 'Calls that one claim begins count as one for the pace.',
    unfound:
      'A pace lets one claim begin two calls from 90 a minute on, and a world has too few phones to reach that.',
  },
  {
    file: 'src/queue/calling/store/sql/queue-order.ts',
    find: '      and campaign.now_ms < ${begun(sql`closes_at_ms`)})',
    replace: '      and campaign.now_ms < ${begun(sql`closes_at_ms`)} + 3600000)',
    story: 'Calling hours end an hour late.',
  },
  {
    file: 'src/queue/calling/store/sql/queue-order.ts',
    find: 'iif(is_for_appointments, -1, ${never}), null, opens_at_ms\n    from open_lanes',
    replace:
      'iif(is_for_appointments, -1, ${never}), null, opens_at_ms\n    from open_lanes order by lane limit 1',
    story: 'Of several time zones, one alone is called.',
  },
  {
    file: 'src/queue/calling/store/settling/settle.ts',
    find: 'sql`outcome = found.outcome, inbound',
    replace: "sql`outcome = 'failed', inbound",
    story: 'A call whose lease runs out has failed, and no report corrects that.',
  },
  {
    file: 'src/queue/calling/store/settling/settle.ts',
    find: "<= ${param('nowMs')} - ${sql.raw(`${settleGraceMs}`)}`",
    replace: "<= ${param('nowMs')} + 25000`",
    story: 'A lease ends before its time.',
  },
  {
    file: 'src/queue/calling/store/extend.ts',
    find: 'cast(max(${leads.leaseExpiresAtMs},',
    replace: 'cast(max(0,',
    story: 'Extending a lease makes it shorter.',
  },
  {
    file: 'src/queue/calling/store/extend.ts',
    find: "      when ${isLeadSuppressed} then 'suppressed'\n",
    replace: '',
    story: 'Who extends a lease is not told that its phone has said no.',
  },
  {
    file: 'src/queue/calling/store/extend.ts',
    find: "      when ${isConsentLost} then 'consent_withdrawn'\n",
    replace: '',
    story: 'Who extends a lease is not told that its consent is withdrawn.',
  },
  {
    file: 'src/queue/calling/store/release.ts',
    find: "${isUnreported} and k.outcome is not 'released' and",
    replace: "k.outcome is not 'released' and",
    story: 'A call that was reported is released, and counts no longer.',
  },
  {
    file: 'src/queue/calling/store/sql/lead-after-call.ts',
    find: "iif(${isInbound}, ${before('counts')}, 1)",
    replace: '0',
    story: 'A call that nobody dialled counts as an attempt.',
  },
  {
    file: 'src/queue/calling/store/sql/lead-after-call.ts',
    find: '${forgiven} >= s.max_attempts)',
    replace: '${forgiven} > s.max_attempts)',
    story: 'A lead is called once more than its campaign allows.',
  },
  {
    file: 'src/queue/calling/store/sql/lead-after-call.ts',
    find: 'max(${callbackAtMs}, ${endedAtMs}),',
    replace: '${endedAtMs},',
    story: 'Who asks to be called back tomorrow is called at once.',
  },
  {
    file: 'src/queue/calling/store/sql/call-of-key.ts',
    find: "sql`(k.outcome is null or k.outcome = 'unknown'",
    replace: 'sql`(true',
    story: 'A second report of a call takes the place of the first.',
  },
  {
    file: 'src/queue/calling/store/sql/report-steps.ts',
    find: "setIfAccepted('ended_at_ms', sql`${param('nowMs')}`)",
    replace:
      "setIfAccepted('ended_at_ms', sql`${param('nowMs')}`), sql`outcome = coalesce(outcome, 'failed')`",
    story: 'Reports of several calls in one request change one another.',
  },
  {
    file: 'src/queue/calling/store/requeue.ts',
    find: "coalesce(${leads.dueAtMs}, ${laterMs}, ${param('nowMs')}) as due_at_ms",
    replace: "coalesce(${leads.dueAtMs}, ${param('nowMs')}) as due_at_ms",
    story: 'A requeue calls a lead before the time for which it is scheduled (fixed after 2.1).',
  },
  {
    file: 'src/queue/calling/store/requeue.ts',
    find: 'sql`${leads.leaseExpiresAtMs} is null and ${isFree}',
    replace: 'sql`${isFree}',
    story: 'A lead that is in a call is queued again, and its phone called twice at once.',
  },
  {
    file: 'src/queue/calling/store/requeue-many.ts',
    find: 'const isFree = sql`not ${isSuppressed(company, sql`${leads.phoneNumber}`, sql`granted.number`)}\n  and',
    replace: 'const isFree = sql`true and',
    story: 'A requeue of all leads queues those that have said no.',
  },
  {
    file: 'src/queue/leads/store/change.ts',
    find: "when ${scheduledAtMs} is not null then max(${scheduledAtMs}, ${param('nowMs')})",
    replace: "when ${scheduledAtMs} is not null then ${param('nowMs')}",
    story: 'A lead that was called before, and is scheduled for later, is called at once.',
  },
  {
    file: 'src/queue/leads/store/change.ts',
    find: 'then max(coalesce(${scheduledAtMs}, 0), ${leads.createdAtMs})',
    replace: 'then ${leads.createdAtMs}',
    story: 'A new lead that is scheduled for later is called at once.',
  },
  {
    file: 'src/queue/campaigns/calling-hours.ts',
    find: '  hours: isForAppointments ? appointmentHours : callingHours,\n  closedDates,\n})',
    replace:
      '  hours: isForAppointments ? appointmentHours : callingHours,\n  closedDates: isForAppointments ? [] : closedDates,\n})',
    story: 'Appointments are called on the closed dates of a campaign.',
  },
]
