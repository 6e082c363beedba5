// One lead: its fields, what keeps it from being called, its calls, and what can be done with it.
import { useEffect, useRef, useState } from 'preact/hooks'
import { ChangeLead } from './change-lead.tsx'
import { LeadActions } from './lead-actions.tsx'
import { LeadTimeline } from './lead-timeline.tsx'
import { type PastCalls, readPastCalls } from './past-calls.ts'
import { useSession } from './session.ts'
import { type Told, ToldLine } from './told.tsx'
import { type Round, useReading } from './use-reading.ts'
import { tellBlocker } from './why-not-panel.tsx'
import type { Calling, Campaign, Lead } from './wire.ts'
import { fullTime, fullTimeInZone, zoneName } from './zone-time.ts'

type Props = {
  readonly leadId: string
  readonly campaign: Campaign
  readonly round: Round
  readonly onErased?: (lead: Lead) => void
}

type Known = {
  readonly lead: Lead
  readonly etag: string | null
  readonly calling: Calling | null
  readonly calls: PastCalls
}

export function LeadCard({ leadId, campaign, round, onErased }: Props) {
  const { ask, rights } = useSession()
  const [known, setKnown] = useState<Known | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [isChanging, setIsChanging] = useState(false)
  const [told, setTold] = useState<Told | null>(null)
  const change = useRef<HTMLButtonElement>(null)

  const load = async () => {
    const path = `/leads/${encodeURIComponent(leadId)}`
    const [lead, calling, calls] = await Promise.all([
      ask<{ lead: Lead }>('GET', path),
      ask<Calling>('GET', `${path}/calling`),
      readPastCalls(ask, leadId),
    ])
    setFault(lead.status === 404 ? 'This lead is not there. It may have been erased.' : lead.error)
    setKnown(
      lead.data === null ? null : { lead: lead.data.lead, etag: lead.etag, calling: calling.data, calls },
    )
    return lead.data !== null || lead.status === 404
  }
  // A form that is filled in belongs to the lead as it was read.
  useReading(async () => isChanging || (await load()), round)
  const isChangeEnded = useRef(false)
  useEffect(() => {
    if (isChangeEnded.current) change.current?.focus()
    isChangeEnded.current = isChanging
  }, [isChanging])
  // Where the card stands below the list, whoever chose a lead would not see it.
  const title = useRef<HTMLHeadingElement>(null)
  const isKnown = known !== null
  useEffect(() => title.current?.focus(), [isKnown])

  if (known === null) {
    return (
      <section class="card empty" aria-live="polite">
        <p class={fault === null ? 'muted' : 'fault'}>{fault ?? 'Looking…'}</p>
      </section>
    )
  }
  const { lead, calling, calls, etag } = known
  const zone = campaign.timeZone ?? 'UTC'
  return (
    <section class="card lead" aria-labelledby="lead-title">
      <div class="card-head">
        <h2 id="lead-title" ref={title} tabIndex={-1}>
          {lead.phoneNumber}
        </h2>
        <span class={`tag ${lead.status}`}>{lead.status}</span>
      </div>
      <Blockers calling={calling} zone={zone} />
      <Fields lead={lead} zone={zone} />
      {isChanging ? (
        <ChangeLead
          lead={lead}
          etag={etag}
          onEnd={({ isSaved, isOld }) => {
            setIsChanging(false)
            setTold(isSaved ? { text: 'Saved.', isFault: false } : null)
            if (isSaved || isOld) void load()
          }}
        />
      ) : (
        rights.write && (
          <LeadActions
            lead={lead}
            changeButton={change}
            onChange={() => {
              setTold(null)
              setIsChanging(true)
            }}
            onDone={() => void load()}
            onErased={() => onErased?.(lead)}
            onTold={setTold}
          />
        )
      )}
      <ToldLine told={told} />
      <h3>Calls</h3>
      <LeadTimeline lead={lead} calls={calls} zone={zone} />
      <p class="muted small">Times in {zoneName(zone)}.</p>
    </section>
  )
}

function Blockers({ calling, zone }: { readonly calling: Calling | null; readonly zone: string }) {
  if (calling === null) return null
  if (calling.callable) {
    return (
      <p class="state good">
        <span class="dot" aria-hidden="true" />
        Can be called now
      </p>
    )
  }
  return (
    <ul class="plain">
      {calling.blockers.map((blocker) => (
        <li key={blocker.code} class="state wait">
          <span class="dot" aria-hidden="true" />
          {tellBlocker(blocker, zone)}
        </li>
      ))}
    </ul>
  )
}

function Fields({ lead, zone }: { readonly lead: Lead; readonly zone: string }) {
  const metadata = Object.entries(lead.metadata ?? {})
  const rows: readonly (readonly [string, string])[] = [
    ['External id', lead.externalId ?? 'not set'],
    ['Priority', String(lead.priority)],
    ['Attempts', String(lead.attempts)],
    ['Scheduled for', tellScheduled(lead, zone)],
    ['Time zone', lead.timeZone ?? 'the campaign’s'],
    ['Came in', fullTime(lead._creationTime, zone)],
    ...metadata.map(
      ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
    ),
  ]
  return (
    <dl class="fields">
      {rows.map(([name, value], index) => (
        <div key={`${index} ${name}`}>
          <dt>{name}</dt>
          <dd>{value.length > 2_000 ? `${value.slice(0, 2_000)}…` : value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Some offsets are read by the service alone. */
function tellScheduled({ scheduledFor }: Lead, zone: string): string {
  if (scheduledFor === undefined) return 'as soon as possible'
  const timeMs = Date.parse(scheduledFor)
  return Number.isNaN(timeMs) ? scheduledFor : fullTimeInZone(timeMs, zone)
}
