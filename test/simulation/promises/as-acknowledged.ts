// 1c. Each field of a lead is what was acknowledged last, wherever the lead is read; its status and attempts are those
// that it has.

import type { Known } from '../model/known.ts'
import { fields, mayShow, shown } from '../model/lead-fields.ts'
import { keyOf } from '../model/moves.ts'
import type { Exchange } from '../observed.ts'
import type { Promised } from './promise.ts'

// biome-ignore lint/suspicious/noExplicitAny: a lead as the API has it
type Read = Readonly<Record<string, any>>

export const asAcknowledged: Promised = {
  name: 'as acknowledged',

  onAnswer(exchange, known) {
    const { answer, company } = exchange
    if (answer?.status !== 200 || company === null || known.restored.has(company)) return null
    for (const lead of leadsIn(answer.body?.data)) {
      const wrong = judge(lead, exchange, known)
      if (wrong !== null) return wrong
    }
    return null
  },
}

function leadsIn(data: Read | null | undefined): readonly Read[] {
  if (data == null || typeof data !== 'object') return []
  const { lead, leads, calls } = data
  const of = (list: unknown): readonly Read[] => (Array.isArray(list) ? list : [])
  const all = [lead, ...of(leads), ...of(calls).map((call) => call?.lead)]
  return all.filter((one) => one?._id !== undefined && one.phoneNumber !== undefined)
}

function judge(read: Read, exchange: Exchange, known: Known): string | null {
  const { operation, sentAt, answeredAt, company } = exchange
  const lead = known.leads.find(({ leadId }) => leadId === read._id)
  if (lead === undefined || lead.erasedBy !== null) return null
  for (const field of fields) {
    const values = mayShow(known, lead, field, sentAt, answeredAt as number)
    if (!values.includes(shown(field, read[field])))
      return `${operation} shows ${field} ${shown(field, read[field])} of lead ${lead.externalId}, and not ${values}`
  }
  const seq = Number.parseInt(lead.leadId.slice(11, 25), 16)
  const row = known.leadsSeen.get(keyOf(company as number, seq))
  const isQuiet = (known.movedAt[company as number] ?? 0) < sentAt
  const isSame = row?.status === read.status && row?.attempts === read.attempts
  return !isQuiet || row === undefined || isSame
    ? null
    : `${operation} shows lead ${lead.externalId} as ${read.status} after ${read.attempts}, ` +
        `and it is ${row.status} after ${row.attempts}`
}
