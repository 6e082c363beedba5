// One lead for the operator: its fields, its blockers and its calls, in words or as the API's JSON. Pure. Metadata and
// details are JSON text, which is printed exactly as it was sent.
import type { Blocker, BlockerCode, ExplainResult } from '../../calling/store/explain.ts'
import type { PastCall } from '../../calling/store/history.ts'
import { memberSource } from '../../leads/json-source.ts'
import type { NamedLead } from '../../leads/store/overview.ts'
import { timestamp } from './print.ts'

type Explained = Extract<ExplainResult, { kind: 'explained' }>

export function leadShownJson(lead: NamedLead, why: Explained, calls: readonly PastCall[]): string {
  const calling = {
    companyId: lead.companyId,
    callable: why.isCallable,
    blockers: why.blockers.map(({ code, untilMs }) => ({ code, until: timestamp(untilMs) })),
    nextCallAt: timestamp(why.nextCallAtMs),
  }
  return `{"lead":${lead.json},${JSON.stringify(calling).slice(1, -1)},"calls":[${calls.map(callJson).join()}]}`
}

function callJson({ details, claimedAtMs, endedAtMs, callbackAtMs, ...call }: PastCall): string {
  const times = {
    claimedAt: timestamp(claimedAtMs),
    endedAt: timestamp(endedAtMs),
    callbackAt: timestamp(callbackAtMs),
  }
  return `${JSON.stringify({ ...call, ...times }).slice(0, -1)},"details":${details ?? 'null'}}`
}

export function describeLead(lead: NamedLead, why: Explained, calls: readonly PastCall[]): string[] {
  const fields = fieldsOf(lead)
  const width = Math.max(...fields.map(([name]) => name.length))
  return [
    ...fields.map(([name, value]) => `${name.padEnd(width)}  ${value}`),
    '',
    ...describeWhy(why),
    '',
    ...(calls.length === 0 ? ['Never called.'] : calls.map(describeCall)),
  ]
}

function fieldsOf({ json, companyId }: NamedLead): [name: string, value: string][] {
  const lead = JSON.parse(json) as Record<string, unknown> & { _creationTime: number }
  const { _id, campaignId, _creationTime, metadata: _, ...others } = lead
  const metadata = memberSource(json, 'metadata')?.text
  return [
    ['lead', String(_id)],
    ['campaign', `${campaignId} of ${companyId}`],
    ...Object.entries(others).map(([name, value]): [string, string] => [name, String(value)]),
    ...(metadata === undefined ? [] : ([['metadata', metadata]] as [string, string][])),
    ['created', timestamp(_creationTime)],
  ]
}

function describeWhy({ isCallable, blockers, nextCallAtMs }: Explained): string[] {
  if (isCallable) return ['Can be called now.']
  const next = nextCallAtMs === null ? 'with no known end' : `until ${timestamp(nextCallAtMs)} at least`
  return [`Blocked ${next}:`, ...blockers.map((blocker) => `- ${describeBlocker(blocker)}`)]
}

function describeBlocker({ code, untilMs }: Blocker): string {
  const texts: Record<BlockerCode, string> = {
    paused: 'the campaign is paused',
    not_configured: 'the campaign has no time zone',
    at_capacity: 'the campaign is at its cap or its pace',
    final: 'it is final; `lead requeue` queues it again',
    suppressed: 'its number is suppressed',
    leased: 'an agent has claimed it',
    number_live: 'its number is being called for another lead',
    number_gap: 'its number was called recently',
    number_day: 'its number was called too often in 24 hours',
    number_week: 'its number was called too often in 7 days',
    scheduled: 'it has an appointment',
    spaced: 'waiting before the next attempt',
    outside_hours: 'it is outside its calling hours',
  }
  return `${code}: ${texts[code]}${untilMs === null ? '' : `, until ${timestamp(untilMs)}`}`
}

function describeCall(call: PastCall): string {
  const { attempt, agent, claimedAtMs, outcome, endedAtMs, callbackAtMs, durationSeconds } = call
  const parts = [
    `${timestamp(claimedAtMs)}  attempt ${attempt}${agent === null ? '' : ` by ${agent}`}: ${outcome ?? 'in progress'}`,
    ...(durationSeconds === null ? [] : [`${durationSeconds} s`]),
    ...(endedAtMs === null ? [] : [`ended ${timestamp(endedAtMs)}`]),
    ...(callbackAtMs === null ? [] : [`call back ${timestamp(callbackAtMs)}`]),
    ...(call.doNotCall ? ['do not call'] : []),
    ...(call.isLate ? ['reported late'] : []),
    ...(call.details === null ? [] : [`details ${call.details}`]),
  ]
  return parts.join(', ')
}
