// Leads as a list of links, each with something about it.
import type { ComponentChildren } from 'preact'
import type { Campaign, Lead } from '../../sdk/src/models.ts'
import { hashOf } from '../place.ts'
import { clockTime, zoneName, zoneOf } from '../ui/words/zone-time.ts'
import { nameOf } from './lead-words.ts'

type Props = {
  readonly campaign: Campaign
  readonly leads: readonly Lead[]
  /** The one that is open. */
  readonly openId?: string | null
  /** When they were read. */
  readonly atMs: number
  readonly describe: (lead: Lead) => ComponentChildren
}

export function LeadLinks({ campaign, leads, openId, atMs, describe }: Props) {
  const zone = zoneOf(campaign)
  return (
    <>
      <ul class="rows">
        {leads.map((lead) => (
          <li key={lead._id}>
            <a
              href={hashOf(campaign.id, 'leads', lead._id)}
              title={lead.phoneNumber}
              aria-current={lead._id === openId ? 'true' : undefined}
            >
              {nameOf(lead.metadata) ?? lead.phoneNumber}
            </a>
            <span>{describe(lead)}</span>
          </li>
        ))}
      </ul>
      <p class="muted small">
        As of {clockTime(atMs, zone)}, times in {zoneName(zone)}.
      </p>
    </>
  )
}
