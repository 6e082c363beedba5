// What needs attention, at the top of each page of the campaign, with links to where it is solved.
import { companyHashOf, hashOf } from '../place.ts'
import { serviceNow } from '../service/service-clock.ts'
import { useSession } from '../service/session.ts'
import type { Watched } from '../service/watch-campaign.ts'
import { StateLine } from '../ui/card.tsx'
import { alertSentences } from './alert-sentences.ts'
import { isUncalled } from './campaign-state.ts'

type Props = {
  readonly watched: Watched
  /** The page says itself that nobody is calling. */
  readonly isOverview: boolean
}

export function AlertBar({ watched, isOverview }: Props) {
  const { keyId } = useSession()
  const { id } = watched.campaign
  const isSaid = isOverview && isUncalled(watched.campaign, watched.dialer)
  const alerts = alertSentences(watched, serviceNow(), keyId).filter(
    ({ kind }) => !(isSaid && kind === 'no_agent'),
  )
  if (alerts.length === 0) return null
  return (
    <ul class="notice alerts">
      {alerts.map(({ text, page, part, link }) => (
        <li key={text}>
          <StateLine tone="act">
            <span>
              {text}{' '}
              <a href={page === 'company' ? companyHashOf(page, part) : hashOf(id, page, part)}>{link}</a>
            </span>
          </StateLine>
        </li>
      ))}
    </ul>
  )
}
