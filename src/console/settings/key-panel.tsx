// The key that looks: what it may do, what is left of its hour, and what became of the company's keys.
import { useState } from 'preact/hooks'
import type { EventPage, LogEvent } from '../leads/lead-events.ts'
import { type KeyHour, query } from '../service/api.ts'
import { useSession } from '../service/session.ts'
import type { Campaign } from '../service/wire.ts'
import { about, counted, share } from '../ui/number-words.ts'
import { fullTime } from '../ui/zone-time.ts'

type Props = { readonly hour: KeyHour | null; readonly campaign: Campaign }

const keyTypes = 'key.created,key.rotated,key.revoked'

export function KeyPanel({ hour, campaign }: Props) {
  const { ask, rights } = useSession()
  const [events, setEvents] = useState<readonly LogEvent[] | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const may = [
    rights.read && 'list leads',
    rights.write && 'write leads and suppress',
    rights.agent && 'call',
    rights.manage && 'manage',
  ].filter((word) => word !== false)

  const look = async () => {
    const { data, error } = await ask<EventPage>('GET', `/events${query({ types: keyTypes })}`)
    setEvents(data?.events ?? null)
    setFault(error)
  }
  return (
    <section class="card" aria-labelledby="key-title">
      <h2 id="key-title">This key</h2>
      <dl class="fields">
        <div>
          <dt>May</dt>
          <dd>
            {may.join(', ') || 'look'}{' '}
            {/* Of an agent's key that sees one campaign nobody can say which it is. */}
            {rights.company ? 'in all campaigns' : rights.read && 'in one campaign'}
          </dd>
        </div>
        {hour !== null && (
          <div>
            <dt>Its hour</dt>
            <dd>
              {counted(hour.limit - hour.remaining)} of {counted(hour.limit)} requests spent (
              {share(hour.limit - hour.remaining, hour.limit)}); whole again in {about(hour.resetSeconds)}
            </dd>
          </div>
        )}
      </dl>
      {rights.manage && rights.company && (
        <button type="button" onClick={look}>
          What became of the company’s keys
        </button>
      )}
      <p role="alert" class="fault">
        {fault}
      </p>
      {events !== null &&
        (events.length === 0 ? (
          <p class="muted">Nothing in the last 90 days.</p>
        ) : (
          <ul class="rows">
            {events.toReversed().map(({ id, type, actor, timestamp, data }) => (
              <li key={id}>
                <span>
                  {type.replace('key.', '')}{' '}
                  <span class="muted">{String(data.keyId ?? data.name ?? '')}</span>
                </span>
                <span class="muted">
                  by {actor} · {fullTime(Date.parse(timestamp), campaign.timeZone ?? 'UTC')}
                </span>
              </li>
            ))}
          </ul>
        ))}
    </section>
  )
}
