// One screen for a campaign, readable in ten seconds: is it calling, how its leads are doing, and what blocks them.

import type { CampaignWatch, Watched } from '../service/watch-campaign.ts'
import { zoneOf } from '../ui/words/zone-time.ts'
import { CampaignHead } from './campaign-head.tsx'
import type { Span } from './funnel.ts'
import { FunnelPanel } from './funnel-panel.tsx'
import { HoursPanel } from './hours-panel.tsx'
import { LiveCallsPanel } from './live-calls-panel.tsx'
import { QueuePanel } from './queue-panel.tsx'

type Props = {
  readonly watch: CampaignWatch
  readonly watched: Watched
  readonly span: Span
  readonly onSpan: (span: Span) => void
}

export function Overview({ watch, watched, span, onSpan }: Props) {
  const { campaign, calls, statsSpan } = watched
  const stats = watched.stats?.data ?? null
  return (
    <div class="overview">
      <CampaignHead watched={watched} onCampaign={watch.setCampaign} onRefresh={watch.refresh} />
      <FunnelPanel stats={stats} span={statsSpan} />
      <HoursPanel
        stats={statsSpan === span ? stats : null}
        zone={zoneOf(campaign)}
        span={span}
        onSpan={onSpan}
      />
      <QueuePanel campaign={campaign} stats={stats} />
      {calls !== null && <LiveCallsPanel calls={calls.data.calls} campaign={campaign} />}
    </div>
  )
}
