// One lead for the operator: its fields, its blockers and its calls, in words or as the API's JSON. Pure. Metadata and
// details are printed exactly as they were sent: `lead` and `calls` are JSON text, as the API answers.
import { memberSource } from '../../leads/json-source.ts'
import type { Explanation, PastCall } from '../../sdk/src/lead-intake.ts'
import { timestamp } from './print.ts'

export function leadShownJson(
  lead: string,
  companyId: string,
  why: Explanation,
  calls: readonly string[],
): string {
  const calling = JSON.stringify({ companyId, ...why }).slice(1, -1)
  return `{"lead":${lead},${calling},"calls":[${calls.join()}]}`
}

export function describeLead(
  lead: string,
  companyId: string,
  why: Explanation,
  calls: readonly string[],
): string[] {
  const fields = fieldsOf(lead, companyId)
  const width = Math.max(...fields.map(([name]) => name.length))
  return [
    ...fields.map(([name, value]) => `${name.padEnd(width)}  ${value}`),
    '',
    ...describeWhy(why),
    '',
    ...(calls.length === 0 ? ['Never called.'] : calls.map(describeCall)),
  ]
}

function fieldsOf(json: string, companyId: string): [name: string, value: string][] {
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

function describeWhy({ callable, blockers, nextCallAt }: Explanation): string[] {
  if (callable) return ['Can be called now.']
  const next = nextCallAt === null ? 'with no known end' : `until ${nextCallAt} at least`
  return [`Blocked ${next}:`, ...blockers.map((blocker) => `- ${describeBlocker(blocker)}`)]
}

type Blocker = Explanation['blockers'][number]

function describeBlocker({ code, until }: Blocker): string {
  const texts: Record<Blocker['code'], string> = {
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
  return `${code}: ${texts[code]}${until === null ? '' : `, until ${until}`}`
}

function describeCall(json: string): string {
  const call = JSON.parse(json) as PastCall
  const { attempt, agent, claimedAt, outcome, endedAt, callbackAt, durationSeconds } = call
  const parts = [
    `${claimedAt}  attempt ${attempt}${agent === null ? '' : ` by ${agent}`}: ${outcome ?? 'in progress'}`,
    ...(durationSeconds === null ? [] : [`${durationSeconds} s`]),
    ...(endedAt === null ? [] : [`ended ${endedAt}`]),
    ...(callbackAt === null ? [] : [`call back ${callbackAt}`]),
    ...(call.doNotCall ? ['do not call'] : []),
    ...(call.isLate ? ['reported late'] : []),
    ...(call.details === null ? [] : [`details ${memberSource(json, 'details')?.text}`]),
  ]
  return parts.join(', ')
}
