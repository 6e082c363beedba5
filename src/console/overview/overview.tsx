// One screen for a campaign, readable in ten seconds: is it calling, how its leads are doing, and what blocks them.

import type { CampaignWatch, Watched } from '../service/watch-campaign.ts'
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
  const { campaign, stats, calls } = watched
  const zone = campaign.timeZone ?? 'UTC'
  return (
    <div class="overview">
      <CampaignHead watched={watched} onCampaign={watch.setCampaign} onRefresh={watch.refresh} />
      <FunnelPanel stats={stats} span={watched.statsSpan} />
      <HoursPanel stats={watched.statsSpan === span ? stats : null} zone={zone} span={span} onSpan={onSpan} />
      <QueuePanel campaign={campaign} stats={stats} span={watched.statsSpan} />
      {calls !== null && <LiveCallsPanel calls={calls} campaign={campaign} />}
    </div>
  )
}
