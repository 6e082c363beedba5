// A round of a gate: finds out how many yeses are needed and whom to ask about, asks about at most ten leads at once,
// and stores each answer before the next question.
import { limits } from '../../../base/limits.ts'
import { findNextOpening, scheduleOf } from '../../../queue/campaigns/calling-hours.ts'
import type { WaitedCampaign } from '../../../queue/campaigns/waited-campaign.ts'
import type { Send } from '../provider-request.ts'
import {
  type AskedLead,
  applyAnswers,
  type GateToRun,
  type GateVerdict,
  readAskedLeads,
  readPlaces,
} from '../store/run-gate.ts'
import type { Texts } from '../template/template.ts'
import type { openTrace } from '../trace.ts'
import { askGate } from './ask-gate.ts'
import type { GateAnswer } from './gate.ts'
import {
  askedAheadMs,
  forgetTries,
  type GateMemory,
  needOf,
  nextOf,
  noteAnswer,
  noteNext,
  noteSilence,
  pauseMs,
  restMs,
  restsAfter,
} from './gate-memory.ts'

type GateRound = {
  readonly campaign: WaitedCampaign
  readonly gate: GateToRun
  /** Null: they cannot be read. */
  readonly secrets: Texts | null
  readonly db: D1Database
  readonly send: Send
  readonly now: () => number
  readonly trace: ReturnType<typeof openTrace>
  readonly save: (memory: GateMemory) => void
  readonly tell: () => void
}

const atOnce = 10
/** In one round: then it looks again who is next. */
const mostAsked = 50
/** Beyond the leads with a yes, so many places of the queue are read. */
const placesBeyond = 200

/** Returns when the next round is due. Null: nothing is known to be ahead. Throws DatabaseUnavailable. */
export async function takeGateRound(round: GateRound, before: GateMemory): Promise<number | null> {
  const { campaign, gate, db, now } = round
  const nowMs = now()
  if (gate.isPaused || gate.refusingSinceMs !== null) {
    round.save(before)
    return null
  }
  if (before.restsUntilMs > nowMs) return before.restsUntilMs
  const { need, memory } = needOf(before, gate, nowMs)
  round.save(memory)
  const soonMs = nowMs + askedAheadMs
  const openLanes = lanesOpenBy(gate, nowMs, soonMs)
  const places = await readPlaces(db, campaign, openLanes, { nowMs, soonMs, maxPlaces: need + placesBeyond })
  const isResting = memory.silent >= restsAfter && gate.whenSilent === 'hold'
  const most = Math.min(isResting ? 1 : mostAsked, need - places.fresh)
  const taken = places.lacking.slice(0, Math.max(0, most))
  if (taken.length === 0) return nextOf(memory, nowMs)
  const leads = await readAskedLeads(db, campaign, taken, nowMs)
  const run = { memory, refusingSinceMs: null as number | null, silentSinceMs: gate.silentSinceMs }
  await passBy(round, run, leads)
  const asked = leads.filter((lead) => !isPassed(lead) && lead.known === null)
  for (let next = 0; next < asked.length; next += atOnce) {
    await askSome(round, run, asked.slice(next, next + atOnce))
    if (!mayGoOn(round, run)) break
  }
  if (run.refusingSinceMs !== null) return null
  const restsMs = restOf(round, run)
  if (restsMs > 0) return now() + restsMs
  return leads.some((lead) => !isPassed(lead)) ? now() : nextOf(run.memory, now())
}

type Run = { memory: GateMemory; refusingSinceMs: number | null; silentSinceMs: number | null }

const restOf = ({ gate }: GateRound, { memory }: Run) =>
  gate.whenSilent === 'hold' ? restMs(memory.silent) : 0
const mayGoOn = (round: GateRound, run: Run) => run.refusingSinceMs === null && restOf(round, run) === 0

/** Pairs of a lane and 1 for appointments, of those that are open within the time. */
const lanesOpenBy = ({ hours, lanes }: GateToRun, nowMs: number, soonMs: number) =>
  lanes.flatMap((lane) =>
    ([0, 1] as const).flatMap((kind) => {
      const opening = findNextOpening(scheduleOf(hours, lane, kind), nowMs)
      return opening !== null && opening.opensAtMs <= soonMs ? [[lane, kind] as const] : []
    }),
  )

