// The head of a campaign: its name, open or closed and until when, pause and resume, the last lead and the last call.
import { useState } from 'preact/hooks'
import { useNow } from './clocks.ts'
import { useSession } from './session.ts'
import type { Watched } from './watch-campaign.ts'
import { closingAt } from './week.ts'
import { explainCampaign } from './why-not.ts'
import type { Campaign, Stats } from './wire.ts'
import { clockTime, localMoment, shortTime, zoneName } from './zone-time.ts'

type Props = {
  readonly watched: Watched
  readonly onCampaign: (campaign: Campaign) => void
  readonly onChanged: () => void
}

export function CampaignHead({ watched, onCampaign, onChanged }: Props) {
  const { campaign, stats, isUncounted, lastLead, calls, atMs } = watched
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
            disabled={isBusy}
            onClick={() => setPaused(!campaign.paused)}
          >
            {campaign.paused ? 'Resume calling' : 'Pause calling'}
          </button>
        )}
        <dl class="facts">
          <div>
            <dt>Last lead</dt>
            <dd>
              {!rights.read
                ? 'not shown to this key'
                : lastLead === null
                  ? 'none yet'
                  : shortTime(lastLead._creationTime, zone, nowMs)}
            </dd>
          </div>
          <div>
            <dt>Last call</dt>
            <dd>
              {calls !== null && calls.length > 0
                ? 'now'
                : stats === null && !isUncounted
                  ? 'counting…'
                  : lastCall(stats, zone, nowMs)}
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

/** Counted by the hour. */
function lastCall(stats: Stats | null, zone: string, nowMs: number): string {
  if (stats === null) return 'not counted'
  const last = stats.series.findLast((bucket) => Number(bucket.claimed ?? 0) > 0)
  if (last === undefined) return 'none in this time'
  const startMs = typeof last.start === 'number' ? last.start : Date.parse(last.start)
  return `${shortTime(startMs, zone, nowMs)} to ${clockTime(startMs + 3_600_000, zone)}`
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
