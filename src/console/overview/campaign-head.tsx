// The head of a campaign: its name, open or closed and until when, pause and resume, the last lead and the last call.
import { useState } from 'preact/hooks'
import { useNow } from '../service/clocks.ts'
import { useSession } from '../service/session.ts'
import type { Watched } from '../service/watch-campaign.ts'
import type { Campaign } from '../service/wire.ts'
import { closingAt } from '../settings/hours/week.ts'
import { bucketName, clockTime, localMoment, shortTime, zoneName } from '../ui/zone-time.ts'
import { spanWords } from './funnel.ts'
import type { LastCall } from './last-call.ts'
import { explainCampaign } from './why-not.ts'

type Props = {
  readonly watched: Watched
  readonly onCampaign: (campaign: Campaign) => void
  readonly onChanged: () => void
}

const hourMs = 3_600_000

export function CampaignHead({ watched, onCampaign, onChanged }: Props) {
  const { campaign, stats, lastLead, calls, lastCall, statsSpan, atMs } = watched
  const { ask, rights } = useSession()
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const nowMs = useNow(1_000)
  const zone = campaign.timeZone ?? 'UTC'
  const why = explainCampaign(campaign, atMs)

  const setPaused = async (paused: boolean) => {
    setIsBusy(true)
    const path = `/campaigns/${encodeURIComponent(campaign.id)}`
    const { data, error } = await ask<Campaign>('PATCH', path, { body: { paused } })
    setIsBusy(false)
    setFault(error)
    if (data !== null) onCampaign(data)
    else onChanged()
  }

  return (
    <section class="head" aria-labelledby="campaign-name">
      <div class="head-main">
        <h1 id="campaign-name">{campaign.name}</h1>
        <p class={`state ${why.tone}`}>
          <span class="dot" aria-hidden="true" />
          {why.title}
          {openUntil(campaign, atMs)}
        </p>
        <p class="muted">{why.advice}</p>
        <p role="alert" class="fault">
          {fault}
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
              <dd>{lastLead === null ? 'none yet' : shortTime(lastLead._creationTime, zone, nowMs)}</dd>
            </div>
          )}
          <div>
            <dt>Last call</dt>
            <dd>
              {calls !== null && calls.length > 0
                ? 'now'
                : lastCall !== null
                  ? tellLastCall(lastCall, zone, nowMs)
                  : stats !== null
                    ? `none in ${spanWords[statsSpan]}`
                    : 'counting…'}
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

function tellLastCall({ fromMs, untilMs }: LastCall, zone: string, nowMs: number): string {
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
