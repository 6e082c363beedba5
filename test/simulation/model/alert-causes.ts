// What an alert is raised for: each kind by itself.
import { isMaximumLowered, type Known } from './known.ts'

export type Alert = { readonly kind: string; readonly subject: string }
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
  // In quiet times a store works as rarely as the cron, and after a clock that has jumped back after it.
  ['store_stalled', (_, { jumpedMs }) => jumpedMs > 0],
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
      // It is cleared within a minute after the gate has ended the lead, or a dialer that was late has called.
      known.gates.asked.some(
        ({ place, atMs }) => place.startsWith(`${company}/`) && atMs > nowMs - 120_000,
      ) ||
      (known.areAlarmsTroubled &&
        known.calls.some(
          (one) => one.company === company && one.isOfDialer && one.claimedAtMs > nowMs - 120_000,
        )) ||
      known.exchanges.some(
        ({ who, operation, answer, company: of }) =>
          who === 'inspector' &&
          operation === 'explainLead' &&
          of === company &&
          answer?.body.data.blockers.every(({ code }: { code: string }) => isSeenByClaims(code, known, of)),
      ),
  ],
]

/** Of the company. A kind that is not listed has none. */
export function hasCause(...[alert, known, company, nowMs]: Parameters<Cause>): boolean {
  const [, cause] = causes.find(([kind]) => alert.kind.startsWith(kind)) ?? []
  return cause?.(alert, known, company, nowMs) ?? false
}
