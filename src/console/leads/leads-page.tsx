// The leads of a campaign: its list, or the one that is open.

import { useEffect, useRef, useState } from 'preact/hooks'
import type { Campaign } from '../../sdk/src/models.ts'
import { companyHashOf, hashOf } from '../place.ts'
import { useSession } from '../service/session.ts'
import type { Watched } from '../service/watch-campaign.ts'
import { zoneOf } from '../ui/words/zone-time.ts'
import type { Kept } from './lead-actions.tsx'
import { LeadCard } from './lead-card.tsx'
import { describeAlsoIn, describeKeptUntil } from './lead-words.ts'
import { LeadFinder } from './list/lead-finder.tsx'
import { forgetLeads, isOpenedFromSearch } from './list/list-memory.ts'

type Props = { readonly campaign: Campaign; readonly leadId: string | null; readonly round: Watched }

export function LeadsPage({ campaign, leadId, round }: Props) {
  /** The lead that was erased here. Null: none was. */
  const [erased, setErased] = useState<{ readonly kept: Kept | null } | null>(null)
  useEffect(() => {
    if (leadId !== null) setErased(null)
  }, [leadId])
  if (leadId !== null)
    return (
      <OpenLead
        key={leadId}
        campaign={campaign}
        leadId={leadId}
        round={round}
        onErased={(kept) => setErased({ kept })}
      />
    )
  if (erased !== null)
    return <ErasedLead kept={erased.kept} zone={zoneOf(campaign)} onClose={() => setErased(null)} />
  return <LeadFinder campaign={campaign} round={round} zone={zoneOf(campaign)} counts={round.stats.status} />
}

type OpenProps = Props & { readonly leadId: string; readonly onErased: (kept: Kept | null) => void }

function OpenLead({ campaign, leadId, round, onErased }: OpenProps) {
  const session = useSession()
  const [isFromSearch] = useState(() => isOpenedFromSearch(session, leadId))
  /** All leads of the number are gone: nothing of them stays on the page or in its history. */
  const forget = (kept: Kept | null) => {
    forgetLeads(session)
    onErased(kept)
    location.replace(hashOf(campaign.id, 'leads'))
  }
  return (
    <div>
      <h1 class="unseen">Lead</h1>
      {/* A key that may not list leads opens single ones by their address. */}
      {session.rights.read && (
        <p class="back">
          {isFromSearch ? (
            <a href={companyHashOf('search')}>← Search results</a>
          ) : (
            <a href={hashOf(campaign.id, 'leads')}>← Leads</a>
          )}
        </p>
      )}
      <LeadCard leadId={leadId} campaign={campaign} round={round} onErased={forget} />
    </div>
  )
}

type ErasedProps = { readonly kept: Kept | null; readonly zone: string; readonly onClose: () => void }

function ErasedLead({ kept, zone, onClose }: ErasedProps) {
  const { rights } = useSession()
  const title = useRef<HTMLHeadingElement>(null)
  const alsoIn = kept === null ? '' : describeAlsoIn(kept)
  // The focus was on the lead that is gone.
  useEffect(() => title.current?.focus(), [])
  return (
    <section class="card empty alone" aria-labelledby="erased-title">
      <h1 id="erased-title" ref={title} tabIndex={-1}>
        Erased
      </h1>
      <p class="muted">
        {rights.company ? 'The number will not be called again.' : 'The lead is gone from this campaign.'}
      </p>
      {kept !== null && <p class="muted">{describeKeptUntil(kept.kept, zone)}</p>}
      {alsoIn !== '' && <p class="muted">{alsoIn}</p>}
      <button type="button" onClick={onClose}>
        Back to the leads
      </button>
    </section>
  )
}
