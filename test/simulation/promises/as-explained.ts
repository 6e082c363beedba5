// 4c. Explanation, preview and claim agree: at the end somebody asks why each lead is not called, and then claims.
import { type Known, settingsAt } from '../model/known.ts'
import { explainedIn, judgeConsents, judgePreview, toldBefore } from '../model/preview.ts'
import type { Exchange } from '../observed.ts'
import type { Promised } from './promise.ts'

type Lead = { readonly _id: string; readonly phoneNumber: string }
export const asExplained: Promised = {
  name: 'as explained',

  onAnswer(exchange, known) {
    const { operation, answer, who } = exchange
    if (who !== 'inspector' || answer?.status !== 200) return null
    if (operation === 'previewCampaign') return judgeAfterClaim(exchange, known)
    return operation === 'claimCalls' ? judgeClaim(exchange, known) : null
  },
}

function judgeClaim(claim: Exchange, known: Known): string | null {
  const { company, body, sentAt } = claim
  const told = toldBefore(claim, known)
  const leads: readonly Lead[] =
    told.find(({ operation }) => operation === 'listLeads')?.answer?.body.data.leads ?? []
  const explained = explainedIn(told)
  const calls: readonly { readonly lead: Lead }[] = claim.answer?.body.data.calls
  const given = new Set(calls.map(({ lead }) => lead._id))
  const blocked = explained.find(({ leadId, callable }) => given.has(leadId) && !callable)
  if (blocked !== undefined)
    return `lead ${blocked.leadId} is called, and explained as ${blocked.blockers[0]?.code}`

  const campaign = known.cast.companies[company as number]?.campaigns.findIndex(
    ({ id }) => id === body.campaignId,
  )
  const { maxLiveCalls, callsPerMinute } = settingsAt(known, company as number, campaign as number, sentAt)
  if (maxLiveCalls !== null || callsPerMinute !== null) return null
  const numberOf = (leadId: string) => leads.find(({ _id }) => _id === leadId)?.phoneNumber ?? ''
  const phoneOf = (number: string) => known.cast.phones.find(({ spellings }) => spellings.includes(number))
  const called = new Set(calls.map(({ lead }) => phoneOf(lead.phoneNumber)))
  const left = explained.find(({ leadId, callable }) => callable && !called.has(phoneOf(numberOf(leadId))))
  if (left !== undefined) return `lead ${left.leadId} may be called as it is explained, and no claim gets it`
  const preview = told.findLast(({ operation }) => operation === 'previewCampaign')?.answer?.body.data
  return preview === undefined || leads.length !== explained.length ? null : judgePreview(preview, explained)
}

/** The claim may hold what has no consent. */
function judgeAfterClaim(preview: Exchange, known: Known): string | null {
  const asked = known.exchanges.filter(
    ({ who, company }) => who === 'inspector' && company === preview.company,
  )
  const claim = asked.at(-2)
  if (claim?.operation !== 'claimCalls') return null
  return judgeConsents(preview.answer?.body.data, explainedIn(toldBefore(claim, known)))
}
