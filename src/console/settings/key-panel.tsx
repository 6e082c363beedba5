// The access of the key in use: permissions, request quota, and the history of the company's keys.
import { useState } from 'preact/hooks'
import type { Campaign, EventList } from '../../sdk/src/models.ts'
import { type Quota, query } from '../service/api.ts'
import { useSession } from '../service/session.ts'
import { about, counted } from '../ui/number-words.ts'
import { fullTime } from '../ui/zone-time.ts'

type Props = { readonly quota: Quota | null; readonly campaign: Campaign }

const keyTypes = 'key.created,key.rotated,key.revoked'

export function KeyPanel({ quota, campaign }: Props) {
  const { ask, rights } = useSession()
  const [events, setEvents] = useState<EventList['events'] | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const permissions = [
    rights.read && 'list leads',
    rights.write && 'change leads and do-not-call numbers',
    rights.agent && 'make calls',
    rights.manage && 'manage',
  ].filter((word) => word !== false)

  const load = async () => {
    const { data, error } = await ask<EventList>('GET', `/events${query({ types: keyTypes })}`)
    setEvents(data?.events ?? null)
    setFailure(error)
  }
  return (
    <section class="card" aria-labelledby="key-title">
      <h2 id="key-title">Your access</h2>
      <dl class="fields">
        <div>
          <dt>Permissions</dt>
          <dd>
            {permissions.join(', ')} in {rights.company ? 'all campaigns' : 'one campaign'}
          </dd>
        </div>
        {quota !== null && (
          <div>
            <dt>Request quota</dt>
            <dd>
              {counted(quota.limit - quota.remaining)} of {counted(quota.limit)}, resets in{' '}
              {about(quota.resetSeconds)}
            </dd>
          </div>
        )}
      </dl>
      {rights.manage && rights.company && (
        <button type="button" onClick={load}>
          Key history
        </button>
      )}
      <p role="alert" class="failure">
        {failure}
      </p>
      {events !== null &&
        (events.length === 0 ? (
          <p class="muted">No changes in the last 90 days.</p>
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
