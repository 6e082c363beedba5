// The leads of a campaign: its list, or the one that is open.

import { useEffect, useRef, useState } from 'preact/hooks'
import type { Campaign } from '../../sdk/src/models.ts'
import { companyHashOf, hashOf } from '../place.ts'
import { useSession } from '../service/session.ts'
import type { Round } from '../service/use-reading.ts'
import { zoneOf } from '../ui/words/zone-time.ts'
import { LeadCard } from './lead-card.tsx'
import { LeadFinder } from './list/lead-finder.tsx'
import { forgetLeads, isOpenedFromSearch } from './list/list-memory.ts'

type Props = { readonly campaign: Campaign; readonly leadId: string | null; readonly round: Round }

export function LeadsPage({ campaign, leadId, round }: Props) {
  const [isErased, setIsErased] = useState(false)
  useEffect(() => {
    if (leadId !== null) setIsErased(false)
  }, [leadId])
  if (leadId !== null)
    return (
      <OpenLead
        key={leadId}
        campaign={campaign}
        leadId={leadId}
        round={round}
        onErased={() => setIsErased(true)}
      />
    )
  if (isErased) return <Erased onClose={() => setIsErased(false)} />
  return <LeadFinder campaign={campaign} round={round} zone={zoneOf(campaign)} />
}

type OpenProps = Props & { readonly leadId: string; readonly onErased: () => void }

function OpenLead({ campaign, leadId, round, onErased }: OpenProps) {
  const session = useSession()
  const [isFromSearch] = useState(() => isOpenedFromSearch(session, leadId))
  /** All leads of the number are gone: nothing of them stays on the page or in its history. */
  const forget = () => {
    forgetLeads(session)
    onErased()
    location.replace(hashOf(campaign.id, 'leads'))
  }
  return (
    <div class="alone">
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

function Erased({ onClose }: { readonly onClose: () => void }) {
  const { rights } = useSession()
  const title = useRef<HTMLHeadingElement>(null)
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
      <button type="button" onClick={onClose}>
        Back to the leads
      </button>
    </section>
  )
}
