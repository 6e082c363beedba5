// One lead: what blocks it, its fields, actions, consents and calls.
import { useEffect, useRef, useState } from 'preact/hooks'
import { isTimestamp, parseTimestampMs } from '../../base/timestamp.ts'
import { type ChangeableName, leadFieldTable, plainNames } from '../../queue/leads/field-table.ts'
import type { Campaign, Explanation, Lead } from '../../sdk/src/models.ts'
import { describeOrigin } from '../calls/origin-words.ts'
import { describeBlockers, isSuppressed } from '../overview/campaign-state.ts'
import { type Feedback, settle } from '../service/answer.ts'
import { type Client, leadPath } from '../service/client.ts'
import { type Dated, dated, describeAges } from '../service/dated.ts'
import { serviceNow } from '../service/service-clock.ts'
import { useSession } from '../service/session.ts'
import { type Round, useReading } from '../service/use-reading.ts'
import { type Fact, Facts, StateLine, StatusTag } from '../ui/card.tsx'
import { FeedbackLine } from '../ui/feedback.tsx'
import { fullTime, fullTimeInZone, zoneName, zoneOf } from '../ui/words/zone-time.ts'
import { ChangeLead } from './change-lead.tsx'
import { type Kept, LeadActions } from './lead-actions.tsx'
import { LeadConsents } from './lead-consents.tsx'
import { LeadTimeline } from './lead-timeline.tsx'
import { nameOf } from './lead-words.ts'
import { metadataOf, readableMembersOf } from './metadata-text.ts'
import { type PastCalls, readPastCalls } from './past-calls.ts'

type Props = {
  readonly leadId: string
  readonly campaign: Campaign
  readonly round: Round
  readonly onErased?: (kept: Kept | null) => void
}

/** `metadata` is JSON text. */
type Read = { readonly lead: Lead; readonly metadata: string; readonly etag: string | null }

type Known = {
  readonly read: Dated<Read>
  readonly calling: Dated<Explanation> | null
  readonly calls: Dated<PastCalls> | null
}

async function readLead({ send }: Client, leadId: string): Promise<Read> {
  const { data, text, headers } = await send<{ lead: Lead }>({
    ...{ method: 'GET', path: leadPath(leadId), query: { include: 'origin' } },
  })
  return { lead: data.lead, metadata: metadataOf(text), etag: headers.get('etag') }
}

/** The lead, read once a round, and when `load` is called. */
function useLead(leadId: string, round: Round) {
  const { client } = useSession()
  const [known, setKnown] = useState<Known | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  /** The newest request: late answers to earlier ones are dropped. */
  const turn = useRef(0)
  const load = async () => {
    const own = ++turn.current
    const nowMs = serviceNow()
    const [lead, calling, calls] = await Promise.all([
      settle(readLead(client, leadId)),
      settle(client.leads.explain(leadId)),
      settle(readPastCalls(client, leadId)),
    ])
    if (own !== turn.current) return true
    setFailure(lead.status === 404 ? 'Lead not found. It may have been erased.' : lead.error)
    setKnown((before) => {
      const read = dated(lead, before?.read ?? null, nowMs)
      return (
        read && {
          read,
          calling: dated(calling, before?.calling ?? null, nowMs),
          calls: dated(calls, before?.calls ?? null, nowMs),
        }
      )
    })
    return lead.data !== null || lead.status === 404
  }
  useReading(load, round, true)
  return { known, failure, load }
}

