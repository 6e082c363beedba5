// A round that starts calls: claims no more than can be started at once, and starts each of them once.
import { addUses } from '../../../base/access/store/key-hours.ts'
import { randomBase62 } from '../../../base/base62.ts'
import { readOutlook } from '../../../queue/calling/bell/store/outlook.ts'
import { beginClaim, type ClaimedCall } from '../../../queue/calling/store/claim.ts'
import { readStops } from '../../../queue/calling/store/dialled-calls.ts'
import { leadTokenChars } from '../../../queue/leads/lead.ts'
import { type DialerCall, startingCall } from '../dialer-call.ts'
import { mayCall, readDialerToRun } from '../store/run-dialer.ts'
import { type DialledLead, valuesOfCall } from '../template/placeholders.ts'
import { setAside } from './call-doubtful.ts'
import { afterStart, returnUnstarted } from './call-starting.ts'
import { noteExchange, noteFact, verdictOf } from './dialer-notes.ts'
import { isFresh, leaseSeconds } from './follow-call.ts'
import { askTasks } from './follow-calls.ts'
import { accessOf, type Budget, inTurns, type Run } from './round.ts'

const agent = 'dialer'
const minuteMs = 60_000
/** The use of the key, and the look at what comes next. */
const afterCost = 4

/** Calls that are live are asked for beside the starts. Throws DatabaseUnavailable. */
export async function startCalls(run: Run, room: number, budget: Budget): Promise<void> {
  const { db, memory, dialer, hashes, now } = run
  const access = { ...accessOf(run), campaignId: dialer.campaignId }
  const origin = { ...access, requestToken: randomBase62(leadTokenChars), requestKey: null, hashes }
  const wanted = { maxCalls: room, leaseSeconds, agent, isDialer: true } as const
  const first = await beginClaim(db, origin, wanted, { mayWait: false })
  const { result, nextMs } = first.mustTryAgain ? await first.tryAgain(access.nowMs) : first
  if (result.kind !== 'claimed') {
    memory.changeLater({ wantsStart: false, waiting: null })
    if (result.kind !== 'pepper_lost') noteFact(memory, { kind: 'key_revoked' }, now())
    return
  }
  const { calls } = result
  const nowMs = now()
  // Before anything is awaited: so a call that no memory has was never started.
  const settingsId = calls.length > 0 ? memory.keepSettings(dialer) : 0
  const { version, health } = memory.state
  for (const call of calls) memory.setCall(startingCall(call, settingsId, version, health, nowMs))
  const startsMs = memory.state.startsMs.filter((ms) => ms > nowMs - minuteMs)
  // An object that forgets that there was none looks again.
  memory[calls.length > 0 ? 'change' : 'changeLater']({
    wantsStart: calls.length > 0,
    waiting: calls.length > 0 ? null : { reason: result.reason ?? 'empty', nextMs, atMs: access.nowMs },
    startsMs: [...startsMs, ...calls.map(() => nowMs)],
  })
  if (calls.length === 0) return
  const stopped = isFresh(run.beganAtMs, nowMs) ? new Set() : await stoppedOf(run, calls)
  const starts = calls.map((call) => () => startCall(run, call, stopped.has(call.callId)))
  await inTurns([...starts, ...askTasks(run, budget.left() - starts.length - afterCost)])
  for (const { callId } of calls) giveUpLate(run, callId)
  if (budget.left() >= afterCost) await noteUse(run)
  if (calls.length === room) return
  const outlook = await readOutlook(db, run.campaign, now())
  if (!outlook.canLease)
    memory.changeLater({
      wantsStart: false,
      waiting: { reason: 'empty', nextMs: outlook.nextMs, atMs: now() },
    })
}

/** For the owners of keys to see. One that fails is lost. */
async function noteUse({ db, dialer, now }: Run): Promise<void> {
  const nowMs = now()
  const use = { keyId: dialer.keyId, code: '', requests: 1, lastUsedAtMs: nowMs }
  await addUses(db, [use], nowMs).catch(() => {})
}

async function startCall(run: Run, claimed: ClaimedCall, mustStop: boolean): Promise<void> {
  const { memory, now } = run
  const { callId, attempt, dialBeforeMs } = claimed
  const call = memory.call(callId)
  if (call === null || call.state !== 'starting') return
  if (run.stopped.has(callId)) {
    returnUnstarted(memory, call)
    return
  }
  if (mustStop || now() >= dialBeforeMs) {
    memory.setCall({ ...call, state: 'returning' })
    return
  }
  const { _id, ...lead } = JSON.parse(claimed.lead)
  const starting = { ...call, leadId: _id }
  memory.setCall(starting)
  await sendStart(run, starting, { ...lead, leadId: _id, attempt }, 'start')
}

/** The call is in the memory. */
export async function sendStart(
  run: Run,
  call: DialerCall,
  lead: DialledLead,
  step: 'start' | 'test',
): Promise<void> {
  const { memory, dialer, now, endUrl } = run
  const { callId, timeZone = null } = call
  try {
    const values = valuesOfCall(lead, { callId, endUrl: endUrl(callId) }, timeZone, now())
    const started = await run.providerOf(dialer).start(values, now())
    const { seen, show, verdict } = started
    noteExchange(memory, step, call, { seen, show, verdict: verdictOf(verdict) }, now())
    afterStart(memory, call, started, now())
  } catch (error) {
    setAside(memory, callId, error, now())
  }
}

/** A start that is not even answered by a time limit may have rung. */
function giveUpLate({ memory, now }: Run, callId: string): void {
  const call = memory.call(callId)
  if (call?.state !== 'starting') return
  const verdict = { kind: 'may_have_rung' } as const
  afterStart(memory, call, { verdict, seen: null, problem: null, endsAtMs: null }, now())
}

/** It took long: some of the leads may no longer be called; none, if the dialer was changed meanwhile. */
async function stoppedOf(run: Run, calls: readonly ClaimedCall[]): Promise<ReadonlySet<string>> {
  const callIds = calls.map(({ callId }) => callId)
  try {
    const { version } = run.dialer
    const present = await readDialerToRun(run.db, run.campaign)
    if (present === null || !mayCall(present) || present.version !== version) return new Set(callIds)
    const stops = await readStops(run.db, accessOf(run), callIds)
    // No stops: the key was revoked meanwhile.
    return new Set(callIds.filter((callId) => stops === null || (stops.get(callId) ?? null) !== null))
  } catch (error) {
    // None was started.
    for (const callId of callIds) run.memory.changeCall(callId, { state: 'returning' })
    throw error
  }
}
