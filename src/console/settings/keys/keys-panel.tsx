// The keys that this key may see: of the company, or those with access to a campaign. Listed, created, rotated and
// revoked.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Key, KeyCreated, KeyRevoked, KeyRotated } from '../../../sdk/src/models.ts'
import { serviceNow } from '../../service/service-clock.ts'
import { useSession } from '../../service/session.ts'
import { type PanelProps, useData } from '../../service/use-reading.ts'
import { Card } from '../../ui/card.tsx'
import { Button } from '../../ui/controls.tsx'
import { Failure, Result } from '../../ui/feedback.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { countOf } from '../../ui/words/number-words.ts'
import { fullTimeInZone, zoneName, zoneOf } from '../../ui/words/zone-time.ts'
import { CreateKey } from './create-key.tsx'
import { KeyHistory } from './key-history.tsx'
import { RevokeKey, RotateKey } from './key-questions.tsx'
import { KeyRow } from './key-row.tsx'
import { endOf, isOfService, keyNames, noManagerText, revokedText } from './key-words.ts'

/** The API gives up to 1,000 at once. */
const pageSize = 50

/** A new key, in memory only. */
type NewKey = { readonly name: string; readonly key: string; readonly previousExpiresAt: string | undefined }

/** What is asked about a key. */
type Asked = { readonly keyId: string; readonly about: 'rotate' | 'revoke' }

export function KeysPanel({ campaign, round }: PanelProps) {
  const { client, keyId: ownId, rights } = useSession()
  const { data, failure, load } = useData(() => client.keys(), round)
  const [isCreating, setIsCreating] = useState(false)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [shown, setShown] = useState<NewKey | null>(null)
  const [result, setResult] = useState('')
  const [rowsShown, setRowsShown] = useState(pageSize)
  const zone = zoneOf(campaign)
  const keys = data?.keys ?? []
  const nameOf = keyNames(keys)
  const {
    current = [],
    service = [],
    ended = [],
  } = Object.groupBy(
    keys.filter((key) => campaign === null || (key.campaignId ?? campaign.id) === campaign.id),
    (key) => (endOf(key) <= serviceNow() ? 'ended' : isOfService(key) ? 'service' : 'current'),
  )

  const show = ({
    name,
    key,
    previousExpiresAt,
    noManagerLeft = false,
  }: KeyCreated & Partial<KeyRotated>) => {
    setIsCreating(false)
    setAsked(null)
    setResult(noManagerLeft ? noManagerText : '')
    if (key !== null) setShown({ name, key, previousExpiresAt })
    void load()
  }
  const onRevoked = (name: string, revoked: KeyRevoked) => {
    setAsked(null)
    setResult(revokedText(name, revoked))
    void load()
  }
  const rowOf = (key: Key) => (
    <KeyRow
      key={key.keyId}
      of={key}
      zone={zone}
      nameOf={nameOf}
      onRotate={() => setAsked({ keyId: key.keyId, about: 'rotate' })}
      onRevoke={() => setAsked({ keyId: key.keyId, about: 'revoke' })}
    >
      {asked?.keyId !== key.keyId ? null : asked.about === 'rotate' ? (
        <RotateKey of={key} keys={keys} zone={zone} onRotated={show} onCancel={() => setAsked(null)} />
      ) : (
        <RevokeKey
          of={key}
          keys={keys}
          onRevoked={(revoked) => onRevoked(key.name, revoked)}
          onCancel={() => setAsked(null)}
        />
      )}
    </KeyRow>
  )
  return (
    <Card
      title="Keys"
      side={<Button onClick={load}>Refresh</Button>}
      add={data !== null && !isCreating && ['Create a key', () => setIsCreating(true)]}
    >
      <Failure>{failure}</Failure>
      {shown !== null && (
        <ShownOnce what="key" secret={shown.key} onDone={() => setShown(null)}>
          The new key “{shown.name}”.
          {shown.previousExpiresAt !== undefined &&
            (Date.parse(shown.previousExpiresAt) > serviceNow()
              ? ` The old key works until ${fullTimeInZone(Date.parse(shown.previousExpiresAt), zone)}.`
              : ' The old key has ended.')}
        </ShownOnce>
      )}
      {isCreating && (
        <CreateKey
          campaign={campaign}
          zone={zone}
          own={keys.find(({ keyId }) => keyId === ownId)}
          onCreated={show}
          onCancel={() => setIsCreating(false)}
        />
      )}
      <Result>{result}</Result>
      {data !== null && (
        <>
          <p class="muted small">
            {campaign !== null && rights.company && `Those with access to ${campaign.name}. `}
            Requests in the last 7 days, counted within seconds. Times in {zoneName(zone)}.
          </p>
          <ul class="rows keys">{current.slice(0, rowsShown).map(rowOf)}</ul>
          {current.length > rowsShown && (
            <Button onClick={() => setRowsShown(rowsShown + pageSize)}>Show more</Button>
          )}
          <Folded
            rows={service.map(rowOf)}
            title={countOf(service.length, 'key of dialers and sources', 'keys of dialers and sources')}
          />
          <Folded rows={ended.map(rowOf)} title={countOf(ended.length, 'ended key')} />
          {rights.company && <KeyHistory zone={zone} nameOf={nameOf} />}
        </>
      )}
    </Card>
  )
}

type FoldedProps = { readonly rows: readonly ComponentChildren[]; readonly title: string }

const Folded = ({ rows, title }: FoldedProps) =>
  rows.length === 0 ? null : (
    <details>
      <summary>
        {title}
        {rows.length > pageSize && `, the newest ${pageSize}`}
      </summary>
      <ul class="rows keys">{rows.slice(0, pageSize)}</ul>
    </details>
  )