export function LeadCard({ leadId, campaign, round, onErased }: Props) {
  const { rights } = useSession()
  const { known, failure, load } = useLead(leadId, round)
  /** The lead as it was when the form was opened. */
  const [changing, setChanging] = useState<Read | null>(null)
  const isChanging = changing !== null
  const [feedback, setFeedback] = useState<Feedback | null>(null)
  const change = useRef<HTMLButtonElement>(null)

  const isChangeEnded = useRef(false)
  useEffect(() => {
    if (isChangeEnded.current) change.current?.focus()
    isChangeEnded.current = isChanging
  }, [isChanging])
  // In a narrow window the card is below the list, out of sight.
  const title = useRef<HTMLHeadingElement>(null)
  const isKnown = known !== null
  useEffect(() => title.current?.focus(), [isKnown])

  if (known === null) {
    return (
      <section class="card empty" aria-live="polite">
        <p class={failure === null ? 'muted' : 'failure'}>{failure ?? 'Loading…'}</p>
      </section>
    )
  }
  const { read, calling, calls } = known
  const { lead, metadata } = read.data
  const zone = zoneOf(campaign)
  const name = nameOf(lead.metadata)
  const details = detailsOf(metadata)
  const parts = [
    ['lead', read],
    ['blockers', calling],
    ['calls', calls],
  ] as const
  return (
    <section class="card" aria-labelledby="lead-title">
      <div class="card-head">
        <h2 id="lead-title" ref={title} tabIndex={-1}>
          {lead.phoneNumber}
        </h2>
        <StatusTag status={lead.status} isSuppressed={isSuppressed(calling?.data.blockers ?? [])} />
      </div>
      {name !== null && <p class="lead-name">{name}</p>}
      {describeAges(parts, zone).map((age) => (
        <p key={age} role="status" class="notice">
          {age}
        </p>
      ))}
      <div class="beside">
        <div class="main group">
          <Blockers calling={calling?.data ?? null} zone={zone} />
          {changing !== null ? (
            <ChangeLead
              lead={changing.lead}
              metadata={changing.metadata}
              etag={changing.etag}
              campaignZone={zone}
              onEnd={({ isSaved, isOld }) => {
                setChanging(null)
                setFeedback(isSaved ? { text: 'Saved.', isFailure: false } : null)
                if (isSaved || isOld) void load()
              }}
            />
          ) : (
            rights.write && (
              <LeadActions
                lead={lead}
                blockers={calling?.data.blockers ?? []}
                zone={lead.timeZone ?? zone}
                changeButton={change}
                onChange={() => {
                  setFeedback(null)
                  setChanging(read.data)
                }}
                onDone={() => void load()}
                onErased={(kept) => onErased?.(kept)}
                onFeedback={setFeedback}
              />
            )
          )}
          <FeedbackLine feedback={feedback} />
          <Facts kind="fields" facts={fieldsOf(lead, zone)} />
          {details.length > 0 && (
            <>
              <h3>Details</h3>
              <Facts kind="fields" facts={details} />
            </>
          )}
        </div>
        <div class="group">
          <h3>Calls</h3>
          <LeadTimeline lead={lead} calls={calls?.data ?? { calls: [], isComplete: true }} zone={zone} />
          {rights.read && (
            <LeadConsents
              key={lead.phoneNumber}
              phoneNumber={lead.phoneNumber}
              isRequired={campaign.requireConsent !== null}
              zone={zone}
              round={round}
            />
          )}
          <p class="muted small">Times in {zoneName(zone)}.</p>
        </div>
      </div>
    </section>
  )
}

function Blockers({ calling, zone }: { readonly calling: Explanation | null; readonly zone: string }) {
  if (calling === null) return null
  if (calling.callable) return <StateLine tone="good">Can be called now</StateLine>
  const { blockers } = calling
  const shown = isSuppressed(blockers) ? blockers.filter(({ code }) => code === 'leased') : blockers
  return (
    <ul class="group">
      {describeBlockers(shown, zone, serviceNow()).map(({ code, words }) => (
        <li key={code}>
          <StateLine tone={code === 'not_configured' || code === 'no_consent' ? 'wait' : 'calm'}>
            {words}
          </StateLine>
        </li>
      ))}
    </ul>
  )
}

const maxValueChars = 2_000

const fieldsOf = (lead: Lead, zone: string): readonly Fact[] => [
  ...plainNames.map((name): Fact => [leadFieldTable[name].label, describeField(lead, name, zone)]),
  ['Came from', describeOrigin(lead.origin) ?? 'Not known'],
  ['Attempts', lead.attempts],
  ['Received', fullTime(lead._creationTime, zone)],
]

const detailsOf = (metadata: string): readonly Fact[] =>
  readableMembersOf(metadata).map(([name, value]) => {
    const isLong = value.length > maxValueChars
    return [name, isLong ? `${value.slice(0, maxValueChars)}…` : value]
  })

/** What a lead has that has no such field; by default nothing. */
const instead: Readonly<Partial<Record<ChangeableName, string>>> = {
  scheduledFor: 'As soon as possible',
  timeZone: 'The campaign’s',
}

function describeField(lead: Lead, name: ChangeableName, zone: string): string {
  const value = `${lead[name] ?? ''}`
  if (value === '') return instead[name] ?? 'Not set'
  const isTime = leadFieldTable[name].kind === 'time' && isTimestamp(value)
  return isTime ? fullTimeInZone(parseTimestampMs(value), zone) : value
}
