// The keys that this key may see: permissions, last use, and how often and why requests failed.
import type { Campaign, Key, KeyList } from '../../sdk/src/models.ts'
import { serviceNow } from '../service/service-clock.ts'
import { useSession } from '../service/session.ts'
import { type Round, useData } from '../service/use-reading.ts'
import { Card } from '../ui/card.tsx'
import { Button } from '../ui/controls.tsx'
import { Failure } from '../ui/feedback.tsx'
import { counted, countOf, share } from '../ui/words/number-words.ts'
import { shortTime, zoneName, zoneOf } from '../ui/words/zone-time.ts'

const endOf = ({ revokedAt, expiresAt }: Key) =>
  Math.min(...[revokedAt, expiresAt].map((time) => (time === null ? Infinity : Date.parse(time))))

type Props = { readonly campaign: Campaign; readonly round: Round }

export function CompanyKeys({ campaign, round }: Props) {
  const { ask } = useSession()
  const { data, failure, load } = useData(() => ask<KeyList>('GET', '/keys'), round)
  const zone = zoneOf(campaign)
  const { current = [], ended = [] } = Object.groupBy(data?.keys ?? [], (key) =>
    endOf(key) > serviceNow() ? 'current' : 'ended',
  )
  return (
    <Card title="Keys" side={<Button onClick={load}>Refresh</Button>}>
      <Failure>{failure}</Failure>
      {data !== null && (
        <>
          <p class="muted small">
            Requests in the last 7 days, counted within seconds. Times in {zoneName(zone)}.
          </p>
          <KeyRows keys={current} zone={zone} />
          {ended.length > 0 && (
            <details>
              <summary>{countOf(ended.length, 'ended key')}</summary>
              <KeyRows keys={ended} zone={zone} />
            </details>
          )}
        </>
      )}
    </Card>
  )
}

function KeyRows({ keys, zone }: { readonly keys: readonly Key[]; readonly zone: string }) {
  return (
    <ul class="rows keys">
      {keys.map((key) => (
        <li key={key.keyId}>
          <div>
            <p>
              <strong>{key.name}</strong> <span class="muted">{key.hint}</span>
            </p>
            <p class="muted small">
              {key.scope} · {key.campaignId ?? 'all campaigns'}
              {endText(key, zone)}
            </p>
          </div>
          <div class="use">
            <p>
              {countOf(key.requests, 'request')}
              <span class="muted">
                {' '}
                ·{' '}
                {key.lastUsedAt === null
                  ? 'not used'
                  : `last ${shortTime(Date.parse(key.lastUsedAt), zone, serviceNow())}`}
              </span>
            </p>
            <Refused refused={key.refused} requests={key.requests} />
          </div>
        </li>
      ))}
    </ul>
  )
}

function endText(key: Key, zone: string): string {
  const endMs = endOf(key)
  if (endMs === Infinity) return ''
  const time = shortTime(endMs, zone, serviceNow())
  if (endMs > serviceNow()) return ` · ends ${time}`
  return ` · ${key.revokedAt === null ? 'ended' : 'revoked'} ${time}`
}

function Refused({ refused, requests }: Pick<Key, 'refused' | 'requests'>) {
  const codes = Object.entries(refused).toSorted(([, one], [, other]) => other - one)
  if (codes.length === 0) return null
  const all = codes.reduce((sum, [, n]) => sum + n, 0)
  return (
    <p class="small">
      <strong>
        {counted(all)} refused ({share(all, requests)})
      </strong>
      <span class="muted">: {codes.map(([code, n]) => `${code} ${counted(n)}`).join(', ')}</span>
    </p>
  )
}
