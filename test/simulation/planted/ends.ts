// Planted in what becomes of a lead after its calls, and in what is counted and explained of it.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of the source.
import type { PlantedFault } from './fault.ts'

export const ends: readonly PlantedFault[] = [
  {
    file: 'src/queue/calling/store/sql/lead-after-call.ts',
    find: 'coalesce(${laterMs}, ${endedAtMs} + ${minutes} * 60000))`,',
    replace: 'coalesce(${laterMs}, ${endedAtMs} + ${minutes} * 6000))`,',
    story: 'A lead is called again after a tenth of the time that its outcome says.',
  },
  {
    file: 'src/queue/calling/store/sql/lead-after-call.ts',
    find: "when ${outcomeClass(outcome, byDefault)} = 'done' or ${hasReached} then 'concluded'",
    replace: "when ${outcomeClass(outcome, byDefault)} = 'done' then 'concluded'",
    story: 'A person who was reached by an earlier call is called again.',
  },
  {
    file: 'src/queue/calling/store/requeue.ts',
    find: '${leads.attempts} as attempts_forgiven, null as gate_version',
    replace: '0 as attempts_forgiven, null as gate_version',
    story: 'A requeue gives no new attempts.',
  },
  {
    file: 'src/queue/leads/store/change.ts',
    find: '  when ${leads.queueRank} = ${top} and not ${isCancelled} then ${top}',
    replace: '  when false then ${top}',
    story: 'A changed priority makes an appointment a lead as any other.',
  },
  {
    file: 'src/queue/calling/store/sql/queue-order.ts',
    find: '        sql`l.queue_rank desc, ${due}, l.seq`,',
    replace: '        sql`l.queue_rank, ${due}, l.seq`,',
    story: 'Leads of the lowest priority are called first.',
  },
  {
    file: 'src/queue/calling/store/release.ts',
    find: "counter: sql`iif(freed.is_inbound, null, 'released')`,",
    replace: 'counter: sql`null`,',
    story: 'Statistics do not know that a call was given back.',
  },
  {
    file: 'src/queue/calling/store/sql/reported-leads.ts',
    find: '  n: sql`-1`,',
    replace: '  n: sql`0`,',
    story: 'A call that is reported late is counted twice.',
  },
  {
    file: 'src/queue/calling/store/sql/claim-steps.ts',
    find: 'max(candidate.due_at_ms, candidate.opens_at_ms, s.callable_since_ms), null)`',
    replace: 'max(candidate.due_at_ms, s.callable_since_ms), null)`',
    story: 'The night counts as time in which nobody picked a lead up.',
  },
  {
    file: 'src/control/statistics/store/count-grouped.ts',
    find: "${callsInRange} and k.outcome is not 'released' and k.inbound is null",
    replace: '${callsInRange} and k.inbound is null',
    story: 'Calls that nobody dialled are counted by agent and outcome.',
  },
  {
    file: 'src/queue/calling/store/blockers/lead-rules.ts',
    find: "number_week: { by: 'number', untilMs: () => numberLimits.weekUntilMs },",
    replace: "number_week: { by: 'number', untilMs: () => numberLimits.dayUntilMs },",
    story: 'Nobody is told that a phone has had all its calls of the week.',
  },
  {
    file: 'src/queue/calling/store/sql/queue-state.ts',
    find: "return at(isDue && readyAtMs > nowMs ? 'outside_hours' : 'waiting', readyAtMs)",
    replace: "return at('waiting', readyAtMs)",
    story: 'An agent is not told that hours are over.',
  },
  {
    file: 'src/channels/dialers/rounds/call-over.ts',
    find: 'durationSeconds: isOnlyNo ? null : end.durationSeconds,',
    replace: 'durationSeconds: isOnlyNo ? null : 1,',
    story: 'A dialer tells that each call took a second.',
  },
  {
    file: 'src/channels/dialers/template/read-status.ts',
    find: "if (said.outcome !== null) return { outcome: said.outcome, by: 'word' }",
    replace: "if (said.outcome !== null && hasTime) return { outcome: said.outcome, by: 'word' }",
    story: 'What a person has said to an assistant is not what the call is reported as.',
  },
  {
    file: 'src/queue/calling/store/sql/reported-leads.ts',
    find: 'having sum(called.is_latest) or not (called.is_leased or ${isFinalStatus(sql`called.status_before`)})`',
    replace: 'having sum(called.is_latest) or not ${isFinalStatus(sql`called.status_before`)}`',
    story: 'A late report ends a lead that is in another call.',
  },
]
