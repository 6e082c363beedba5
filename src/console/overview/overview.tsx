// One screen for a campaign, readable in ten seconds: is it calling, how its leads are doing, and what blocks them. One
// that never had a lead shows what to do first instead.

import { useState } from 'preact/hooks'
import { hasLead } from '../campaigns/done-by-api.ts'
import { FirstSteps } from '../campaigns/first-steps.tsx'
import { useSession } from '../service/session.ts'
import type { CampaignWatch, Watched } from '../service/watch-campaign.ts'
import { Card } from '../ui/card.tsx'
import { CampaignHead } from './campaign-head.tsx'
import type { Span } from './funnel.ts'
import { FunnelPanel } from './funnel-panel.tsx'
import { HoursPanel } from './hours-panel.tsx'
import { LiveCallsPanel } from './live-calls-panel.tsx'

type Props = {
  readonly watch: CampaignWatch
  readonly watched: Watched
  readonly span: Span
  readonly onSpan: (span: Span) => void
}

/** Campaigns that had no lead when this page was opened. */
const begun = new Set<string>()

export function Overview({ watch, watched, span, onSpan }: Props) {
  const { rights } = useSession()
  const { campaign, dialer, liveCalls, stats, statsSpan } = watched
  // The steps stay when the first lead arrives, also when somebody returns from importing it: it has to be called.
  if (rights.write && !hasLead(stats)) begun.add(campaign.id)
  const [isStarted, setIsStarted] = useState(false)
  const showOverview = () => {
    begun.delete(campaign.id)
    setIsStarted(true)
    watch.refresh()
  }
  const isUnused = (begun.has(campaign.id) || !hasLead(stats)) && !isStarted && !campaign.archived
  const head = (
    <CampaignHead
      watched={watched}
      isUnused={isUnused}
      onCampaign={watch.setCampaign}
      onRefresh={watch.refresh}
    />
  )
  if (isUnused)
    return (
      <div class="overview unused">
        {head}
        {rights.write ? (
          <FirstSteps campaign={campaign} dialer={dialer} onDone={showOverview} onTick={watch.refresh} />
        ) : (
          <Card title="First steps">
            <p class="muted">No leads yet.</p>
          </Card>
        )}
      </div>
    )
  return (
    <div class="overview">
      {head}
      <div class="stack">
        {liveCalls !== null && liveCalls.length > 0 && (
          <LiveCallsPanel calls={liveCalls} campaign={campaign} />
        )}
        <FunnelPanel watched={watched} />
      </div>
      <HoursPanel stats={statsSpan === span ? stats : null} campaign={campaign} span={span} onSpan={onSpan} />
    </div>
  )
}
