// Starts and follows the test calls of a dialer as any call is: but they are no lead's, the database has nothing of
// them but the number while it rings, and they say nothing of the dialer's health.
import { type DialerCall, startingCall } from '../dialer-call.ts'
import { endTests, extendTests, judgeTestedAgain } from '../store/test-call.ts'
import type { Tested, TestResult } from '../test-memory.ts'
import { reportOf, returnUndialled } from './call-over.ts'
import { isForgotten, isReportDue, mayBeLive } from './follow-call.ts'
import { askTasks, hangUpTasks } from './follow-calls.ts'
import { type Budget, inTurns, maxSecondsOf, type Run } from './round.ts'
import { sendStart } from './start-calls.ts'

/** A start, or a hang-up that asks first and an asking, after which a call that is lost is hung up. */
const [requestsPerHangUp, requestsPerAsk] = [2, 3]
/** To keep its phone, and to free it. */
const statementsMost = 5
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
  memory.adoptSettings(dialer)
  budget.spend(requestsPerHangUp + requestsPerAsk + statementsMost)
  const isWanted = ({ startedAtMs }: { readonly startedAtMs: number }) =>
    !dialer.isRemoved && now() < startedAtMs + startWithinMs
  const wanted = tests.running.filter(isWanted).flatMap(({ testId }) => waiting.get(testId) ?? [])
  waiting.clear()
  // Before the time of the round begins, which is the start's.
  const starts: (() => Promise<void>)[] = []
  for (const tested of wanted) {
    const reason = await whyNot(run, tested)
    if (reason === null) starts.push(() => start(run, tested))
    else tests.settle(tested.testId, { state: 'refused', reason }, now())
  }
  await keepPhones(run).catch(() => {})
  await inTurns([...starts, ...hangUpTasks(run, 1), ...askTasks(run, requestsPerAsk)]).catch(() => {})
  returnUndialled(memory, now())
  const free: string[] = []
  for (const { testId, state } of tests.running) {
    const call = memory.call(testId)
    const result = call === null ? { state: 'unknown' as const } : resultOf(run, call)
    if (result.state !== state) tests.settle(testId, result, now())
    if (result.state !== 'ringing_or_live') memory.forgetCall(testId)
    // The phone of one of which nobody knows may still ring: it is free a while later.
    if (result.state === 'ended' || result.state === 'refused') free.push(testId)
  }
  if (free.length > 0) await endTests(run.db, run.campaign, free, now())
}

/** Nobody else rings them while they are live; who has said no meanwhile is hung up. */
async function keepPhones({ db, campaign, memory, now }: Run): Promise<void> {
  const live = memory.calls.filter(mayBeLive)
  if (live.length === 0) return
  const testIds = live.map(({ callId }) => callId)
  for (const callId of await extendTests(db, campaign, testIds, now()))
    if (memory.call(callId)?.mustHangUp === false) memory.changeCall(callId, { mustHangUp: true })
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
async function whyNot({ db, campaign, hashes, now }: Run, tested: Tested): Promise<string | null> {
  const judging = judgeTestedAgain(db, campaign, tested, hashes, now())
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
