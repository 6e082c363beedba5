// A dialer as its owner sees it: its settings without secrets, and how its object says that it is.
import type { KeyedExchange } from '../../base/access/granted.ts'
import { type Answer, success } from '../../base/http/envelope.ts'
import { waits } from '../../base/limits.ts'
import { withTimeLimit } from '../../base/time-limit.ts'
import { formatTimestamp } from '../../base/timestamp.ts'
import { queueJson } from '../../queue/calling/campaigns.ts'
import type { QueueOverview } from '../../queue/calling/store/campaign-overview.ts'
import { parseLeadId } from '../../queue/leads/lead.ts'
import { rootOf } from '../webhooks/routes.ts'
import type { DialerReport } from './dialer.ts'
import type { Problem } from './dialer-memory.ts'
import { hintOf, openSecrets } from './dialer-secrets.ts'
import { nudgeUrl } from './nudge.ts'
import type { StoredDialer } from './store/set-dialer.ts'
import { listPresent } from './store/test-call.ts'
import type { Texts } from './template/template.ts'
import type { TestResult } from './test-memory.ts'
import type { Exchange } from './trace.ts'
import { dialerOf, gateOf } from './wake-dialers.ts'

export const campaignIdOf = (x: KeyedExchange) => x.c.req.param('campaignId') ?? ''
export const campaignOf = (x: KeyedExchange, number: number) => ({ companyId: x.apiKey.companyId, number })

/** What an answer shows of secrets; null: they cannot be read. */
export const hintsOf = (secrets: Texts | null): object =>
  Object.fromEntries(Object.entries(secrets ?? {}).map(([name, text]) => [name, { hint: hintOf(text) }]))

/** Null: they cannot be read, since the root of the Worker is another one. */
export function secretsOf(x: KeyedExchange, dialer: StoredDialer): Texts | null {
  const owner = { ...dialer, companyId: x.apiKey.companyId, campaignId: campaignIdOf(x) }
  return openSecrets(rootOf(x), owner, dialer.sealedSecrets)
}

export async function dialerJson(x: KeyedExchange, number: number, dialer: StoredDialer): Promise<object> {
  const { isEnabled, maxLive, preset, template, variables, origin } = dialer
  const campaign = campaignOf(x, number)
  const state = await withoutErased(x, number, await stateOf(x, number, dialer))
  return {
    enabled: isEnabled,
    maxLive,
    preset,
    template,
    variables,
    secrets: hintsOf(secretsOf(x, dialer)),
    endUrl: nudgeUrl(rootOf(x), origin, { ...campaign, callId: null }) ?? null,
    heard: state?.heard ?? { talked: 0, understood: 0 },
    state: stateJson(state, dialer),
  }
}

async function withoutErased(
  x: KeyedExchange,
  number: number,
  state: DialerReport | null,
): Promise<DialerReport | null> {
  const leadId = state?.lastProblem?.leadId ?? null
  if (state === null || leadId === null) return state
  const erased = await forgetErased(x, number, [leadId])
  return erased.has(leadId) ? { ...state, lastProblem: null } : state
}

/** Those of these leads that are erased, of which the object of the dialer or gate keeps nothing any more. */
async function forgetErased(
  x: KeyedExchange,
  number: number,
  leadIds: readonly string[],
  ofGate = false,
): Promise<ReadonlySet<string>> {
  const seqs = leadIds.flatMap((leadId) => parseLeadId(leadId)?.seq ?? [])
  const there = seqs.length === 0 ? new Set() : await listPresent(x.db, number, seqs)
  const erased = leadIds.filter((leadId) => !there.has(leadId))
  const campaign = campaignOf(x, number)
  const forgetting = () =>
    ofGate ? gateOf(x.env, campaign).forgetGateLeads(erased) : dialerOf(x.env, campaign).forgetLeads(erased)
  // What cannot be forgotten now is forgotten when it is read again, or by its time.
  if (erased.length > 0) await withTimeLimit(forgetting(), waits.senderMs).catch(() => {})
  return new Set(erased)
}

/** For those who see the queue of a campaign: how that is, and who works on it without being asked. */
export async function queueAndDialer(x: KeyedExchange, overview: QueueOverview) {
  const [queue, dialer] = await Promise.all([queueJson(x, overview), dialingOf(x, overview)])
  return { queue, dialer }
}

/** A status of null: its object does not answer. */
async function dialingOf(
  x: KeyedExchange,
  { dialer, campaignNumber }: QueueOverview,
): Promise<object | null> {
  if (dialer !== 'on') return dialer && { status: 'off', reason: null }
  // No version is newer than that of the object's last round.
  const state = await stateOf(x, campaignNumber, { isEnabled: true, version: 0 })
  return { status: state?.status ?? null, reason: state?.reason ?? null }
}

/** Null: the object does not answer. */
function stateOf(
  x: KeyedExchange,
  number: number,
  { isEnabled, version }: Pick<StoredDialer, 'isEnabled' | 'version'>,
): Promise<DialerReport | null> {
  const dialer = dialerOf(x.env, campaignOf(x, number))
  const asked = dialer.readState(isEnabled, version)
  return withTimeLimit(asked, waits.senderMs).catch(() => null)
}

function stateJson(state: DialerReport | null, { isEnabled, changedAtMs }: StoredDialer): object {
  const unheard = { reason: null, sinceMs: changedAtMs, live: 0, aside: 0, lastProblem: null }
  const {
    sinceMs,
    lastProblem,
    heard: _,
    ...shown
  } = (state as DialerReport | null) ?? { status: isEnabled ? 'idle' : 'off', ...unheard }
  return { ...shown, since: formatTimestamp(sinceMs), lastProblem: problemJson(lastProblem) }
}

export function problemJson(problem: Problem | null): object | null {
  if (problem === null) return null
  const { atMs, status, code, message } = problem
  return { at: formatTimestamp(atMs), status, code, message }
}

function exchangeJson({
  atMs,
  step,
  callId,
  leadId,
  httpStatus,
  milliseconds,
  verdict,
  message,
  bodies,
}: Exchange) {
  const { request = null, answer = null } = bodies ?? {}
  return {
    ...{ at: formatTimestamp(atMs), step, callId, leadId, httpStatus, milliseconds, verdict, message },
    ...{ request, answer },
  }
}

export function testJson({ state, outcome, reason, seconds, saidOutcome, callbackAtMs }: TestResult) {
  const callbackAt = callbackAtMs === null ? null : formatTimestamp(callbackAtMs)
  return { state, outcome, reason, seconds, saidOutcome, callbackAt }
}

/** Without those of leads that are erased. */
export async function exchangesAnswer(
  x: KeyedExchange,
  number: number,
  traced: readonly Exchange[],
  ofGate: boolean,
): Promise<Answer> {
  const leadIds = [...new Set(traced.flatMap(({ leadId }) => leadId ?? []))]
  const erased = await forgetErased(x, number, leadIds, ofGate)
  const shown = traced.filter(({ leadId }) => leadId === null || !erased.has(leadId))
  return success({ exchanges: shown.map(exchangeJson) })
}
