// Why nobody is called just now: the campaign's reason, the queue, and on a click leads with what keeps each of them.

import { useState } from 'preact/hooks'
import { hashOf } from '../place.ts'
import { query } from '../service/api.ts'
import { serviceNow } from '../service/service-clock.ts'
import { useSession } from '../service/session.ts'
import type { Blocker, Calling, Campaign, Lead, LeadPage, Stats } from '../service/wire.ts'
import { counted, countedUpTo } from '../ui/number-words.ts'
import { clockTime, shortTime, zoneName } from '../ui/zone-time.ts'
import { type Span, spanWords, suppressedIn } from './funnel.ts'
import { describeBlocker, describeFailingAgents, explainCampaign } from './why-not.ts'

type Props = { readonly campaign: Campaign; readonly stats: Stats | null; readonly span: Span }
type Kept = { readonly lead: Lead; readonly blockers: readonly Blocker[] | null }

/** Each costs the key a request. */
const leadsShown = 8

export function WhyNotPanel({ campaign, stats, span }: Props) {
  const { ask, rights } = useSession()
  const [shown, setShown] = useState<{ readonly leads: readonly Kept[]; readonly atMs: number } | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const { queued, leased, isCapped } = campaign.queue
  const why = explainCampaign(campaign, serviceNow())

  const show = async () => {
    setIsBusy(true)
    const atMs = serviceNow()
    const list = (status: string) =>
      ask<LeadPage>('GET', `/leads${query({ campaignId: campaign.id, status, limit: leadsShown })}`)
    const [attempting, raw] = await Promise.all([list('attempting'), list('raw')])
    const leads = [...(attempting.data?.leads ?? []), ...(raw.data?.leads ?? [])].slice(0, leadsShown)
    const answers = await Promise.all(leads.map(({ _id }) => ask<Calling>('GET', `/leads/${_id}/calling`)))
    setFault(attempting.error ?? raw.error)
    setShown({
      leads: leads.map((lead, index) => ({ lead, blockers: answers[index]?.data?.blockers ?? null })),
      atMs,
    })
    setIsBusy(false)
  }

  return (
    <section class="card why" aria-labelledby="why-title">
      <h2 id="why-title">Why not now?</h2>
      <p class={`state ${why.tone}`}>
        <span class="dot" aria-hidden="true" />
        {why.title}
      </p>
      {describeFailingAgents(campaign, serviceNow()).map((sentence) => (
        <p key={sentence} class="fault">
          {sentence}
        </p>
      ))}
      <dl class="totals">
        <div>
          <dt>In the queue</dt>
          <dd>{countedUpTo(queued, isCapped)}</dd>
        </div>
        <div>
          <dt>Being called</dt>
          <dd>{countedUpTo(leased, isCapped)}</dd>
        </div>
        {stats !== null && (
          <>
            <div>
              <dt>Not callable any more</dt>
              <dd>{counted(stats.status.concluded + stats.status.exhausted)}</dd>
            </div>
            <div>
              <dt>Suppressed on arrival, in {spanWords[span]}</dt>
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
          {isBusy ? 'Looking…' : shown === null ? 'Show leads and what keeps them' : 'Look again'}
        </button>
      )}
      <p role="alert" class="fault">
        {fault}
      </p>
      {shown !== null && <KeptLeads kept={shown.leads} atMs={shown.atMs} campaign={campaign} />}
    </section>
  )
}

type KeptProps = {
  readonly kept: readonly Kept[]
  readonly atMs: number
  readonly campaign: Campaign
}

function KeptLeads({ kept, atMs, campaign }: KeptProps) {
  if (kept.length === 0) return <p class="muted">No lead is raw or attempting.</p>
  const zone = campaign.timeZone ?? 'UTC'
  return (
    <>
      <ul class="rows">
        {kept.map(({ lead, blockers }) => (
          <li key={lead._id}>
            <a href={hashOf(campaign.id, 'leads', lead._id)}>{lead.phoneNumber}</a>
            <span>
              {blockers === null
                ? 'not known'
                : blockers.length === 0
                  ? 'can be called now'
                  : blockers.map((one) => tellBlocker(one, zone)).join(' · ')}
            </span>
          </li>
        ))}
      </ul>
      <p class="muted small">
        Of {clockTime(atMs, zone)}. Times in {zoneName(zone)}.
      </p>
    </>
  )
}

export function tellBlocker({ code, until }: Blocker, zone: string): string {
  const words = describeBlocker(code)
  return until === null ? words : `${words}, until ${shortTime(Date.parse(until), zone, serviceNow())}`
}
