// What happened to the keys of the company, from the event log.
import { useState } from 'preact/hooks'
import type { EventList } from '../../../sdk/src/models.ts'
import { useSession } from '../../service/session.ts'
import { Button } from '../../ui/controls.tsx'
import { Failure } from '../../ui/feedback.tsx'
import { fullTime } from '../../ui/words/zone-time.ts'

type Props = {
  readonly zone: string
  /** The name of a key or of the operator, from its id. */
  readonly nameOf: (keyId: string) => string
}

const keyTypes = 'key.created,key.rotated,key.revoked'

export function KeyHistory({ zone, nameOf }: Props) {
  const { ask } = useSession()
  const [events, setEvents] = useState<EventList['events'] | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const load = async () => {
    const { data, error } = await ask<EventList>('GET', '/events', { query: { types: keyTypes } })
    if (data !== null) setEvents(data.events)
    setFailure(error)
  }
  return (
    <>
      <Button aria-expanded={events !== null} onClick={events === null ? load : () => setEvents(null)}>
        Key history
      </Button>
      <Failure>{failure}</Failure>
      {events?.length === 0 && <p class="muted">No changes in the last 90 days.</p>}
      {events !== null && events.length > 0 && (
        <ul class="rows" aria-label="Key history">
          {events.toReversed().map(({ id, type, actor, timestamp, data }) => (
            <li key={id}>
              <span>
                {nameOf(String(data.keyId ?? ''))} <span class="muted">{type.replace('key.', '')}</span>
              </span>
              <span class="muted">
                by {actor === null ? 'unknown' : nameOf(actor)} · {fullTime(Date.parse(timestamp), zone)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
