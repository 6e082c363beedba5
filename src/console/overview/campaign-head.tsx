// The head of a campaign: name, open or closed and until when, pause and resume, last lead and last call.
import { useState } from 'preact/hooks'
import type { Campaign } from '../../sdk/src/models.ts'
import { useNow } from '../service/clocks.ts'
import { useSession } from '../service/session.ts'
import type { Watched } from '../service/watch-campaign.ts'
import { closingAt } from '../settings/hours/week.ts'
import { bucketName, clockTime, localMoment, shortTime, zoneName } from '../ui/zone-time.ts'
import { describeCampaign } from './campaign-state.ts'
import { spanWords } from './funnel.ts'
import type { LastCall } from './last-call.ts'

type Props = {
  readonly watched: Watched
  readonly onCampaign: (campaign: Campaign) => void
  readonly onRefresh: () => void
}

const hourMs = 3_600_000

export function CampaignHead({ watched, onCampaign, onRefresh }: Props) {
  const { campaign, stats, lastLead, calls, lastCall, statsSpan, atMs } = watched
  const { ask, rights } = useSession()
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const nowMs = useNow(1_000)
  const zone = campaign.timeZone ?? 'UTC'
  const state = describeCampaign(campaign, atMs)

  const setPaused = async (paused: boolean) => {
    setIsBusy(true)
    const path = `/campaigns/${encodeURIComponent(campaign.id)}`
    const { data, error } = await ask<Campaign>('PATCH', path, { body: { paused } })
    setIsBusy(false)
    setFailure(error)
    if (data !== null) onCampaign(data)
    else onRefresh()
  }

  return (
    <section class="head" aria-labelledby="campaign-name">
      <div class="head-main">
        <h1 id="campaign-name">{campaign.name}</h1>
        <p class={`state ${state.tone}`}>
          <span class="dot" aria-hidden="true" />
          {state.title}
          {openUntil(campaign, atMs)}
        </p>
        <p class="muted">{state.advice}</p>
        <p role="alert" class="failure">
          {failure}
        </p>
      </div>
      <div class="head-side">
        {rights.manage && (
          <button
            type="button"
            class={campaign.paused ? 'primary' : ''}
            aria-disabled={isBusy}
            onClick={() => !isBusy && setPaused(!campaign.paused)}
          >
            {campaign.paused ? 'Resume calling' : 'Pause calling'}
          </button>
        )}
        <dl class="facts">
          {rights.read && (
            <div>
              <dt>Last lead</dt>
              <dd>{lastLead === null ? 'None yet' : shortTime(lastLead._creationTime, zone, nowMs)}</dd>
            </div>
          )}
          <div>
            <dt>Last call</dt>
            <dd>
              {calls !== null && calls.length > 0
                ? 'Now'
                : lastCall !== null
                  ? describeLastCall(lastCall, zone, nowMs)
                  : stats !== null
                    ? `None in ${spanWords[statsSpan]}`
                    : 'Loading…'}
            </dd>
          </div>
          <div>
            <dt>{campaign.timeZone === null ? 'Time (no zone set)' : `Time in ${zoneName(zone)}`}</dt>
            <dd>{clockTime(nowMs, zone)}</dd>
          </div>
        </dl>
      </div>
    </section>
  )
}

function describeLastCall({ fromMs, untilMs }: LastCall, zone: string, nowMs: number): string {
  if (untilMs - fromMs > hourMs) return bucketName(fromMs, zone, 'day')
  const from = shortTime(fromMs, zone, nowMs)
  return untilMs - fromMs < hourMs ? from : `${from} to ${clockTime(untilMs, zone)}`
}

function openUntil({ queue, timeZone, callingHours, paused }: Campaign, nowMs: number): string {
  if (queue.nextOpening !== null) return ''
  const isOpen = queue.reason === null || queue.reason === 'waiting' || queue.reason === 'empty'
  if (!isOpen || timeZone === null || paused) return ''
  const { day, minute } = localMoment(nowMs, timeZone)
  const closing = closingAt(callingHours, day, minute)
  if (closing === null) return ''
  return ` · until ${closing.time} in ${zoneName(timeZone)}`
}
