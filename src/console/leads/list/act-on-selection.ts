// The requests for selected leads, each with its result in words: what was done, and what failed and why.
import type { NumbersSuppressed, SelectionRequeued } from '../../../sdk/src/models.ts'
import { type Ask, leadPath } from '../../service/answer.ts'
import { countOf } from '../../ui/words/number-words.ts'
import type { FoundLead } from './read-leads.ts'

/** In words, as the page shows it. */
type Done = { readonly text: string; readonly isFailure: boolean }

type Leads = readonly Pick<FoundLead, '_id' | 'phoneNumber'>[]
type Result = SelectionRequeued['results'][number]['result']

const whyNot: Readonly<Record<Exclude<Result, 'requeued'>, string>> = {
  lead_not_found: 'it no longer exists',
  lead_leased: 'it is being called',
  number_suppressed: 'the number is on the do-not-call list',
}

const failure = (text: string | null): Done => ({ text: text ?? '', isFailure: true })

/** Reasons with the numbers that they concern. */
function describeFailures(reasons: ReadonlyMap<string, readonly string[]>): string {
  return [...reasons].map(([why, numbers]) => ` Not ${numbers.join(', ')}: ${why}.`).join('')
}

export async function requeueAll(ask: Ask, leads: Leads): Promise<Done> {
  const body = { leadIds: leads.map(({ _id }) => _id) }
  const { data, error } = await ask<SelectionRequeued>('POST', '/leads/requeue', { body })
  if (data === null) return failure(error)
  const failed = leads.flatMap(({ phoneNumber }, index) => {
    const result = data.results[index]?.result ?? 'lead_not_found'
    return result === 'requeued' ? [] : [[whyNot[result] ?? result, phoneNumber] as const]
  })
  return describeDone(`${countOf(data.requeued, 'lead')} queued again.`, failed)
}

function describeDone(done: string, failed: readonly (readonly [why: string, number: string])[]): Done {
  const reasons = Map.groupBy(failed, ([why]) => why)
  const numbers = new Map([...reasons].map(([why, its]) => [why, its.map(([, number]) => number)]))
  return { text: `${done}${describeFailures(numbers)}`, isFailure: failed.length > 0 }
}

/** `campaignId` null: in all campaigns of the company. */
export async function suppressAll(ask: Ask, leads: Leads, campaignId: string | null): Promise<Done> {
  const phoneNumbers = [...new Set(leads.map(({ phoneNumber }) => phoneNumber))]
  const body = { phoneNumbers, reason: 'console', ...(campaignId !== null && { campaignId }) }
  const { data, error } = await ask<NumbersSuppressed>('POST', '/suppressions', { body })
  if (data === null) return failure(error)
  const where = campaignId === null ? 'all campaigns' : 'this campaign'
  const text = `${countOf(data.added, 'number')} added to the do-not-call list of ${where}, ${data.existing} already there.`
  return { text, isFailure: false }
}

/** `isPerson`: in all campaigns, and the number is suppressed. Stops where the service refuses to go on. */
export async function eraseEach(
  ask: Ask,
  leads: Leads,
  isPerson: boolean,
  onProgress: (done: number, of: number) => void,
): Promise<Done> {
  const failed: (readonly [why: string, number: string])[] = []
  let [done, mustStop] = [0, false]
  // Several leads of a person need one request.
  const wanted = isPerson ? [...new Map(leads.map((lead) => [lead.phoneNumber, lead])).values()] : leads
  for (const { _id, phoneNumber } of wanted) {
    if (mustStop) {
      failed.push(['not tried', phoneNumber])
      continue
    }
    onProgress(done, wanted.length)
    const { status, error } = await (isPerson
      ? ask('POST', '/erasures', { body: { leadId: _id } })
      : ask('DELETE', leadPath(_id)))
    // Erased by somebody else.
    if (error === null || status === 404) done++
    else failed.push([error.replace(/\.$/, ''), phoneNumber])
    mustStop = status === 0 || status === 401 || status === 429
  }
  return describeDone(
    `${countOf(done, isPerson ? 'person' : 'lead', isPerson ? 'people' : 'leads')} erased.`,
    failed,
  )
}
