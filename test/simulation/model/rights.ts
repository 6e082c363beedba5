// What a key may do, and what it may be told.
import type { Exchange } from '../observed.ts'
import { operations, type Route } from '../operations.ts'
import type { Known, Made } from './known.ts'

/** As the description of the API says. A session of a member who may do more or less since is not judged. */
export function judgeRight(
  key: Made,
  { operation, path, body, answer }: Exchange,
  { keys, cast }: Known,
): string | null {
  if (!keys.includes(key)) return null
  const { scopes } = operations.get(operation) as Route
  if (!scopes.includes(key.scope ?? '')) return `a key of scope ${key.scope} sends ${operation}`
  const events: readonly { type: string }[] = operation === 'listEvents' ? answer?.body.data.events : []
  const forOthers = events.find(
    ({ type }) => key.scope !== 'manage' && !/^(?:lead\.|call\.|leads\.created$)/.test(type),
  )
  if (forOthers !== undefined) return `a key of scope ${key.scope} is told of ${forOthers.type}`
  const own = cast.companies[key.company]?.campaigns[key.campaign ?? -1]?.id
  const named = /\/campaigns\/([^/?]+)/.exec(path)?.[1] ?? body?.campaignId
  return own === undefined || named === undefined || named === own
    ? null
    : `a key of campaign ${own} sends ${operation} for campaign ${named}`
}

/** What it is told. */
export function judgeSeen(key: Made, { operation, answer }: Exchange, seen: Known['leads'], known: Known) {
  if (key.campaign !== null && seen.some(({ campaign }) => campaign !== key.campaign))
    return `a key of campaign ${key.campaign} is told a lead of another by ${operation}`
  if (operation !== 'listCampaigns' || key.campaign === null) return null
  const own = known.cast.companies[key.company]?.campaigns[key.campaign]?.id
  const other = answer?.body.data.campaigns.find(({ id }: { id: string }) => id !== own)
  return other === undefined ? null : `a key of campaign ${own} sees campaign ${other.id}`
}
