// The life of a lead in order, the newest first: its calls, what people did with it, and its beginning.

import { useState } from 'preact/hooks'
import { serviceNow } from '../service/service-clock.ts'
import { useSession } from '../service/session.ts'
import type { Lead, PastCall } from '../service/wire.ts'
import { clock } from '../ui/number-words.ts'
import { fullTime, shortTime } from '../ui/zone-time.ts'
import { type FoundEvents, findLeadEvents, type LogEvent } from './lead-events.ts'
import type { PastCalls } from './past-calls.ts'

type Props = { readonly lead: Lead; readonly calls: PastCalls; readonly zone: string }

export function LeadTimeline({ lead, calls, zone }: Props) {
  const { ask, rights } = useSession()
  const [found, setFound] = useState<FoundEvents | null>(null)
  const entries = [
    ...calls.calls.map((call) => ({ atMs: Date.parse(call.claimedAt), call, event: null })),
    ...(found?.events ?? []).map((event) => ({ atMs: Date.parse(event.timestamp), call: null, event })),
  ].toSorted((one, other) => other.atMs - one.atMs)
  return (
    <>
      {!calls.isWhole && (
        <p class="muted small">The first {calls.calls.length} calls. There are later ones.</p>
      )}
      <ol class="timeline">
        {entries.map(({ atMs, call, event }) => (
          <li key={call?.callId ?? event?.id}>
            <time dateTime={new Date(atMs).toISOString()}>{fullTime(atMs, zone)}</time>
            {call !== null ? <CallEntry call={call} zone={zone} /> : <EventEntry event={event} />}
          </li>
        ))}
        <li>
          <time dateTime={new Date(lead._creationTime).toISOString()}>
            {fullTime(lead._creationTime, zone)}
          </time>
          <p>
            <strong>Came in</strong>
          </p>
        </li>
      </ol>
      {!rights.read ? null : found === null ? (
        <button
          type="button"
          class="link"
          onClick={async () => setFound(await findLeadEvents(ask, lead._id))}
        >
          Look for changes in the log
        </button>
      ) : (
        <p role="status" class="muted small">
          {found.error ??
            `${found.events.length === 0 ? 'No change' : 'Changes'} found in the log of 90 days${found.isWhole ? '.' : ', as far as it was read.'}`}
        </p>
      )}
    </>
  )
}

function CallEntry({ call, zone }: { readonly call: PastCall; readonly zone: string }) {
  return (
    <>
      <p>
        <strong>{call.outcome === null ? 'Goes on' : sentenceCase(call.outcome)}</strong>
        {call.durationSeconds !== null && ` after ${clock(call.durationSeconds * 1000)}`}
        <span class="muted">
          {' '}
          · attempt {call.attempt}
          {call.agent !== null && ` · ${call.agent}`}
          {call.isLate && ' · reported late'}
          {call.doNotCall && ' · asked not to be called'}
        </span>
      </p>
      {call.callbackAt !== null && (
        <p class="muted">Call back {shortTime(Date.parse(call.callbackAt), zone, serviceNow())}</p>
      )}
      {call.details !== null && (
        <details>
          <summary>Details</summary>
          <pre>{JSON.stringify(call.details, null, 2).slice(0, 20_000)}</pre>
        </details>
      )}
    </>
  )
}

function EventEntry({ event }: { readonly event: LogEvent | null }) {
  return (
    <p>
      <strong>{sentenceCase(event?.type.split('.').at(-1) ?? '')}</strong>
      <span class="muted"> · by {event?.actor}</span>
    </p>
  )
}

function sentenceCase(code: string): string {
  const words = code.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
