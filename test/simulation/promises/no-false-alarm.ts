// 7b. Each alert that is left in the end has its cause.
import { isMaximumLowered, type Known } from '../model/known.ts'
import type { Exchange } from '../observed.ts'
import type { Promised } from './promise.ts'

export const noFalseAlarm: Promised = {
  name: 'no false alarm',

  onAnswer: (exchange, known) =>
    exchange.who === 'inspector' && exchange.operation === 'getOverview' && exchange.answer?.status === 200
      ? judgeAlerts(exchange, known)
      : null,
}

type Alert = { readonly kind: string; readonly subject: string }
type Cause = (alert: Alert, known: Known, company: number | null, nowMs: number) => boolean

const hasDialer: Cause = (_, known, company) =>
  known.exchanges.some((one) => one.operation === 'setDialer' && one.company === company)
const hasGate: Cause = (_, { gates }, company) =>
  gates.asked.some(({ place, isYes, isHeard }) => place.startsWith(`${company}/`) && !(isYes && isHeard))
const hasWebhook: Cause = ({ subject }, known) => known.webhooks.some((one) => one.webhookId === subject)
const hasSource: Cause = ({ subject }, known) => known.sources.some((one) => one.id === subject)

/** Until a claim has looked at it, such a lead counts as ready. */
const isSeenByClaims = (code: string, known: Known, company: number | null) =>
  /^(?:number_|no_consent|suppressed|gate)/.test(code) ||
  (code === 'final' && isMaximumLowered(known, company))

/** By the beginning of their kind. */
const causes: readonly (readonly [kind: string, cause: Cause])[] = [
  ['dialer_', hasDialer],
  ['gate_', hasGate],
  ['webhook_', hasWebhook],
  ['source_', hasSource],
  [
    'call_never_ends',
    (_, { calls }, company, nowMs) =>
      calls.some(
        (one) => one.company === company && one.outcome === null && one.claimedAtMs < nowMs - 600_000,
      ),
  ],
  [
    'agent_failing',
    (_, { calls }, company) =>
      calls.filter((one) => one.company === company && one.outcome === 'unknown').length > 2,
  ],
  [
    'no_agent',
    (_, known, company, nowMs) =>
      // It is cleared within a minute after the gate has ended the lead.
      known.gates.asked.some(
        ({ place, atMs }) => place.startsWith(`${company}/`) && atMs > nowMs - 120_000,
      ) ||
      known.exchanges.some(
        ({ who, operation, answer, company: of }) =>
          who === 'inspector' &&
          operation === 'explainLead' &&
          of === company &&
          answer?.body.data.blockers.every(({ code }: { code: string }) => isSeenByClaims(code, known, of)),
      ),
  ],
]

function judgeAlerts({ company, answer, sentMs }: Exchange, known: Known): string | null {
  const alerts: readonly Alert[] = answer?.body.data.alerts ?? []
  const empty = alerts.find((alert) => {
    const [, cause] = causes.find(([kind]) => alert.kind.startsWith(kind)) ?? []
    return cause === undefined || !cause(alert, known, company, sentMs)
  })
  return empty === undefined ? null : `there is an alert ${empty.kind} of ${empty.subject}, without its cause`
}
