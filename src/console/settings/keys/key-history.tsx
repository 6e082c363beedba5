// What happened to the keys of the company, from the event log.
import { useState } from 'preact/hooks'
import { limits } from '../../../base/limits.ts'
import type { EventList } from '../../../sdk/src/models.ts'
import { useSession } from '../../service/session.ts'
import { useAction } from '../../service/use-action.ts'
import { Button } from '../../ui/controls.tsx'
import { FeedbackLine } from '../../ui/feedback.tsx'
import { fullTime } from '../../ui/words/zone-time.ts'

type Props = {
  readonly zone: string
  /** The name of a key or of the operator, from its id. */
  readonly nameOf: (keyId: string) => string
}

const keyTypes = 'key.created,key.created_by_operator,key.rotated,key.revoked'

export function KeyHistory({ zone, nameOf }: Props) {
  const { client } = useSession()
  const [events, setEvents] = useState<EventList['events'] | null>(null)
  const { feedback, run } = useAction()
  const load = async () => {
    const { data } = await run(() => client.events.list({ types: keyTypes }).page())
    if (data !== null) setEvents(data.events)
  }
  return (
    <>
      <Button aria-expanded={events !== null} onClick={events === null ? load : () => setEvents(null)}>
        Key history
      </Button>
      <FeedbackLine feedback={feedback} />
      {events?.length === 0 && <p class="muted">No changes in the last {limits.eventsKeptDays} days.</p>}
      {events !== null && events.length > 0 && (
        <ul class="rows" aria-label="Key history">
          {events.toReversed().map(({ id, type, actor, actorName, timestamp, data }) => (
            <li key={id}>
              <span>
                {nameOf(String(data.keyId ?? ''))} <span class="muted">{type.replace('key.', '')}</span>
              </span>
              <span class="muted">
                by {actorName ?? nameOf(actor)} · {fullTime(Date.parse(timestamp), zone)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
