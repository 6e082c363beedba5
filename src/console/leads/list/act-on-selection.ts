// The requests for selected leads, each with its result in words: what was done, and what failed and why.
import type { SelectionRequeued } from '../../../sdk/src/models.ts'
import { type Feedback, settle } from '../../service/answer.ts'
import type { Client } from '../../service/client.ts'
import { countOf } from '../../ui/words/number-words.ts'
import type { FoundLead } from './read-leads.ts'

type Leads = readonly Pick<FoundLead, '_id' | 'phoneNumber'>[]
type Result = SelectionRequeued['results'][number]['result']

const whyNot: Readonly<Record<Exclude<Result, 'requeued'>, string>> = {
  lead_not_found: 'it no longer exists',
  lead_leased: 'it is being called',
  number_suppressed: 'the number is on the do-not-call list',
}

const failure = (text: string | null): Feedback => ({ text: text ?? '', isFailure: true })

export async function requeueAll(client: Client, leads: Leads): Promise<Feedback> {
  const { data, error } = await settle(client.leads.requeueMany(leads.map(({ _id }) => _id)))
  if (data === null) return failure(error)
  const failed = leads.flatMap(({ phoneNumber }, index) => {
    const result = data.results[index]?.result ?? 'lead_not_found'
    return result === 'requeued' ? [] : [[whyNot[result] ?? result, phoneNumber] as const]
  })
  return describeDone(`${countOf(data.requeued, 'lead')} queued again.`, failed)
}

/** With the numbers that each reason concerns. */
function describeDone(done: string, failed: readonly (readonly [why: string, number: string])[]): Feedback {
  const reasons = [...Map.groupBy(failed, ([why]) => why)].map(
    ([why, its]) => ` Not ${its.map(([, number]) => number).join(', ')}: ${why}.`,
  )
  return { text: `${done}${reasons.join('')}`, isFailure: failed.length > 0 }
}

/** `campaignId` null: in all campaigns of the company. */
export async function suppressAll(
  client: Client,
  leads: Leads,
  campaignId: string | null,
): Promise<Feedback> {
  const phoneNumbers = [...new Set(leads.map(({ phoneNumber }) => phoneNumber))]
  const numbers = { phoneNumbers, reason: 'console', ...(campaignId !== null && { campaignId }) }
  const { data, error } = await settle(client.suppressions.add(numbers))
  if (data === null) return failure(error)
  const where = campaignId === null ? 'all campaigns' : 'this campaign'
  const text =
    `${countOf(data.added, 'number')} added to the do-not-call list of ${where}, ` +
    `${data.existing} already there.`
  return { text, isFailure: false }
}

/** `isPerson`: in all campaigns, and the number is suppressed. Stops where the service refuses to continue. */
export async function eraseEach(
  client: Client,
  leads: Leads,
  isPerson: boolean,
  onProgress: (done: number, of: number) => void,
): Promise<Feedback> {
  const failed: (readonly [why: string, number: string])[] = []
  let [done, others, mustStop] = [0, 0, false]
  let isPartial = false
  // Several leads of a person need one request.
  const wanted = isPerson ? [...new Map(leads.map((lead) => [lead.phoneNumber, lead])).values()] : leads
  for (const { _id, phoneNumber } of wanted) {
    if (mustStop) {
      failed.push(['not tried', phoneNumber])
      continue
    }
    onProgress(done, wanted.length)
    const { data, status, error } = await settle(
      isPerson ? client.leads.erasePerson({ leadId: _id }) : client.leads.erase(_id),
    )
    // Erased by somebody else.
    if (error === null || status === 404) done++
    else failed.push([error.replace(/\.$/, ''), phoneNumber])
    others += data?.alsoIn.length ?? 0
    isPartial ||= data?.isPartial ?? false
    mustStop = status === 0 || status === 401 || status === 429
  }
  const inOthers = others > 0 ? ` Removed from the metadata of other leads: ${others}.` : ''
  const more = isPartial ? ' More leads may have such numbers in their metadata.' : ''
  return describeDone(
    `${countOf(done, isPerson ? 'person' : 'lead', isPerson ? 'people' : 'leads')} erased.${inOthers}${more}`,
    failed,
  )
}
