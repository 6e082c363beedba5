// The report of a call, and the smaller one that replaces it when the service refuses a part: the outcome and
// `doNotCall` are kept whatever else is wrong. Pure.
import type { ReportedCall } from '../models.ts'

/**
 * When to call back a person whose `callbackAt` the service refuses: a day later, at an hour at which they answered.
 * Not in minutes, as after a failed call, and not never.
 */
const callBackAfterMs = 86_400_000

/** What a report has, by this version. */
const members: Readonly<Record<keyof ReportedCall, true>> = {
  callId: true,
  outcome: true,
  callbackAt: true,
  doNotCall: true,
  durationSeconds: true,
  providerCallId: true,
  details: true,
}

/**
 * Outcomes and members that mean do-not-call, without case, blanks, `-` and `_`. The service refuses or ignores them.
 */
const noes =
  'donotcall donotcontact dnc optout optedout optoutrequested unsubscribe stopcalling removefromlist'
const meansNo = (name: unknown) =>
  typeof name === 'string' && noes.split(' ').includes(name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''))
const isDenied = (value: unknown) => /^(?:null|(?:false|no?|0)?)$/i.test(String(value).trim())

/**
 * A copy: the caller may change its outcome later. A member that cannot be JSON is omitted, and `onOmitted` gets the
 * error. A no in other words is one.
 */
export function reportOf(
  callId: string,
  outcome: string | object,
  onOmitted: (error: unknown) => void,
): ReportedCall {
  const members = (typeof outcome === 'string' ? { outcome } : outcome) as Record<string, unknown>
  const report: Record<string, unknown> = {}
  for (const name of Object.keys(members)) {
    try {
      const json = JSON.stringify(members[name])
      if (json !== undefined) report[name] = JSON.parse(json)
    } catch (error) {
      onOmitted(error)
    }
  }
  const flags = Object.keys(report).filter((name) => name !== 'doNotCall' && meansNo(name))
  return {
    ...report,
    ...(meansNo(report.outcome) && { outcome: 'do_not_call' }),
    ...(flags.some((name) => !isDenied(report[name])) && { doNotCall: true }),
    callId,
  } as ReportedCall
}

/**
 * The report to send after `report` was refused because of `field`; null: the message names none. `refused` has what
 * was refused of this call before, and is added to. Null when nothing is left to try.
 */
export function lesserReport(
  report: ReportedCall,
  field: string | null,
  refused: Set<string>,
  nowMs: number,
): ReportedCall | null {
  const { callId, outcome, callbackAt, doNotCall } = report
  const later = () => new Date(nowMs + callBackAfterMs).toISOString()
  const failed = { outcome: 'failed', ...(outcome === 'do_not_call' && { doNotCall: true }) } as const
  if (field !== null && field !== 'callId' && !refused.has(field)) {
    refused.add(field)
    if (field === 'outcome') return { ...report, ...failed }
    if (field === 'callbackAt' && outcome === 'callback_requested') return { ...report, callbackAt: later() }
    const { [field]: value, ...rest } = report as Record<string, unknown>
    // Better one call too few than one to a person who does not want it.
    if (value !== undefined)
      return { ...rest, ...(field === 'doNotCall' && value && { doNotCall: true }) } as ReportedCall
  }
  // The service does not repeat a name that looks like none.
  const entries = Object.entries(report)
  const known = entries.filter(([name]) => Object.hasOwn(members, name))
  if (known.length < entries.length) return Object.fromEntries(known) as ReportedCall
  const least = { callId, outcome, ...(doNotCall && { doNotCall: true }) }
  const steps: Readonly<Record<string, () => ReportedCall>> = {
    rest: () => ({ ...least, ...(callbackAt && { callbackAt }) }),
    callbackAt: () => ({ ...least, ...(outcome === 'callback_requested' && { callbackAt: later() }) }),
    outcome: () => ({ ...least, ...failed }),
  }
  for (const [name, step] of Object.entries(steps)) {
    if (refused.has(name)) continue
    refused.add(name)
    return step()
  }
  return null
}
