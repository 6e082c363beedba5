// Planted in what is asked before a call, and in calls that come in.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of the source.
import type { PlantedFault } from './fault.ts'

export const gates: readonly PlantedFault[] = [
  {
    file: 'src/queue/calling/store/blockers/lead-rules.ts',
    find: "endless: { when: ({ lead, nowMs }) => lacksYes(lead, sql`s`, nowMs), decision: 'asked' },",
    replace: "endless: { when: () => sql`0`, decision: 'asked' },",
    story: 'A claim leases a lead without a fresh yes of its gate.',
  },
  {
    file: 'src/channels/dialers/gate/gate.ts',
    find: "for (const name of ['no', 'later', 'yes'] as const) {",
    replace: "for (const name of ['yes', 'later', 'no'] as const) {",
    story: 'A gate that says yes and no has said yes.',
  },
  {
    file: 'src/channels/dialers/gate/take-gate-round.ts',
    find: 'atMs: nowMs + gate.keepHours * limits.hourMs }',
    replace: 'atMs: nowMs + 24 * gate.keepHours * limits.hourMs }',
    story: 'The yes of a gate is kept for a day in place of an hour.',
  },
  {
    file: 'src/queue/suppression/store/lift-of-gates.ts',
    find: ' and ${isOfGate(sql`own`)}\n',
    replace: '\n',
    story: 'Who undoes what a gate has done lifts what people have said.',
  },
  {
    file: 'src/queue/calling/store/inbound/inbound-steps.ts',
    find: "where not exists (select 1 from ${liveCalls('agent')} where ${isLive})\n",
    replace: 'where 1\n',
    story: 'A call that comes in takes a phone that is on a call.',
  },
  {
    file: 'src/channels/dialers/rounds/call-starting.ts',
    find: "if (call.state !== 'starting' || call.leadId !== null) return false",
    replace: "if (call.state !== 'starting') return false",
    story: 'An agent takes the call of a phone that a dialer rings at that moment.',
  },
  {
    file: 'src/queue/calling/store/inbound/answer-caller.ts',
    find: 'phones: JSON.stringify(phoneNumber === null ? [] : spellingsOf(phoneNumber)),',
    replace: 'phones: JSON.stringify(phoneNumber === null ? [] : [phoneNumber]),',
    story: 'Who rings is known by one spelling of the number.',
  },
  {
    file: 'src/queue/calling/store/inbound/inbound-steps.ts',
    find: "'counts', cast(${param('counts')} as integer)) as inbound",
    replace: "'counts', 1) as inbound",
    story: 'A call that comes in counts as an attempt, whatever the agent says.',
  },
  {
    file: 'src/queue/calling/store/inbound/inbound-steps.ts',
    find: 'or exists (select 1 from ${phones} where ${isSuppressed(sql`key.company_id`, sql`phone.value`, campaign)}))',
    replace: 'or 0)',
    story: 'The agent is not told that who rings must not be called.',
    isOfTest: true,
  },
  {
    file: 'src/queue/calling/store/sql/lead-after-call.ts',
    find: "outcomeUnreported = sql`iif(${isInbound}, 'released', 'unknown')`",
    replace: "outcomeUnreported = sql`'unknown'`",
    story: 'A call that came in and was not reported is unknown.',
  },
  {
    file: 'src/channels/dialers/store/run-gate.ts',
    find: 'and twin.gate_version = s.gate_version and twin.gate_until_ms > ${nowMs}',
    replace: 'and twin.gate_until_ms > ${nowMs}',
    story: 'A yes to the former question of a gate serves the other leads of its phone.',
  },
]
