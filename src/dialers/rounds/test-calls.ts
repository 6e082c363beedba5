// Starts and follows the test calls of a dialer as any call is: but they are no lead's, nothing of them is in the database, and
// they say nothing of the dialer's health.
import { type DialerCall, startingCall } from '../dialer-call.ts'
import { judgeTestedAgain } from '../store/test-call.ts'
import type { Tested, TestResult } from '../test-memory.ts'
import { reportOf, returnUndialled } from './call-steps.ts'
import { isForgotten, isReportDue } from './follow-call.ts'
import { askTasks, hangUpTasks } from './follow-calls.ts'
import { type Budget, inTurns, maxSecondsOf, type Run } from './round.ts'
import { sendStart } from './start-calls.ts'

/** A start, or a hang-up that asks first and an asking, after which a call that is lost is hung up. */
const [requestsPerHangUp, requestsPerAsk] = [2, 3]
/** One that could not be started by then rings nobody: who asked for it waits no longer. */
const startWithinMs = 120_000

/** Beside the round. */
export async function followTests(ofCampaign: Run, budget: Budget): Promise<void> {
  const { tests } = ofCampaign
  const { memory, waiting } = tests
  const run = { ...ofCampaign, memory }
  const { now, dialer } = run
  tests.forgetOld(now())
  if (tests.running.length === 0) return
  memory.meetSettings(dialer)
  budget.spend(requestsPerHangUp + requestsPerAsk)
  const isWanted = ({ startedAtMs }: { readonly startedAtMs: number }) =>
    !dialer.isRemoved && now() < startedAtMs + startWithinMs
  const wanted = tests.running.filter(isWanted).flatMap(({ testId }) => waiting.get(testId) ?? [])
  waiting.clear()
  // Before the time of the round begins, which is the start's.
  const starts: (() => Promise<void>)[] = []
  for (const tested of wanted) {
    const reason = await whyNot(run, tested.phoneNumber)
    if (reason === null) starts.push(() => start(run, tested))
    else tests.settle(tested.testId, { state: 'refused', reason }, now())
  }
  await inTurns([...starts, ...hangUpTasks(run, 1), ...askTasks(run, requestsPerAsk)]).catch(() => {})
  returnUndialled(memory, now())
  for (const { testId, state } of tests.running) {
    const call = memory.call(testId)
    const result = call === null ? { state: 'unknown' as const } : resultOf(run, call)
    if (result.state !== state) tests.settle(testId, result, now())
    if (result.state !== 'ringing_or_live') memory.forgetCall(testId)
  }
}

async function start(run: Run, { testId, phoneNumber, metadata }: Tested): Promise<void> {
  const { memory, dialer, now } = run
  const timeZone = dialer.timeZone ?? 'UTC'
  const claimed = { callId: testId, leaseExpiresAtMs: Number.MAX_SAFE_INTEGER, timeZone }
  const settingsId = memory.keepSettings(dialer)
  const begun = startingCall(claimed, settingsId, dialer.version, memory.state.health, now())
  const call = { ...begun, isNoted: true }
  memory.setCall(call)
  const lead = { leadId: testId, phoneNumber, externalId: null, attempt: 1, metadata }
  await sendStart(run, call, lead, 'test')
}

/** Null: it may be called. Otherwise as the request for a test call would have been refused by now. */
async function whyNot({ db, campaign, hashes, now }: Run, phoneNumber: string): Promise<string | null> {
  const judging = judgeTestedAgain(db, campaign, phoneNumber, hashes, now())
  const kind = await judging.catch(() => 'unknown' as const)
  if (kind === 'may_be_called') return null
  if (kind === 'test_number_suppressed') return 'number_suppressed'
  return kind === 'number_in_call' ? kind : 'service_unavailable'
}

function resultOf(run: Run, call: DialerCall): Partial<TestResult> & Pick<TestResult, 'state'> {
  const { memory, now } = run
  if (call.state === 'returning') return { state: 'refused', reason: call.refusedBecause }
  if (call.state !== 'following' || isForgotten(call, maxSecondsOf(run, call), now()))
    return { state: 'unknown' }
  if (!isReportDue(call, now())) return { state: 'ringing_or_live' }
  if (call.end?.isUnknown) return { state: 'unknown', seconds: call.end.durationSeconds }
  const { outcome, callbackAtMs, durationSeconds } = reportOf(memory, call)
  const said = memory.details.get(call.callId)?.saidOutcome
  return {
    state: 'ended',
    outcome,
    reason: call.end?.reason ?? null,
    seconds: durationSeconds,
    saidOutcome: typeof said === 'string' ? said : null,
    callbackAtMs,
  }
}
