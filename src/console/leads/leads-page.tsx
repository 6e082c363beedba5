// Finds leads by exact phone number or external id, lists the newest, and shows one.

import { useEffect, useRef, useState } from 'preact/hooks'
import type { Campaign, Lead, LeadList, LeadStatus } from '../../sdk/src/models.ts'
import { hashOf } from '../place.ts'
import { serviceNow } from '../service/service-clock.ts'
import { useSession } from '../service/session.ts'
import { type Round, useReading } from '../service/use-reading.ts'
import { Card, StatusTag } from '../ui/card.tsx'
import { Result } from '../ui/feedback.tsx'
import { statuses, statusNames } from '../ui/words/status-names.ts'
import { shortTime, zoneOf } from '../ui/words/zone-time.ts'
import { LeadCard } from './lead-card.tsx'
import { LeadLinks } from './lead-links.tsx'

type Props = { readonly campaign: Campaign; readonly leadId: string | null; readonly round: Round }

const leadsShown = 25

/** A key that may not list leads is shown the one in the address. */
export function LeadsPage(props: Props) {
  const { rights } = useSession()
  if (rights.read) return <LeadsOf {...props} />
  return (
    <div class="alone">
      <h1 class="unseen">Lead</h1>
      <LeadCard key={props.leadId} {...props} leadId={props.leadId ?? ''} />
    </div>
  )
}

function LeadsOf({ campaign, leadId, round }: Props) {
  const { ask } = useSession()
  const [wanted, setWanted] = useState('')
  const [status, setStatus] = useState<LeadStatus | ''>('')
  const [found, setFound] = useState<readonly Lead[] | null>(null)
  const [foundAtMs, setFoundAtMs] = useState(0)
  const [feedback, setFeedback] = useState<string | null>(null)

  const [erasedId, setErasedId] = useState<string | null>(null)
  const erased = useRef<HTMLHeadingElement>(null)
  const isErasedShown = erasedId !== null && (leadId === null || leadId === erasedId)
  // The focus was on the lead that is gone.
  useEffect(() => erased.current?.focus(), [isErasedShown])

  /** All leads of the number are gone: nothing of them stays on the page or in its history. */
  const forget = ({ _id, phoneNumber }: Lead) => {
    setErasedId(_id)
    setFound((before) => before?.filter((lead) => lead.phoneNumber !== phoneNumber) ?? null)
    setWanted('')
    setFeedback(null)
    location.replace(hashOf(campaign.id, 'leads'))
  }

  /** The newest request: late answers to earlier ones are dropped. */
  const turn = useRef(0)
  const list = async (members: Readonly<Record<string, string>>) => {
    const query = { campaignId: campaign.id, limit: leadsShown, ...members }
    const { data, error } = await ask<LeadList>('GET', '/leads', { query })
    return { leads: data?.leads ?? [], error }
  }

  const search = async (event: Event) => {
    event.preventDefault()
    const text = wanted.trim()
    if (text === '') return void browse(status)
    const own = ++turn.current
    setFeedback('Searching…')
    const isNumber = /^\+\d+$/.test(text)
    const byNumber = isNumber ? await list({ phoneNumber: text }) : { leads: [], error: null }
    const byId = byNumber.leads.length > 0 ? byNumber : await list({ externalId: text })
    if (own !== turn.current) return
    const [only, another] = byId.leads
    setErasedId(null)
    setFound(byId.leads)
    setFoundAtMs(serviceNow())
    setFeedback(byId.error ?? (only === undefined ? notFound(text, isNumber) : null))
    // Opens the lead that was found, and closes the one before.
    location.hash = hashOf(campaign.id, 'leads', another === undefined ? only?._id : undefined)
  }

  /** Returns whether it succeeded. */
  const browse = async (wantedStatus: LeadStatus | '') => {
    const own = ++turn.current
    const newest = await list({ order: 'newest', ...(wantedStatus !== '' && { status: wantedStatus }) })
    if (own !== turn.current) return true
    setFound(newest.leads)
    setFoundAtMs(serviceNow())
    const none = wantedStatus === '' ? 'No leads yet.' : 'No leads with this status.'
    setFeedback(newest.error ?? (newest.leads.length === 0 ? none : null))
    return newest.error === null
  }
  // The result of a search stays.
  useReading(async () => wanted.trim() !== '' || browse(status), round)

  return (
    <div class="leads">
      <Card isMain title="Leads">
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
          <span>Status</span>
          <select
            value={status}
            onChange={({ currentTarget }) => {
              const chosen = currentTarget.value as LeadStatus | ''
              setStatus(chosen)
              setWanted('')
              void browse(chosen)
            }}
          >
            <option value="">All</option>
            {statuses.map((name) => (
              <option key={name} value={name} title={name}>
                {statusNames[name]}
              </option>
            ))}
          </select>
        </label>
        <Result>{feedback}</Result>
        {found !== null && found.length > 0 && (
          <LeadLinks
            campaign={campaign}
            leads={found}
            openId={leadId}
            atMs={foundAtMs}
            describe={({ status, _creationTime }) => (
              <>
                <StatusTag status={status} /> {shortTime(_creationTime, zoneOf(campaign), serviceNow())}
              </>
            )}
          />
        )}
      </Card>
      {isErasedShown ? (
        <section class="card empty" aria-labelledby="erased-title">
          <h2 id="erased-title" ref={erased} tabIndex={-1}>
            Erased
          </h2>
          <p class="muted">The number will not be called again.</p>
        </section>
      ) : leadId === null ? (
        <section class="card empty muted">
          <p>Choose a lead, or search by exact phone number or external id.</p>
        </section>
      ) : (
        <LeadCard key={leadId} leadId={leadId} campaign={campaign} round={round} onErased={forget} />
      )}
    </div>
  )
}

function notFound(text: string, isNumber: boolean): string {
  if (isNumber) return 'No lead in this campaign has this phone number or external id.'
  return /^[\d\s()./-]+$/.test(text)
    ? 'No lead has this external id. Phone numbers start with + and the country code.'
    : 'No lead in this campaign has exactly this external id.'
}
