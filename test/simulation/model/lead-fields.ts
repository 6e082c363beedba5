// What may stand in a field of a lead: what was acknowledged last, or was on its way meanwhile.
import type { Exchange } from '../observed.ts'
import type { Known, KnownLead } from './known.ts'

export const fields = [
  'phoneNumber',
  'externalId',
  'metadata',
  'scheduledFor',
  'priority',
  'timeZone',
] as const
export type Field = (typeof fields)[number]

type Write = { readonly value: unknown; readonly exchange: Exchange }

const never = Number.POSITIVE_INFINITY

/** What was refused has written nothing, and what has no answer may have. */
const endOf = ({ answer, answeredAt }: Exchange): number =>
  answer === null || answer.status >= 500 ? never : (answeredAt ?? never)
const isRefused = ({ answer }: Exchange) => answer !== null && answer.status >= 400 && answer.status < 500

/** Absent is null, and no priority is 0. */
export const shown = (field: Field, value: unknown): string =>
  JSON.stringify(value ?? (field === 'priority' ? 0 : null))

/** Each value that a read may show which was sent and answered at these moments. */
export function mayShow(
  { exchanges }: Known,
  lead: KnownLead,
  field: Field,
  sentAt: number,
  answeredAt: number,
): readonly string[] {
  const changes = exchanges.filter(
    (one) =>
      one.operation === 'changeLead' &&
      one.path.includes(lead.leadId) &&
      field in one.body &&
      one.sentAt < answeredAt &&
      !isRefused(one),
  )
  const writes: Write[] = [
    { value: lead.sent[field], exchange: lead.exchange },
    ...changes.map((exchange) => ({ value: exchange.body[field], exchange })),
  ]
  const isOver = ({ exchange }: Write) =>
    writes.some((later) => later.exchange.sentAt > endOf(exchange) && endOf(later.exchange) < sentAt)
  return writes.filter((write) => !isOver(write)).map(({ value }) => shown(field, value))
}
