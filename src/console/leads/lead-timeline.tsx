// A lead's history, newest first: its calls, changes by people, and when it was received.

import { useState } from 'preact/hooks'
import { limits } from '../../base/limits.ts'
import type { Lead, LeadIntakeEvent } from '../../sdk/src/models.ts'
import { CallDetails } from '../calls/call-details.tsx'
import { useActorNames } from '../service/names.ts'
import { serviceNow } from '../service/service-clock.ts'
import { useSession } from '../service/session.ts'
import { Button } from '../ui/controls.tsx'
import { Timeline } from '../ui/timeline.tsx'
import { clock, counted } from '../ui/words/number-words.ts'
import { fullTime, shortTime } from '../ui/words/zone-time.ts'
import { type FoundEvents, findLeadEvents } from './lead-events.ts'
import { describeOutcome, sentenceCase } from './lead-words.ts'
import { type CallLine, foldReleases, type PastCalls } from './past-calls.ts'

type Props = { readonly lead: Lead; readonly calls: PastCalls; readonly zone: string }

export function LeadTimeline({ lead, calls, zone }: Props) {
  const { client, rights } = useSession()
  const [found, setFound] = useState<FoundEvents | null>(null)
  const actorName = useActorNames(found !== null)
  const entries = [
    ...foldReleases(calls.calls).map((line) => ({
      key: line.call.callId,
      atMs: Date.parse(line.lastAt),
      shown: <CallEntry {...line} zone={zone} />,
    })),
    ...(found?.events ?? []).map((event) => ({
      key: event.id,
      atMs: Date.parse(event.timestamp),
      shown: <EventEntry event={event} actor={event.actorName ?? actorName(event.actor)} />,
    })),
    {
      key: 'received',
      atMs: lead._creationTime,
      shown: (
        <p>
          <strong>Received</strong>
        </p>
      ),
    },
  ]
  return (
    <>
      {!calls.isComplete && (
        <p class="muted small">The first {calls.calls.length} calls. Later ones are not shown.</p>
      )}
      <Timeline entries={entries} zone={zone} />
      {!rights.read ? null : found === null ? (
        <Button class="link" onClick={async () => setFound(await findLeadEvents(client, lead._id))}>
          Show change history
        </Button>
      ) : (
        <p role="status" class="muted small">
          {found.error ?? describeFound(found)}
        </p>
      )}
    </>
  )
}

const describeFound = ({ events, isComplete }: FoundEvents) =>
  `${events.length === 0 ? 'No changes' : 'Changes'} in the last ${limits.eventsKeptDays} ` +
  `days${isComplete ? '.' : ' (incomplete).'}`

function CallEntry({ call, count, zone }: CallLine & { readonly zone: string }) {
  return (
    <>
      <p>
        <strong>{describeOutcome(call.outcome)}</strong>
        {count > 1 && ` ${counted(count)} times, first ${fullTime(Date.parse(call.claimedAt), zone)}`}
        {!!call.durationSeconds && `, ${clock(call.durationSeconds * 1000)}`}
        <span class="muted">
          {' '}
          · {call.direction === 'inbound' ? 'inbound' : `attempt ${call.attempt}`}
          {call.agent !== null && ` · ${call.agent}`}
          {call.isLate && ' · reported late'}
          {call.doNotCall && ' · asked not to be called'}
        </span>
      </p>
      {call.callbackAt !== null && (
        <p class="muted">Call back {shortTime(Date.parse(call.callbackAt), zone, serviceNow())}</p>
      )}
      <CallDetails details={call.details} />
    </>
  )
}

const EventEntry = ({ event, actor }: { readonly event: LeadIntakeEvent; readonly actor: string }) => (
  <p>
    <strong>{sentenceCase(event.type.split('.').at(-1) ?? '')}</strong>
    <span class="muted"> · by {actor}</span>
  </p>
)
