// Notices above every page of a campaign: what needs attention, and whether the service can be reached and the key's
// quota is nearly used up.
import { AlertBar } from './overview/alert-bar.tsx'
import type { Quota } from './service/pace.ts'
import { useSession } from './service/session.ts'
import type { CampaignWatch } from './service/watch-campaign.ts'
import { EndingKeys } from './settings/keys/ending-keys.tsx'
import { Button } from './ui/controls.tsx'
import { about, counted } from './ui/words/number-words.ts'
import { clockTime, zoneName, zoneOf } from './ui/words/zone-time.ts'

type Props = {
  readonly watch: CampaignWatch
  readonly isOverview: boolean
  readonly quota: Quota | null
  readonly isReached: boolean
}

/** The share of the quota below which a notice is shown. */
const lowShare = 0.2

export function Notices({ watch: { watched, problem, refresh }, isOverview, quota, isReached }: Props) {
  const { rights } = useSession()
  const zone = zoneOf(watched?.campaign)
  const lastUpdate = watched && ` Last update at ${clockTime(watched.atMs, zone)} in ${zoneName(zone)}.`
  return (
    <div role="status" class="notices">
      {!isReached ? (
        <p class="notice">
          Cannot reach the service.{lastUpdate} Retrying every 30 seconds.{' '}
          <Button class="link" onClick={refresh}>
            Try now
          </Button>
        </p>
      ) : (
        problem !== null && (
          <p class="notice">
            {problem}
            {lastUpdate}
          </p>
        )
      )}
      {watched !== null && <AlertBar watched={watched} isOverview={isOverview} />}
      {watched !== null && rights.manage && (
        <EndingKeys campaignId={watched.campaign.id} zone={zone} round={watched} />
      )}
      {quota !== null && quota.remaining < quota.limit * lowShare && (
        <p class="notice">
          {counted(quota.remaining)} of {counted(quota.limit)} requests left, resets in{' '}
          {about(quota.resetSeconds)}. Use a separate key for the console.
        </p>
      )}
    </div>
  )
}
