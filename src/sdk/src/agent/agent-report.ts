// What an agent reports of a call, and what it reports in place of what the service refuses: the outcome and `doNotCall`
// are kept whatever else is wrong. Pure.
import type { ReportedCall } from '../models.ts'

/**
 * When a person is called back whose `callbackAt` the service does not take: a day later, at an hour at which they answered.
 * Not in minutes, as after a failed call, and not never.
 */
const callBackAfterMs = 86_400_000

/** As it is now: it may be changed later. A member that cannot be JSON is left out, and `onLeftOut` gets why. */
export function reportOf(
  callId: string,
  outcome: string | object,
  onLeftOut: (error: unknown) => void,
): ReportedCall {
  const members = (typeof outcome === 'string' ? { outcome } : outcome) as Record<string, unknown>
  const report: Record<string, unknown> = {}
  for (const name of Object.keys(members)) {
    try {
      const json = JSON.stringify(members[name])
      if (json !== undefined) report[name] = JSON.parse(json)
    } catch (error) {
      onLeftOut(error)
    }
  }
  return { ...report, callId } as ReportedCall
}

/**
 * What to report when `report` was refused because of `field`; null: the message names none. `refused` is what was refused of
 * this call before, and is added to. Null when nothing is left to try.
 */
export function lesserReport(
  report: ReportedCall,
  field: string | null,
  refused: Set<string>,
  nowMs: number,
): ReportedCall | null {
  const { callId, outcome, callbackAt, doNotCall } = report
  const later = () => new Date(nowMs + callBackAfterMs).toISOString()
  if (field !== null && field !== 'callId' && !refused.has(field)) {
    refused.add(field)
    if (field === 'outcome') return { ...report, outcome: 'failed' }
    if (field === 'callbackAt' && outcome === 'callback_requested') return { ...report, callbackAt: later() }
    const { [field]: value, ...rest } = report as Record<string, unknown>
    // Better one call too few than one to a person who does not want it.
    if (value !== undefined)
      return { ...rest, ...(field === 'doNotCall' && value && { doNotCall: true }) } as ReportedCall
  }
  const least = { callId, outcome, ...(doNotCall && { doNotCall: true }) }
  const steps: Readonly<Record<string, () => ReportedCall>> = {
    rest: () => ({ ...least, ...(callbackAt && { callbackAt }) }),
    callbackAt: () => ({ ...least, ...(outcome === 'callback_requested' && { callbackAt: later() }) }),
    outcome: () => ({ ...least, outcome: 'failed' }),
  }
  for (const [name, step] of Object.entries(steps)) {
    if (refused.has(name)) continue
    refused.add(name)
    return step()
  }
  return null
}
