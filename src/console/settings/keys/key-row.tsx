// A key in the list: permissions, last use, how often and why its requests failed, and what can be done with it.
import type { ComponentChildren } from 'preact'
import type { Key } from '../../../sdk/src/models.ts'
import { useCampaignNames } from '../../service/names.ts'
import { serviceNow } from '../../service/service-clock.ts'
import { useSession } from '../../service/session.ts'
import { Button } from '../../ui/controls.tsx'
import { counted, countOf, share } from '../../ui/words/number-words.ts'
import { shortTime } from '../../ui/words/zone-time.ts'
import { endOf, endText, isEndingInUse, isOfService, scopeSentences } from './key-words.ts'

type Props = {
  readonly of: Key
  readonly zone: string
  readonly nameOf: (keyId: string) => string
  readonly onRotate: () => void
  readonly onRevoke: () => void
  /** What is asked about it. */
  readonly children?: ComponentChildren
}

export function KeyRow({ of: key, zone, nameOf, onRotate, onRevoke, children }: Props) {
  const { keyId } = useSession()
  const campaignName = useCampaignNames()
  const nowMs = serviceNow()
  const isOwn = key.keyId === keyId
  const isServices = isOfService(key)
  const times = [
    `created ${shortTime(Date.parse(key.createdAt), zone, nowMs)}`,
    key.createdBy !== null && `by ${key.actorName ?? nameOf(key.createdBy)}`,
    endText(key, zone, nowMs) !== '' && `· ${endText(key, zone, nowMs)}`,
  ].filter((text) => text !== false)
  return (
    <li>
      <div>
        <p>
          <strong>{key.name}</strong> <span class="muted">{key.hint}</span>{' '}
          {isOwn && <span class="tag">Your key</span>}
          {isServices && <span class="tag">{key.isDialer ? 'Dialer' : 'Source'}</span>}
          {isEndingInUse(key, nowMs) && <span class="tag">Ends soon</span>}
        </p>
        <p class="muted small" title={scopeSentences[key.scope]}>
          {key.isDialer ? 'calls for the dialer' : isServices ? 'stores what is posted' : key.scope} ·{' '}
          {key.campaignId === null ? 'all campaigns' : campaignName(key.campaignId)}
        </p>
        <p class="muted small">{times.join(' ')}</p>
      </div>
      <div class="use">
        <p>
          {countOf(key.requests, key.isDialer ? 'claim' : isServices ? 'post' : 'request')}
          <span class="muted">
            {' '}
            ·{' '}
            {key.lastUsedAt === null
              ? 'not used'
              : `last ${shortTime(Date.parse(key.lastUsedAt), zone, nowMs)}`}
          </span>
        </p>
        <Refused refused={key.refused} requests={key.requests} />
        {endOf(key) > nowMs && (
          <p class="line">
            {!isServices && (
              <Button class="link" aria-label={`Rotate ${key.name} ${key.hint}`} onClick={onRotate}>
                Rotate…
              </Button>
            )}
            {!isOwn && (
              <Button class="link" aria-label={`Revoke ${key.name} ${key.hint}`} onClick={onRevoke}>
                Revoke…
              </Button>
            )}
          </p>
        )}
      </div>
      {children}
    </li>
  )
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
      <span class="muted">
        : {codes.map(([code, n]) => `${code.replaceAll('_', ' ')} ${counted(n)}`).join(', ')}
      </span>
    </p>
  )
}
