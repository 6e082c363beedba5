// The keys that this key may see: permissions, last use, and how often and why requests failed.
import { useState } from 'preact/hooks'
import type { Campaign, Key, KeyList } from '../../sdk/src/models.ts'
import { serviceNow } from '../service/service-clock.ts'
import { useSession } from '../service/session.ts'
import { type Round, useReading } from '../service/use-reading.ts'
import { counted, countOf, share } from '../ui/number-words.ts'
import { shortTime, zoneName } from '../ui/zone-time.ts'

const endOf = ({ revokedAt, expiresAt }: Key) =>
  Math.min(...[revokedAt, expiresAt].map((time) => (time === null ? Infinity : Date.parse(time))))

type Props = { readonly campaign: Campaign; readonly round: Round }

export function CompanyKeys({ campaign, round }: Props) {
  const { ask } = useSession()
  const [keys, setKeys] = useState<readonly Key[] | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const zone = campaign.timeZone ?? 'UTC'

  const load = async () => {
    const { data, error } = await ask<KeyList>('GET', '/keys')
    if (data !== null) setKeys(data.keys)
    setFailure(error)
    return data !== null
  }
  useReading(load, round)

  const ended = keys?.filter((key) => endOf(key) <= serviceNow()) ?? []
  return (
    <section class="card" aria-labelledby="keys-title">
      <div class="card-head">
        <h2 id="keys-title">Keys</h2>
        <button type="button" onClick={load}>
          Refresh
        </button>
      </div>
      <p role="alert" class="failure">
        {failure}
      </p>
      {keys !== null && (
        <>
          <p class="muted small">
            Requests in the last 7 days, counted within seconds. Times in {zoneName(zone)}.
          </p>
          <KeyRows keys={keys.filter((key) => !ended.includes(key))} zone={zone} />
          {ended.length > 0 && (
            <details>
              <summary>{countOf(ended.length, 'ended key')}</summary>
              <KeyRows keys={ended} zone={zone} />
            </details>
          )}
        </>
      )}
    </section>
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
