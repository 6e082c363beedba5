// The access of the key in use: permissions, request quota, and the history of the company's keys.
import { useState } from 'preact/hooks'
import type { Campaign, EventList } from '../../sdk/src/models.ts'
import type { Quota } from '../service/client.ts'
import { useSession } from '../service/session.ts'
import { Card, Facts } from '../ui/card.tsx'
import { Button } from '../ui/controls.tsx'
import { Failure } from '../ui/feedback.tsx'
import { about, counted } from '../ui/words/number-words.ts'
import { fullTime, zoneOf } from '../ui/words/zone-time.ts'

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
    const { data, error } = await ask<EventList>('GET', '/events', { query: { types: keyTypes } })
    setEvents(data?.events ?? null)
    setFailure(error)
  }
  const scope = rights.company ? 'all campaigns' : 'one campaign'
  return (
    <Card title="Your access">
      <Facts
        kind="fields"
        facts={[
          ['Permissions', `${permissions.join(', ')} in ${scope}`],
          quota !== null && [
            'Request quota',
            `${counted(quota.limit - quota.remaining)} of ${counted(quota.limit)}, resets in ${about(quota.resetSeconds)}`,
          ],
        ]}
      />
      {rights.manage && rights.company && <Button onClick={load}>Key history</Button>}
      <Failure>{failure}</Failure>
      {events?.length === 0 && <p class="muted">No changes in the last 90 days.</p>}
      {events !== null && events.length > 0 && (
        <ul class="rows">
          {events.toReversed().map(({ id, type, actor, timestamp, data }) => (
            <li key={id}>
              <span>
                {type.replace('key.', '')} <span class="muted">{String(data.keyId ?? data.name ?? '')}</span>
              </span>
              <span class="muted">
                by {actor} · {fullTime(Date.parse(timestamp), zoneOf(campaign))}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
