// 5. A key or a session that was ended never reads again, a key of a campaign sees no other, a URL that was ended takes
// nothing, and no answer names a lead of another company.
import type { Known, Made } from '../model/known.ts'
import type { Exchange } from '../observed.ts'
import type { Promised } from './promise.ts'

export const eachToHisOwn: Promised = {
  name: 'each to his own',

  onAnswer(exchange, known) {
    const { operation, key: text, answer, sentAt, about } = exchange
    if (answer === null || answer.status >= 300) return null
    const { source } = (about ?? {}) as { readonly source?: Known['sources'][number] }
    if ((source?.endedBy?.answeredAt ?? Number.POSITIVE_INFINITY) < sentAt)
      return 'a URL of a source takes a post after it was ended'
    const isOfRemoved = operation === 'signIn' && known.members.includes(about as Made)
    if (isOfRemoved && ((about as Made).endedBy?.answeredAt ?? Number.POSITIVE_INFINITY) < sentAt)
      return 'a member signs in who was removed'
    const seen = leadsSeen(exchange, known)
    if (seen.some(({ company }) => company !== exchange.company))
      return `${operation} names a lead of another company`
    if (text === null) return null
    const key = [...known.keys, ...known.sessions].find((one) => one.text === text)
    if (key === undefined) return null
    const endedAt = key.endedBy?.answeredAt ?? Number.POSITIVE_INFINITY
    if (endedAt < sentAt) return `a key or a session reads ${operation} after it was ended`
    if (key.campaign !== null && seen.some(({ campaign }) => campaign !== key.campaign))
      return `a key of campaign ${key.campaign} is told a lead of another by ${operation}`
    if (operation !== 'listCampaigns' || key.campaign === null) return null
    const own = known.cast.companies[key.company]?.campaigns[key.campaign]?.id
    const other = answer.body.data.campaigns.find(({ id }: { id: string }) => id !== own)
    return other === undefined ? null : `a key of campaign ${own} sees campaign ${other.id}`
  },
}

function leadsSeen({ answer, company }: Exchange, known: Known): Known['leads'] {
  if (company === null) return []
  const text = JSON.stringify(answer?.body)
  return known.leads.filter(
    ({ leadId, externalId }) => text.includes(`"${leadId}"`) || text.includes(`"${externalId}"`),
  )
}
