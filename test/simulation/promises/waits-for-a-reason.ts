// 7c. In the end each lead of the queue may be called, or waits for a reason that is true by the model; the pause and
// closed hours are among them.
import type { Known } from '../model/known.ts'
import { type Blocker, type Listed, reasons, waitingOf } from '../model/reasons.ts'
import { isOpen } from '../model/zones.ts'
import type { Exchange } from '../observed.ts'
import type { Promised } from './promise.ts'

export const waitsForAReason: Promised = {
  name: 'waits for a reason',

  onAnswer: (exchange, known) =>
    exchange.who === 'inspector' && exchange.operation === 'explainLead' && exchange.answer?.status === 200
      ? judgeReasons(exchange, known)
      : null,
}

/** What the list that was read before says of it. */
function listedBefore({ company, path }: Exchange, { exchanges }: Known) {
  const list = exchanges.findLast(
    (one) => one.who === 'inspector' && one.operation === 'listLeads' && one.company === company,
  )
  const leadId = path.split('/').at(-2)
  const leads: readonly (Listed & { readonly _id: string })[] = list?.answer?.body?.data?.leads ?? []
  const campaignId = new URL(list?.path ?? '', 'https://sim.example').searchParams.get('campaignId')
  return { lead: leads.find(({ _id }) => _id === leadId), campaignId }
}

function judgeReasons(exchange: Exchange, known: Known): string | null {
  const { company, answer } = exchange
  const { lead, campaignId } = listedBefore(exchange, known)
  const campaigns = known.cast.companies[company as number]?.campaigns ?? []
  const campaign = campaigns.findIndex(({ id }) => id === campaignId)
  if (lead === undefined || known.restored.has(company)) return null
  const callable: boolean = answer?.body.data.callable
  const blockers: readonly Blocker[] = answer?.body.data.blockers
  if (callable !== (blockers.length === 0)) return `lead ${lead.phoneNumber} waits for no reason`
  const waiting = (until: string | null) => waitingOf(known, exchange, campaign, lead, until)
  const untrue = blockers.find(({ code, until }) => !reasons[code]?.(waiting(until), known))
  if (untrue !== undefined)
    return `lead ${lead.phoneNumber} of campaign ${campaign} waits as ${untrue.code} until ${untrue.until}, which is not so`
  const { settings, nowMs } = waiting(null)
  const isTold = (code: string) => blockers.some((one) => one.code === code)
  if (settings.paused && !isTold('paused'))
    return `lead ${lead.phoneNumber} waits, and the pause is no reason`
  const isClosed = [false, true].every((kind) => !isOpen(settings, lead.timeZone ?? '', kind, nowMs))
  return isClosed && !isTold('outside_hours')
    ? `lead ${lead.phoneNumber} waits, and the hours are no reason`
    : null
}
