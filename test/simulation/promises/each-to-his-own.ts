// 5. A key does what its scope allows, in its campaign, until it is ended, as a session; a URL that was ended takes
// nothing, and no answer names a lead of another company.
import type { Known, Made } from '../model/known.ts'
import type { Exchange } from '../observed.ts'
import { operations, type Route } from '../operations.ts'
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
    return judgeRight(key, exchange, known) ?? judgeSeen(key, exchange, seen, known)
  },
}

/** As the description of the API says. A session of a member who may do more or less since is not judged. */
function judgeRight(key: Made, { operation, path, body }: Exchange, { keys, cast }: Known): string | null {
  if (!keys.includes(key)) return null
  const { scopes } = operations.get(operation) as Route
  if (!scopes.includes(key.scope ?? '')) return `a key of scope ${key.scope} sends ${operation}`
  const own = cast.companies[key.company]?.campaigns[key.campaign ?? -1]?.id
  const named = /\/campaigns\/([^/?]+)/.exec(path)?.[1] ?? body?.campaignId
  return own === undefined || named === undefined || named === own
    ? null
    : `a key of campaign ${own} sends ${operation} for campaign ${named}`
}

function judgeSeen(key: Made, { operation, answer }: Exchange, seen: Known['leads'], known: Known) {
  if (key.campaign !== null && seen.some(({ campaign }) => campaign !== key.campaign))
    return `a key of campaign ${key.campaign} is told a lead of another by ${operation}`
  if (operation !== 'listCampaigns' || key.campaign === null) return null
  const own = known.cast.companies[key.company]?.campaigns[key.campaign]?.id
  const other = answer?.body.data.campaigns.find(({ id }: { id: string }) => id !== own)
  return other === undefined ? null : `a key of campaign ${own} sees campaign ${other.id}`
}

function leadsSeen({ answer, company }: Exchange, known: Known): Known['leads'] {
  if (company === null) return []
  const text = JSON.stringify(answer?.body)
  return known.leads.filter(
    ({ leadId, externalId }) => text.includes(`"${leadId}"`) || text.includes(`"${externalId}"`),
  )
}
