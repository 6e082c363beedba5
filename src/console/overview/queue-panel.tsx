// The queue: the campaign's state, counts, and on request some leads with what blocks each of them.

import { useState } from 'preact/hooks'
import type { Campaign, Explanation, Lead, LeadList, Statistics } from '../../sdk/src/models.ts'
import { LeadLinks } from '../leads/lead-links.tsx'
import { leadPath } from '../service/answer.ts'
import { serviceNow } from '../service/service-clock.ts'
import { useSession } from '../service/session.ts'
import { Card, Facts, StateLine } from '../ui/card.tsx'
import { Button } from '../ui/controls.tsx'
import { Failure } from '../ui/feedback.tsx'
import { counted, countedUpTo } from '../ui/words/number-words.ts'
import { zoneOf } from '../ui/words/zone-time.ts'
import { type Blocker, describeBlocker, describeCampaign, describeFailingAgents } from './campaign-state.ts'

type Props = { readonly campaign: Campaign; readonly stats: Statistics | null }

type Shown = {
  readonly leads: readonly Lead[]
  /** By lead; one that could not be read is missing. */
  readonly blockers: ReadonlyMap<string, readonly Blocker[]>
  readonly atMs: number
}

/** Each costs a request. */
const leadsShown = 8

export function QueuePanel({ campaign, stats }: Props) {
  const { ask, rights } = useSession()
  const [shown, setShown] = useState<Shown | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const { queued, leased, isCapped, agentsWaiting } = campaign.queue
  const state = describeCampaign(campaign, serviceNow())

  const show = async () => {
    setIsBusy(true)
    const atMs = serviceNow()
    const list = (status: string) =>
      ask<LeadList>('GET', '/leads', { query: { campaignId: campaign.id, status, limit: leadsShown } })
    const [attempting, raw] = await Promise.all([list('attempting'), list('raw')])
    const leads = [...(attempting.data?.leads ?? []), ...(raw.data?.leads ?? [])].slice(0, leadsShown)
    const blockers = new Map<string, readonly Blocker[]>()
    await Promise.all(
      leads.map(async ({ _id }) => {
        const { data } = await ask<Explanation>('GET', `${leadPath(_id)}/calling`)
        if (data !== null) blockers.set(_id, data.blockers)
      }),
    )
    setFailure(attempting.error ?? raw.error)
    setShown({ leads, blockers, atMs })
    setIsBusy(false)
  }

  const ofCap = campaign.maxLiveCalls === null ? '' : ` of ${counted(campaign.maxLiveCalls)}`
  return (
    <Card class="queue" title="Queue">
      <StateLine tone={state.tone}>{state.title}</StateLine>
      {describeFailingAgents(campaign, serviceNow()).map((sentence) => (
        <p key={sentence} class="failure">
          {sentence}
        </p>
      ))}
      <Facts
        kind="totals"
        facts={[
          ['Queued', countedUpTo(queued, isCapped)],
          ['Being called', `${countedUpTo(leased, isCapped)}${ofCap}`],
          agentsWaiting !== null && ['Agents waiting', counted(agentsWaiting)],
          stats !== null && ['Finished', counted(stats.status.concluded + stats.status.exhausted)],
        ]}
      />
      {rights.read && (
        <Button isOff={isBusy} aria-expanded={shown !== null} onClick={show}>
          {isBusy ? 'Loading…' : shown === null ? 'Show blocked leads' : 'Refresh'}
        </Button>
      )}
      <Failure>{failure}</Failure>
      {shown !== null && <BlockedLeads {...shown} campaign={campaign} />}
    </Card>
  )
}

function BlockedLeads({ leads, blockers, atMs, campaign }: Shown & { readonly campaign: Campaign }) {
  if (leads.length === 0) return <p class="muted">No leads to call.</p>
  const describe = ({ _id }: Lead) => {
    const its = blockers.get(_id)
    if (its === undefined) return 'unknown'
    if (its.length === 0) return 'can be called now'
    return its.map((one) => describeBlocker(one, zoneOf(campaign), atMs)).join(' · ')
  }
  return <LeadLinks campaign={campaign} leads={leads} atMs={atMs} describe={describe} />
}
