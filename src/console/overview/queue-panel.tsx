// The queue: the campaign's state, counts, and on request some leads with what blocks each of them.

import { useState } from 'preact/hooks'
import type { Campaign, Explanation, Lead, LeadList, Statistics } from '../../sdk/src/models.ts'
import { hashOf } from '../place.ts'
import { query } from '../service/api.ts'
import { serviceNow } from '../service/service-clock.ts'
import { useSession } from '../service/session.ts'
import { counted, countedUpTo } from '../ui/number-words.ts'
import { clockTime, zoneName } from '../ui/zone-time.ts'
import { type Blocker, describeBlocker, describeCampaign, describeFailingAgents } from './campaign-state.ts'
import { type Span, spanWords, suppressedIn } from './funnel.ts'

type Props = { readonly campaign: Campaign; readonly stats: Statistics | null; readonly span: Span }
type BlockedLead = { readonly lead: Lead; readonly blockers: readonly Blocker[] | null }

/** Each costs a request. */
const leadsShown = 8

export function QueuePanel({ campaign, stats, span }: Props) {
  const { ask, rights } = useSession()
  const [shown, setShown] = useState<{
    readonly leads: readonly BlockedLead[]
    readonly atMs: number
  } | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const { queued, leased, isCapped } = campaign.queue
  const state = describeCampaign(campaign, serviceNow())

  const show = async () => {
    setIsBusy(true)
    const atMs = serviceNow()
    const list = (status: string) =>
      ask<LeadList>('GET', `/leads${query({ campaignId: campaign.id, status, limit: leadsShown })}`)
    const [attempting, raw] = await Promise.all([list('attempting'), list('raw')])
    const leads = [...(attempting.data?.leads ?? []), ...(raw.data?.leads ?? [])].slice(0, leadsShown)
    const answers = await Promise.all(
      leads.map(({ _id }) => ask<Explanation>('GET', `/leads/${_id}/calling`)),
    )
    setFailure(attempting.error ?? raw.error)
    setShown({
      leads: leads.map((lead, index) => ({ lead, blockers: answers[index]?.data?.blockers ?? null })),
      atMs,
    })
    setIsBusy(false)
  }

  return (
    <section class="card queue" aria-labelledby="queue-title">
      <h2 id="queue-title">Queue</h2>
      <p class={`state ${state.tone}`}>
        <span class="dot" aria-hidden="true" />
        {state.title}
      </p>
      {describeFailingAgents(campaign, serviceNow()).map((sentence) => (
        <p key={sentence} class="failure">
          {sentence}
        </p>
      ))}
      <dl class="totals">
        <div>
          <dt>Queued</dt>
          <dd>{countedUpTo(queued, isCapped)}</dd>
        </div>
        <div>
          <dt>Being called</dt>
          <dd>
            {countedUpTo(leased, isCapped)}
            {campaign.maxLiveCalls !== null && ` of ${counted(campaign.maxLiveCalls)}`}
          </dd>
        </div>
        {stats !== null && (
          <>
            <div>
              <dt>Finished</dt>
              <dd>{counted(stats.status.concluded + stats.status.exhausted)}</dd>
            </div>
            <div>
              <dt>Blocked on arrival ({spanWords[span]})</dt>
              <dd>{counted(suppressedIn(stats))}</dd>
            </div>
          </>
        )}
      </dl>
      {rights.read && (
        <button
          type="button"
          aria-disabled={isBusy}
          aria-expanded={shown !== null}
          onClick={() => !isBusy && show()}
        >
          {isBusy ? 'Loading…' : shown === null ? 'Show blocked leads' : 'Refresh'}
        </button>
      )}
      <p role="alert" class="failure">
        {failure}
      </p>
      {shown !== null && <BlockedLeads leads={shown.leads} atMs={shown.atMs} campaign={campaign} />}
    </section>
  )
}

type BlockedProps = {
  readonly leads: readonly BlockedLead[]
  readonly atMs: number
  readonly campaign: Campaign
}

function BlockedLeads({ leads, atMs, campaign }: BlockedProps) {
  if (leads.length === 0) return <p class="muted">No leads to call.</p>
  const zone = campaign.timeZone ?? 'UTC'
  return (
    <>
      <ul class="rows">
        {leads.map(({ lead, blockers }) => (
          <li key={lead._id}>
            <a href={hashOf(campaign.id, 'leads', lead._id)}>{lead.phoneNumber}</a>
            <span>
              {blockers === null
                ? 'unknown'
                : blockers.length === 0
                  ? 'can be called now'
                  : blockers.map((one) => describeBlocker(one, zone, atMs)).join(' · ')}
            </span>
          </li>
        ))}
      </ul>
      <p class="muted small">
        As of {clockTime(atMs, zone)}, times in {zoneName(zone)}.
      </p>
    </>
  )
}
