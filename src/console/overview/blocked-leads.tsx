// On request some leads that are blocked, with what blocks each of them.

import { useState } from 'preact/hooks'
import type { Campaign, Lead, LeadStatus } from '../../sdk/src/models.ts'
import { nameOf } from '../leads/lead-words.ts'
import { hashOf } from '../place.ts'
import { settle } from '../service/answer.ts'
import { serviceNow } from '../service/service-clock.ts'
import { useSession } from '../service/session.ts'
import { useAction } from '../service/use-action.ts'
import { Button } from '../ui/controls.tsx'
import { FeedbackLine } from '../ui/feedback.tsx'
import { DataTable } from '../ui/tables/data-table.tsx'
import { countOf } from '../ui/words/number-words.ts'
import { clockTime, zoneName, zoneOf } from '../ui/words/zone-time.ts'
import { type Blocker, describeBlockers, isBlocked } from './campaign-state.ts'

type Props = { readonly campaign: Campaign }

type Shown = {
  readonly leads: readonly Lead[]
  /** By lead; one that could not be read is missing. */
  readonly blockers: ReadonlyMap<string, readonly Blocker[]>
  readonly atMs: number
}

/** Each costs a request. */
const leadsShown = 8

export function BlockedLeads({ campaign }: Props) {
  const { client } = useSession()
  const [shown, setShown] = useState<Shown | null>(null)
  const { isBusy, feedback, run } = useAction()

  const show = async () => {
    const atMs = serviceNow()
    const list = (status: LeadStatus) =>
      client.leads.list({ campaignId: campaign.id, status, limit: leadsShown }).page()
    const [attempting, raw] = await Promise.all([list('attempting'), list('raw')])
    const leads = [...attempting.leads, ...raw.leads].slice(0, leadsShown)
    const blockers = new Map<string, readonly Blocker[]>()
    await Promise.all(
      leads.map(async ({ _id }) => {
        const { data } = await settle(client.leads.explain(_id))
        if (data !== null) blockers.set(_id, data.blockers)
      }),
    )
    setShown({ leads, blockers, atMs })
  }

  return (
    <>
      <Button isOff={isBusy} aria-expanded={shown !== null} onClick={() => run(show)}>
        {isBusy ? 'Loading…' : shown === null ? 'Show blocked leads' : 'Refresh blocked leads'}
      </Button>
      <FeedbackLine feedback={feedback} />
      {shown !== null && <BlockedTable {...shown} campaign={campaign} />}
    </>
  )
}

/** Leads that can be called, or are being called, are not shown. */
function BlockedTable({ leads, blockers, atMs, campaign }: Shown & { readonly campaign: Campaign }) {
  const blocked = leads.filter(({ _id }) => isBlocked(blockers.get(_id)))
  if (leads.length === 0) return <p class="muted">No leads to call.</p>
  if (blocked.length === 0)
    return <p class="muted">None of the first {countOf(leads.length, 'lead')} is blocked.</p>
  const zone = zoneOf(campaign)
  const describe = (its: readonly Blocker[]) => describeBlockers(its, zone, atMs).map(({ words }) => words)
  return (
    <>
      <DataTable
        name="Blocked leads"
        isShort
        columns={[['Lead'], ['Blocked by']]}
        rows={blocked.map(({ _id, metadata, phoneNumber }) => ({
          key: _id,
          cells: [
            <a class="cut" href={hashOf(campaign.id, 'leads', _id)} title={phoneNumber}>
              {nameOf(metadata) ?? phoneNumber}
            </a>,
            describe(blockers.get(_id) ?? []).join(' · ') || 'unknown',
          ],
        }))}
      />
      <p class="muted small">
        As of {clockTime(atMs, zone)}, times in {zoneName(zone)}.
      </p>
    </>
  )
}
