// 8a. Who rings is no stranger: the lead is found by any spelling of its number, and the agent is told of a no.
import { phoneOf } from '../cast.ts'
import { covers, isLifted, type Known } from '../model/known.ts'
import type { Exchange } from '../observed.ts'
import type { Promised } from './promise.ts'

export const whoRingsIsKnown: Promised = {
  name: 'who rings is known',

  onAnswer(exchange, known) {
    const { operation, answer, key } = exchange
    // A key of one campaign knows those of that campaign.
    if (operation !== 'findCaller' || answer?.status !== 200 || key !== null) return null
    return judgeStranger(exchange, known) ?? judgeNo(exchange, known) ?? judgeCall(exchange)
  },
}

const campaignOf = ({ company }: Exchange, { cast }: Known, id: string | undefined) =>
  cast.companies[company ?? 0]?.campaigns.findIndex((campaign) => campaign.id === id) ?? -1

function judgeStranger(exchange: Exchange, known: Known): string | null {
  const { company, body, answer, sentAt } = exchange
  const [phone, campaign] = [phoneOf(known.cast, body.from), campaignOf(exchange, known, body.campaignId)]
  if (answer?.body.data.lead !== null || known.restored.has(company)) return null
  const missed = known.leads.find(
    (lead) =>
      lead.company === company &&
      lead.phone === phone &&
      (body.campaignId === undefined || lead.campaign === campaign) &&
      lead.erasedBy === null &&
      (lead.exchange.answeredAt ?? Number.POSITIVE_INFINITY) < sentAt,
  )
  return missed === undefined ? null : `lead ${missed.externalId} rings, and is a stranger`
}

function judgeNo(exchange: Exchange, known: Known): string | null {
  const { company, body, answer, sentAt } = exchange
  const { suppressed, campaign } = answer?.body.data ?? {}
  const phone = phoneOf(known.cast, body.from)
  const no = known.noes.find(
    (one) =>
      covers(one, company as number, campaignOf(exchange, known, campaign?.id), phone) &&
      (one.exchange.answeredAt ?? Number.POSITIVE_INFINITY) < sentAt &&
      !isLifted(known, one),
  )
  return no === undefined || suppressed ? null : `phone ${phone} rings, and the agent is not told of its no`
}

function judgeCall({ body, answer }: Exchange): string | null {
  const { lead, call, openCall } = answer?.body.data ?? {}
  return body.take && lead !== null && call === null && openCall === null
    ? `${body.from} rings, is on no call, and the agent is given none`
    : null
}
