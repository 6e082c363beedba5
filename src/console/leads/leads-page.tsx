// Finds a lead by its exact phone number or external id, and shows it.

import { useEffect, useRef, useState } from 'preact/hooks'
import { hashOf } from '../place.ts'
import { query } from '../service/api.ts'
import { serviceNow } from '../service/service-clock.ts'
import { useSession } from '../service/session.ts'
import { type Round, useReading } from '../service/use-reading.ts'
import type { Campaign, Lead, LeadPage, LeadStatus } from '../service/wire.ts'
import { clockTime, shortTime, zoneName } from '../ui/zone-time.ts'
import { LeadCard } from './lead-card.tsx'

type Props = { readonly campaign: Campaign; readonly leadId: string | null; readonly round: Round }

const leadsShown = 25
const statuses: readonly LeadStatus[] = ['raw', 'attempting', 'concluded', 'exhausted']

export function LeadsPage({ campaign, leadId, round }: Props) {
  const { ask } = useSession()
  const [wanted, setWanted] = useState('')
  const [status, setStatus] = useState<LeadStatus | ''>('')
  const [found, setFound] = useState<readonly Lead[] | null>(null)
  const [foundAtMs, setFoundAtMs] = useState(0)
  const [told, setTold] = useState<string | null>(null)

  const [erasedId, setErasedId] = useState<string | null>(null)
  const erased = useRef<HTMLHeadingElement>(null)
  const isErasedShown = erasedId !== null && (leadId === null || leadId === erasedId)
  // What had the focus went with the lead.
  useEffect(() => erased.current?.focus(), [isErasedShown])

  /** All leads of the number are gone; nothing of it stays on the page, nor a way back to it. */
  const forget = ({ _id, phoneNumber }: Lead) => {
    setErasedId(_id)
    setFound((before) => before?.filter((lead) => lead.phoneNumber !== phoneNumber) ?? null)
    setWanted('')
    setTold(null)
    location.replace(hashOf(campaign.id, 'leads'))
  }

  /** The newest of what was asked: a late answer to anything else is left out. */
  const turn = useRef(0)
  const list = async (members: Readonly<Record<string, string>>) => {
    const path = `/leads${query({ campaignId: campaign.id, limit: leadsShown, ...members })}`
    const { data, error } = await ask<LeadPage>('GET', path)
    return { leads: data?.leads ?? [], error }
  }

  const search = async (event: Event) => {
    event.preventDefault()
    const text = wanted.trim()
    if (text === '') return void browse(status)
    const own = ++turn.current
    setTold('Looking…')
    const isNumber = /^\+\d+$/.test(text)
    const byNumber = isNumber ? await list({ phoneNumber: text }) : { leads: [], error: null }
    const byId = byNumber.leads.length > 0 ? byNumber : await list({ externalId: text })
    if (own !== turn.current) return
    const [only, another] = byId.leads
    setErasedId(null)
    setFound(byId.leads)
    setFoundAtMs(serviceNow())
    setTold(byId.error ?? (only === undefined ? notFound(text, isNumber) : null))
    // What was found stands beside the list, and nothing that was looked at before.
    location.hash = hashOf(campaign.id, 'leads', another === undefined ? only?._id : undefined)
  }

  /** Whether it was answered. */
  const browse = async (wantedStatus: LeadStatus | '') => {
    const own = ++turn.current
    const newest = await list({ order: 'newest', ...(wantedStatus !== '' && { status: wantedStatus }) })
    if (own !== turn.current) return true
    setFound(newest.leads)
    setFoundAtMs(serviceNow())
    const none = wantedStatus === '' ? 'No lead yet.' : `No lead is ${wantedStatus}.`
    setTold(newest.error ?? (newest.leads.length === 0 ? none : null))
    return newest.error === null
  }
  // What was looked for stays.
  useReading(async () => wanted.trim() !== '' || browse(status), round)

  return (
    <div class="leads">
      <section class="card" aria-labelledby="find-title">
        <h1 id="find-title">Leads</h1>
        <search>
          <form class="line" onSubmit={search}>
            <input
              type="search"
              aria-label="Phone number or external id"
              placeholder="+14155550123 or crm-42"
              value={wanted}
              onInput={({ currentTarget }) => setWanted(currentTarget.value)}
            />
            <button type="submit">Find</button>
          </form>
        </search>
        <label class="line small">
          <span>Newest</span>
          <select
            value={status}
            onChange={({ currentTarget }) => {
              const chosen = currentTarget.value as LeadStatus | ''
              setStatus(chosen)
              setWanted('')
              void browse(chosen)
            }}
          >
            <option value="">of all states</option>
            {statuses.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <p role="status" class="muted">
          {told}
        </p>
        {found !== null && found.length > 0 && (
          <LeadRows leads={found} atMs={foundAtMs} campaign={campaign} leadId={leadId} />
        )}
      </section>
      {isErasedShown ? (
        <section class="card empty" aria-labelledby="erased-title">
          <h2 id="erased-title" ref={erased} tabIndex={-1}>
            Erased
          </h2>
          <p class="muted">The person is erased, and the number suppressed: it is not called again.</p>
        </section>
      ) : leadId === null ? (
        <section class="card empty muted">
          <p>Choose a lead, or find one by its exact phone number or external id.</p>
        </section>
      ) : (
        <LeadCard key={leadId} leadId={leadId} campaign={campaign} round={round} onErased={forget} />
      )}
    </div>
  )
}

function notFound(text: string, isNumber: boolean): string {
  if (isNumber) return 'No lead of this campaign has that phone number or external id.'
  return /^[\d\s()./-]+$/.test(text)
    ? 'No lead has that external id. A phone number begins with + and its country code.'
    : 'No lead of this campaign has that external id. It must be exactly the same.'
}

type RowsProps = {
  readonly leads: readonly Lead[]
  readonly atMs: number
  readonly campaign: Campaign
  readonly leadId: string | null
}

function LeadRows({ leads, atMs, campaign, leadId }: RowsProps) {
  const zone = campaign.timeZone ?? 'UTC'
  return (
    <>
      <ul class="rows">
        {leads.map((lead) => (
          <li key={lead._id}>
            <a
              href={hashOf(campaign.id, 'leads', lead._id)}
              aria-current={lead._id === leadId ? 'true' : undefined}
            >
              {lead.phoneNumber}
            </a>
            <span>
              <span class={`tag ${lead.status}`}>{lead.status}</span>{' '}
              {shortTime(lead._creationTime, zone, serviceNow())}
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