/** Nobody is asked about who has said no, or has given no consent: a claim sees to that. */
const isPassed = ({ isAllowed, isSuppressed }: AskedLead) => isAllowed === 0 || isSuppressed === 1

const phoneOf = ({ json }: AskedLead): string => JSON.parse(json).phoneNumber

/** What need not be asked: leads that are not for the gate, and phones that it has answered to already. */
async function passBy(round: GateRound, run: Run, leads: readonly AskedLead[]): Promise<void> {
  const verdicts = leads.flatMap((lead): GateVerdict[] => {
    const of = { seq: lead.seq, phoneNumber: phoneOf(lead) }
    if (isPassed(lead)) return lead.isHeld === 1 ? [{ ...of, verdict: 'passed', pointer: null, atMs: 0 }] : []
    if (lead.known === null) return []
    const [pointer, untilMs] = JSON.parse(lead.known) as readonly [string | null, number]
    return [{ ...of, verdict: pointer === null ? 'yes' : 'no', pointer, atMs: untilMs }]
  })
  if (verdicts.length > 0) await apply(round, run, verdicts)
}

async function askSome(round: GateRound, run: Run, leads: readonly AskedLead[]): Promise<void> {
  const { gate, secrets, send, trace, now } = round
  const answers = await Promise.all(
    leads.map(async (lead) => {
      const { _id: leadId, ...members } = JSON.parse(lead.json)
      const dialled = { ...members, leadId, attempt: members.attempts + 1 }
      const timeZone = members.timeZone ?? gate.hours.timeZone
      const { seen, ...said } = await askGate(gate, secrets, dialled, timeZone, send)
      const of = { step: 'ask', callId: null, leadId, verdict: said.answer ?? 'silent' } as const
      trace.add({ atMs: now(), ...of, ...seen })
      return { lead, said }
    }),
  )
  const verdicts: GateVerdict[] = []
  for (const { lead, said } of answers) {
    // What comes after the answer that stops it ends nothing.
    if (run.refusingSinceMs !== null) break
    verdicts.push(judge(round, run, lead, said))
  }
  // Before it is applied: whatever dies, no answer is forgotten that ended a lead.
  round.save(run.memory)
  await apply(round, run, verdicts)
}

function judge({ gate, now }: GateRound, run: Run, lead: AskedLead, said: GateAnswer): GateVerdict {
  const { answer, pointer } = said
  const nowMs = now()
  const of = { seq: lead.seq, phoneNumber: phoneOf(lead), pointer }
  const laterMs = nowMs + gate.laterMinutes * limits.minuteMs
  if (answer === null) {
    const { memory, tries } = noteSilence(run.memory, lead.seq)
    const silent = memory.silent + 1
    const atMs = nowMs + pauseMs(tries)
    const restsUntilMs = nowMs + (gate.whenSilent === 'hold' ? restMs(silent) : 0)
    run.memory = noteNext({ ...memory, silent, restsUntilMs }, atMs, nowMs)
    run.silentSinceMs ??= nowMs
    // Whom nobody has said no to may be called, where that was chosen, and is asked about again.
    if (gate.whenSilent === 'call' && lead.wasRefused === 0) return { ...of, verdict: 'yes', atMs: laterMs }
    return { ...of, verdict: 'silent', atMs }
  }
  const noted = noteAnswer(run.memory, answer === 'no', nowMs, gate.countsSinceMs)
  const memory = forgetTries(noted.memory, new Set([lead.seq]))
  run.memory = { ...memory, silent: 0, restsUntilMs: 0 }
  run.silentSinceMs = null
  if (noted.isRefusing) run.refusingSinceMs = nowMs
  if (answer === 'later') {
    run.memory = noteNext(run.memory, laterMs, nowMs)
    return { ...of, verdict: 'later', atMs: laterMs }
  }
  return { ...of, verdict: answer, atMs: nowMs + gate.keepHours * limits.hourMs }
}

async function apply(round: GateRound, run: Run, verdicts: readonly GateVerdict[]): Promise<void> {
  const { gate, db, campaign, now, tell } = round
  const { silentSinceMs, refusingSinceMs } = run
  const note = { version: gate.version, revision: gate.revision, silentSinceMs, refusingSinceMs }
  await applyAnswers(db, campaign, verdicts, note, now())
  tell()
}
