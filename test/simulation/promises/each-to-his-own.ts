// 5. A key does what its scope allows, in its campaign, until it is ended, as a session; a URL that was ended takes
// nothing, and no answer names a lead of another company.
import type { Known, Made } from '../model/known.ts'
import { judgeRight, judgeSeen } from '../model/rights.ts'
import type { Exchange } from '../observed.ts'
import type { Promised } from './promise.ts'

export const eachToHisOwn: Promised = {
  name: 'each to his own',

  onAnswer(exchange, known) {
    const { operation, company, key: text, answer, sentAt, sentMs, about } = exchange
    if (answer === null || answer.status >= 300) return null
    const { source } = (about ?? {}) as { readonly source?: Known['sources'][number] }
    if ((source?.endedBy?.answeredAt ?? Number.POSITIVE_INFINITY) < sentAt)
      return 'a URL of a source takes a post after it was ended'
    const isOfRemoved = operation === 'signIn' && known.members.includes(about as Made)
    if (isOfRemoved && ((about as Made).endedBy?.answeredAt ?? Number.POSITIVE_INFINITY) < sentAt)
      return 'a member signs in who was removed'
    const seen = leadsSeen(exchange, known)
    if (seen.some((lead) => lead.company !== company)) return `${operation} names a lead of another company`
    if (text === null) return null
    const key = [...known.keys, ...known.sessions].find((one) => one.text === text)
    if (key === undefined) return null
    const endedAt = key.endedBy?.answeredAt ?? Number.POSITIVE_INFINITY
    if (endedAt < sentAt) return `a key or a session reads ${operation} after it was ended`
    if (key.endsAtMs !== null && key.endsAtMs + known.jumpedMs < sentMs && !known.restored.has(company))
      return `a key reads ${operation} after its time`
    return judgeRight(key, exchange, known) ?? judgeSeen(key, exchange, seen, known)
  },
}

function leadsSeen({ answer, company }: Exchange, known: Known): Known['leads'] {
  if (company === null) return []
  const text = JSON.stringify(answer?.body)
  return known.leads.filter(
    ({ leadId, externalId }) => text.includes(`"${leadId}"`) || text.includes(`"${externalId}"`),
  )
}
