// A campaign in the list: its state in words, its queue, agents that wait, and today's activity.
import { limits } from '../../limits.ts'
import type { ListedCampaign } from '../../sdk/src/models.ts'
import { describeCampaign } from '../overview/campaign-state.ts'
import { hashOf } from '../place.ts'
import { useSession } from '../service/session.ts'
import { Facts, StateLine } from '../ui/card.tsx'
import { counted } from '../ui/words/number-words.ts'
import { ArchiveCampaign } from './archive-campaign.tsx'

type Props = {
  readonly campaign: ListedCampaign
  /** When it was read. */
  readonly atMs: number
  readonly onArchived: (words: string) => void
}

export function CampaignRow({ campaign, atMs, onArchived }: Props) {
  const { rights } = useSession()
  const { id, name, archived, queue, dialer, today } = campaign
  // A page with overviews has both.
  if (queue === undefined || today === undefined) return null
  const { queued, isCapped, agentsWaiting } = queue
  const state = describeCampaign({ ...campaign, queue }, atMs, { dialer })
  return (
    <li class="campaign">
      <div>
        <h2>
          <a href={hashOf(id, 'overview')}>{name}</a>
        </h2>
        <p class="muted small cut">{id}</p>
        {!archived && <StateLine tone={state.tone}>{state.title}</StateLine>}
      </div>
      <Facts
        kind="facts"
        facts={[
          ['Queue', `${counted(queued)}${isCapped && queued >= limits.leadsCountedPerOverview ? '+' : ''}`],
          !archived && ['Agents waiting', agentsWaiting === null ? 'Unknown' : counted(agentsWaiting)],
          !archived && ['Leads today', counted(today.created)],
          !archived && ['Calls today', counted(today.called)],
          !archived && ['Answered today', counted(today.answered)],
        ]}
      />
      {rights.manage && <ArchiveCampaign campaign={campaign} onDone={onArchived} />}
    </li>
  )
}
