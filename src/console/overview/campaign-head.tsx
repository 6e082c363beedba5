// The head of a campaign: name, open or closed and until when, pause and resume, last lead and last call.
import type { Campaign } from '../../sdk/src/models.ts'
import { describeDialer } from '../calling/dialer-words.ts'
import { hashOf } from '../place.ts'
import { useNow } from '../service/clocks.ts'
import { useSession } from '../service/session.ts'
import { useAction } from '../service/use-action.ts'
import type { Watched } from '../service/watch-campaign.ts'
import { Facts, StateLine } from '../ui/card.tsx'
import { Button } from '../ui/controls.tsx'
import { FeedbackLine } from '../ui/feedback.tsx'
import { clockTime, pickerTime, zoneName, zoneOf } from '../ui/words/zone-time.ts'
import { describeWebhooks } from './alert-sentences.ts'
import { describeCampaign, isUncalled, needsAgent, openUntil } from './campaign-state.ts'
import { spanWords } from './funnel.ts'
import { describeSeen, timeAgo } from './last-seen.ts'
import { ResumePreview } from './resume-preview.tsx'

type Props = {
  readonly watched: Watched
  /** It never had a lead: what to do first is shown below. */
  readonly isUnused: boolean
  readonly onCampaign: (campaign: Campaign) => void
  readonly onRefresh: () => void
}

export function CampaignHead({ watched, isUnused, onCampaign, onRefresh }: Props) {
  const { campaign, dialer, alerts, webhooks, atMs, lastLeadAtMs } = watched
  const { client, rights } = useSession()
  const { isBusy, feedback, run } = useAction()
  const nowMs = useNow(1_000)
  const zone = zoneOf(campaign)
  const noAgent = alerts?.find(({ kind }) => kind === 'no_agent')
  const state = describeCampaign(campaign, atMs, {
    dialer,
    noAgentSince: noAgent?.since,
  })
  const canPause = rights.manage && !campaign.archived
  const { requireConsent, queue } = campaign
  const around = [
    // Its state is the title.
    dialer?.status &&
      dialer.status !== 'off' &&
      `Dialer: ${lowerFirst(describeDialer({ ...dialer, status: dialer.status }, queue).title)}`,
    requireConsent !== null && `Consent required: ${requireConsent.purpose}`,
  ]
    .filter((part) => part)
    .join(' · ')
  const delivery = describeWebhooks(webhooks ?? [])

  const setPaused = async (paused: boolean) => {
    const { data } = await run(() => client.campaigns.update(campaign.id, { paused }), 'Saved.')
    if (data !== null) onCampaign(data)
    else onRefresh()
  }
  return (
    <section class="head" aria-labelledby="campaign-name">
      <div class="head-main group">
        <h1 id="campaign-name">{campaign.name}</h1>
        <StateLine tone={state.tone}>
          {state.title}
          {!isUncalled(campaign, dialer) && untilClosing(campaign, atMs)}
        </StateLine>
        <p class="muted">
          {!(isUnused && campaign.queue.reason === 'empty') && state.advice}
          {isUncalled(campaign, dialer) && state.tone !== 'calm' && rights.manage && (
            <>
              {' '}
              {needsAgent(campaign, dialer) ? (
                <a href={hashOf(campaign.id, 'connect')}>How to start an agent</a>
              ) : (
                <a href={hashOf(campaign.id, 'calling')}>Open Calling</a>
              )}
            </>
          )}
        </p>
        {around !== '' && <p class="muted small">{around}</p>}
        {canPause && campaign.paused && <ResumePreview campaignId={campaign.id} />}
        <FeedbackLine feedback={feedback} />
      </div>
      <div class="head-side">
        {canPause && (
          <Button
            class={campaign.paused ? 'primary' : ''}
            isOff={isBusy}
            onClick={() => setPaused(!campaign.paused)}
          >
            {campaign.paused ? 'Resume calling' : 'Pause calling'}
          </Button>
        )}
        <Facts
          kind="facts"
          facts={[
            delivery !== null && [
              'Webhooks',
              <span key="webhooks" class={delivery.startsWith('Failing') ? 'failure' : undefined}>
                {delivery}
              </span>,
            ],
            !isUnused &&
              rights.read && [
                'Last lead',
                lastLeadAtMs === null ? 'None' : timeAgo(lastLeadAtMs, zone, nowMs),
              ],
            !isUnused && ['Last call', describeLastCall(watched, nowMs)],
            [
              `Time in ${zoneName(zone)}${campaign.timeZone === null ? ' (this browser)' : ''}`,
              clockTime(nowMs, zone),
            ],
          ]}
        />
      </div>
    </section>
  )
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

function describeLastCall({ liveCalls, lastCall, campaign, statsSpan }: Watched, nowMs: number): string {
  if (liveCalls?.length) return 'Now'
  return lastCall === null
    ? `None in ${spanWords[statsSpan]}`
    : describeSeen(lastCall, zoneOf(campaign), nowMs)
}

/** Empty where it never closes. */
function untilClosing(campaign: Campaign, nowMs: number): string {
  const { queue, timeZone, paused } = campaign
  const isOpen = queue.reason === null || queue.reason === 'waiting' || queue.reason === 'empty'
  if (!isOpen || timeZone === null || paused || queue.nextOpening !== null) return ''
  const endMs = openUntil(campaign, nowMs)
  if (endMs === null || openUntil(campaign, endMs) !== null) return ''
  return ` · until ${pickerTime(endMs, timeZone).slice(11)} in ${zoneName(timeZone)}`
}
