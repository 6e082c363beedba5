// The question before a key is revoked: its name is typed, and what it created is named, and ends too when chosen.
import { useEffect, useState } from 'preact/hooks'
import type { Key, KeyRevoked, Webhook } from '../../../sdk/src/models.ts'
import { serviceNow } from '../../service/service-clock.ts'
import { useSession } from '../../service/session.ts'
import { Tick } from '../../ui/controls.tsx'
import { Failure } from '../../ui/feedback.tsx'
import { Question } from '../../ui/question.tsx'
import { endOf, withCreated } from './key-words.ts'

type Props = {
  readonly of: Key
  /** All that the key in use may see. */
  readonly keys: readonly Key[]
  readonly onRevoked: (revoked: KeyRevoked) => void
  readonly onCancel: () => void
}

type WebhookList = { readonly webhooks: readonly Webhook[] }

export function RevokeKey({ of: key, keys, onRevoked, onCancel }: Props) {
  const { ask, keyId: ownId } = useSession()
  const [typed, setTyped] = useState('')
  const [isWithCreated, setIsWithCreated] = useState(false)
  const [webhooks, setWebhooks] = useState<readonly Webhook[]>([])
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  useEffect(() => {
    void ask<WebhookList>('GET', '/webhooks').then(({ data, error }) => {
      setWebhooks(data?.webhooks ?? [])
      setFailure(error)
    })
  }, [])

  const ids = withCreated(keys, key.keyId, ownId)
  const created = [
    ...keys
      .filter((one) => one.keyId !== key.keyId && ids.has(one.keyId) && endOf(one) > serviceNow())
      .map(({ keyId, name, hint }) => ({ id: keyId, words: `Key “${name}” (${hint})` })),
    ...webhooks
      .filter(({ createdBy, disabledAt }) => disabledAt === null && ids.has(createdBy ?? ''))
      .map(({ webhookId, url }) => ({ id: webhookId, words: `Webhook ${url}` })),
  ]
  const isNamed = typed.trim() === key.name.trim()
  const revoke = async () => {
    if (!isNamed || isBusy) return
    setIsBusy(true)
    const query = isWithCreated ? { withCreated: true } : {}
    const path = `/keys/${encodeURIComponent(key.keyId)}`
    const { data, error } = await ask<KeyRevoked>('DELETE', path, { query })
    setIsBusy(false)
    setFailure(error)
    if (data !== null) onRevoked(data)
  }
  return (
    <Question
      text={`Revoke “${key.name}”? Its next request fails. This cannot be undone.`}
      yes="Revoke key"
      isDangerous
      isOff={!isNamed || isBusy}
      onYes={revoke}
      onCancel={onCancel}
      details={
        <>
          {created.length > 0 && (
            <div>
              <p>It created, and these still work:</p>
              <ul class="plain bullets">
                {created.map(({ id, words }) => (
                  <li key={id}>{words}</li>
                ))}
              </ul>
              <Tick checked={isWithCreated} onTick={setIsWithCreated}>
                End these too
              </Tick>
            </div>
          )}
          <form
            onSubmit={(event) => {
              event.preventDefault()
              void revoke()
            }}
          >
            <label>
              Type the name of the key to confirm
              <input
                autocomplete="off"
                spellcheck={false}
                value={typed}
                onInput={({ currentTarget }) => setTyped(currentTarget.value)}
              />
            </label>
          </form>
          <Failure>{failure}</Failure>
        </>
      }
    />
  )
}
