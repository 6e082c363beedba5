// Planted in what works by itself: agents of the client, dialers, webhooks, moves and restores of companies.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of the source.
import type { PlantedFault } from './fault.ts'

export const machines: readonly PlantedFault[] = [
  {
    file: 'src/sdk/src/agent/agent-flights.ts',
    find: '    stopped.abort(new CallStopped(stop))\n',
    replace: '',
    story: 'An agent of the client goes on with a call that it is told to stop.',
  },
  {
    file: 'src/channels/dialers/rounds/start-calls.ts',
    find: 'if (mustStop || now() >= dialBeforeMs) {',
    replace: 'if (mustStop) {',
    story: 'A dialer rings after the end of the hours, or of the lease.',
    unfound: 'It has claimed the call two seconds before, and what takes longer is looked at again.',
  },
  {
    file: 'src/channels/dialers/rounds/start-calls.ts',
    find: 'isFresh(run.beganAtMs, nowMs) ? new Set() : await stoppedOf(run, calls)',
    replace: 'new Set<string>()',
    story: 'A dialer that took long rings a phone that has said no meanwhile.',
  },
  {
    file: 'src/channels/dialers/rounds/start-calls.ts',
    find: '  for (const call of calls) memory.setCall(startingCall(call, settingsId, version, health, nowMs))\n',
    replace:
      '  for (const call of calls) if (call.attempt > 1) memory.setCall(startingCall(call, settingsId, version, health, nowMs))\n',
    story: 'A dialer forgets the calls that it claims.',
  },
  {
    file: 'src/channels/dialers/rounds/follow-calls.ts',
    find: "      memory.setCall({ ...call, state: 'doubtful' })\n",
    replace: "      memory.setCall({ ...call, state: 'returning' })\n",
    story: 'A dialer that died gives back a call that may have rung.',
  },
  {
    file: 'src/channels/dialers/rounds/call-over.ts',
    find: "doNotCall: outcome === 'do_not_call',\n    durationSeconds: isOnlyNo",
    replace:
      "doNotCall: false,\n    outcome: outcome === 'do_not_call' ? 'answered' : outcome,\n    durationSeconds: isOnlyNo",
    story: 'A dialer reports a no as an answer.',
  },
  {
    file: 'src/channels/dialers/rounds/call-over.ts',
    find: "if (end.outcome === 'do_not_call') memory.setCall(forbidden(call, end))\n  else if",
    replace: 'if',
    story: 'A no that a provider tells after the end is lost.',
  },
  {
    file: 'src/channels/dialers/rounds/call-over.ts',
    find: 'const kept = before !== null && isForbidden ? { ...before, durationSeconds: end.durationSeconds } : end',
    replace: 'const kept = end',
    story: 'A no is forgotten when the provider tells another end.',
    unfound: 'No provider of a world takes back what it has told.',
  },
  {
    file: 'src/channels/dialers/rounds/follow-calls.ts',
    find: "const forbidding = ['erased', 'suppressed', 'consent_withdrawn']",
    replace: "const forbidding = ['erased', 'consent_withdrawn']",
    story: 'A dialer talks on with a phone that has said no.',
  },
  {
    file: 'src/channels/dialers/rounds/follow-calls.ts',
    find: '    await reportTogether(run, calls)\n  } catch',
    replace: '    void reportTogether(run, calls)\n  } catch',
    story: 'A dialer does not wait for what its report comes to.',
  },
  {
    file: 'src/channels/webhooks/sender-steps.ts',
    find: 'if (subject !== null && memory.mustWait(place, subject)) {',
    replace: 'if (subject !== null && memory.mustWait(place, subject) && false) {',
    story: 'An event is delivered before an earlier one of its lead.',
  },
  {
    file: 'src/channels/webhooks/store/pending-events.ts',
    find: 'w.passed_number + 1)',
    replace: 'w.passed_number + 2)',
    story: 'The first event of a webhook is never sent.',
  },
  {
    file: 'src/channels/webhooks/sender-steps.ts',
    find: 'cursor.part < lastPart ? cursor.number : cursor.number + 1',
    replace: 'cursor.number + 1',
    story: 'The second event of an entry of the log is not sent.',
  },
  {
    file: 'src/channels/webhooks/signature.ts',
    find: "createHmac('sha256', signingKey(root, webhookId, version))",
    replace: "createHmac('sha256', signingKey(root, webhookId, version + 1))",
    story: 'Events are signed with a secret that nobody has.',
  },
  {
    file: 'src/channels/webhooks/store/pending-events.ts',
    find: 'cross join ${events} as e on e.company_id = w.company_id\n        and',
    replace: 'cross join ${events} as e on',
    story: 'A webhook is sent events of another company.',
  },
  {
    file: 'src/base/ledger/log/append.ts',
    find: '.campaign_number = ${entry}.campaign_number, ${webhook}.campaign_number is null)',
    replace: '.campaign_number = ${entry}.campaign_number, true)',
    story: 'A webhook of one campaign is sent what concerns the company.',
  },
  {
    file: 'src/base/ledger/log/append.ts',
    find: 'coalesce(${webhook}.campaign_number = ${entry}.campaign_number, ${webhook}.campaign_number is null)',
    replace: 'true',
    story: 'A webhook of one campaign is sent what happens in another.',
  },
  {
    file: 'src/control/companies/move/compare-rows.ts',
    find: 'const isLike = missing.length === 0 && gone.length === 0',
    replace: 'const isLike = true',
    story: 'What is written while a company moves is lost.',
  },
  {
    file: 'src/control/companies/store/move-steps.ts',
    find: "  ...freezeCompany(whileIn('requested')),\n  setPhase",
    replace: '  setPhase',
    story: 'A company takes writes while it is compared with its copy, and loses them.',
  },
  {
    file: 'src/control/companies/store/moved-rows.ts',
    find: "where (${names(primaryKey, 'gone.')}) in (select ${names(primaryKey, 't.')} ${range})",
    replace: "where (${names(key, 'gone.')}) in (select ${names(key, 't.')} ${range})",
    story: 'A move deletes rows of other companies whose keys are equal (fixed in 2.1).',
  },
  {
    file: 'src/control/companies/move/run-move.ts',
    find: '      if (await emptyRows(from, companyId, endsAtMs)) await endMove(env.DB, companyId, Date.now())',
    replace:
      '      if (await emptyRows(to, companyId, endsAtMs)) await endMove(env.DB, companyId, Date.now())',
    story: 'A move deletes what it has copied.',
  },
  {
    file: 'src/control/companies/store/kept-rows.ts',
    find: "    table: suppressions,\n    isKept: isSince('created_at_ms'),",
    replace: '    table: suppressions,\n    isKept: sql`0`,',
    story: 'A restore takes back a no.',
  },
  {
    file: 'src/control/companies/store/kept-rows.ts',
    find: '  clearedLeads,\n  returnedCalls,\n]',
    replace: '  clearedLeads,\n]',
    story: 'A no of a lost call is forgotten when the restore is undone (fixed after 2.1).',
  },
  {
    file: 'src/control/companies/store/kept-rows.ts',
    find: "${isSince('revoked_at_ms')} and not ${isOfLostDialer(sql`t`)} or t.expires_at_ms is not null",
    replace: '0',
    story: 'A restore gives a key back that was revoked.',
  },
  {
    file: 'src/control/companies/store/kept-rows.ts',
    find: "    isKept: isSince('changed_at_ms'),\n    write: [closeSources],",
    replace: '    isKept: sql`0`,\n    write: [closeSources],',
    story: 'A restore opens a source that was closed.',
  },
  {
    file: 'src/control/companies/store/kept-rows.ts',
    find: '    table: numberLog,\n    isKept: isSinceOrHashed,',
    replace: '    table: numberLog,\n    isKept: sql`0`,',
    story: 'A restore loses the withdrawal of a consent (fixed in 2.1).',
  },
  {
    file: 'src/control/companies/store/kept-calls.ts',
    find: "${isSince('claimed_at_ms')} or ${isSince('ended_at_ms')} or t.outcome is null,",
    replace: '0,',
    story: 'A restore forgets the calls since, and their limits.',
  },
  {
    file: 'src/control/companies/store/kept-rows.ts',
    find: "    isKept: sql`(${isSince('at_ms')} and t.type = 'webhook.changed' and t.data ->> 'change' = 'removed')`,",
    replace: '    isKept: sql`0`,',
    story: 'A restore brings a webhook back that was removed (fixed after 2.1).',
  },
  {
    file: 'src/control/companies/store/kept-erasures.ts',
    find: "  isKept: isSince('erased_at_ms'),\n  write: [...eraseAgain(0), ...eraseAgain(1)],",
    replace: '  isKept: sql`0`,\n  write: [...eraseAgain(0), ...eraseAgain(1)],',
    story: 'A restore brings back who was erased (fixed in 2.1).',
  },
  {
    file: 'src/queue/calling/bell/ring-campaigns.ts',
    find: 'let count: number | null = ringCount',
    replace: 'let count: number | null = null as number | null',
    story: 'Nobody who waits is woken when a lead arrives.',
  },
  {
    file: 'src/queue/calling/bell/wait.ts',
    find: ": { kind: 'ring', atMs: timerOf(momentMs, Date.now()), momentMs, count: ringCount }",
    replace: ': null',
    story: 'Who waits is not woken at the time of an appointment.',
  },
  {
    file: 'src/channels/dialers/rounds/take-round.ts',
    find: 'if (!wantsStart) return waiting === null ? Number.POSITIVE_INFINITY : timerOf(waiting.nextMs, waiting.atMs)',
    replace: 'if (!wantsStart) return Number.POSITIVE_INFINITY',
    story: 'A dialer that has nothing to do does not wake for the next lead.',
    unfound: 'The cron wakes it within a minute.',
  },
  {
    file: 'src/channels/dialers/rounds/round.ts',
    find:
      'export const providerOfCall = ({ providerOf, memory }: Run, call: DialerCall): Provider =>\n' +
      '  providerOf(memory.settingsOf(call))',
    replace:
      'export const providerOfCall = ({ providerOf, dialer }: Run, _call: DialerCall): Provider =>\n  providerOf(dialer)',
    story: 'A dialer asks its present provider for a call that it began at another.',
  },
]
