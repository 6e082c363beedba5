// Notices above every page: the service cannot be reached, parts are old, or the key's quota is nearly used up.
import type { Quota } from './service/client.ts'
import { describeAges } from './service/dated.ts'
import type { CampaignWatch } from './service/watch-campaign.ts'
import { Button } from './ui/controls.tsx'
import { about, counted } from './ui/words/number-words.ts'
import { clockTime, zoneName, zoneOf } from './ui/words/zone-time.ts'

type Props = {
  readonly watch: CampaignWatch
  readonly quota: Quota | null
  readonly isReached: boolean
}

/** The share of the quota below which a notice is shown. */
const lowShare = 0.2

export function Notices({ watch: { watched, problem, refresh }, quota, isReached }: Props) {
  const zone = zoneOf(watched?.campaign)
  const lastUpdate = watched && ` Last update at ${clockTime(watched.atMs, zone)} in ${zoneName(zone)}.`
  const parts = [
    ['statistics', watched?.stats ?? null],
    ['last lead', watched?.newest ?? null],
    ['live calls', watched?.calls ?? null],
  ] as const
  return (
    <div role="status" class="notices">
      {!isReached ? (
        <p class="notice">
          Cannot reach the service.{lastUpdate} Retrying every 30 seconds.{' '}
          <Button class="link" onClick={refresh}>
            Try now
          </Button>
        </p>
      ) : problem !== null ? (
        <p class="notice">
          {problem}
          {lastUpdate}
        </p>
      ) : (
        describeAges(parts, zone).map((age) => (
          <p key={age} class="notice">
            {age}
          </p>
        ))
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
