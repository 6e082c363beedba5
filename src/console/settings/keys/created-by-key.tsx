// What a key created and is active, and whether it ends with the key.
import { useEffect, useState } from 'preact/hooks'
import type { Key, Webhook } from '../../../sdk/src/models.ts'
import { settle } from '../../service/answer.ts'
import { serviceNow } from '../../service/service-clock.ts'
import { useSession } from '../../service/session.ts'
import { Tick } from '../../ui/controls.tsx'
import { Failure } from '../../ui/feedback.tsx'
import { endOf, withCreated } from './key-words.ts'

type Props = {
  /** A member, by his id, made keys as a key does. */
  readonly of: Pick<Key, 'keyId'>
  /** All that the key in use may see. */
  readonly keys: readonly Key[]
  readonly areEnding: boolean
  readonly onTick: (areEnding: boolean) => void
}

export function CreatedByKey({ of: key, keys, areEnding, onTick }: Props) {
  const { client, keyId: ownId } = useSession()
  const [webhooks, setWebhooks] = useState<readonly Webhook[]>([])
  const [failure, setFailure] = useState<string | null>(null)
  useEffect(() => {
    void settle(client.webhooks.list()).then(({ data, error }) => {
      setWebhooks(data ?? [])
      setFailure(error)
    })
  }, [])
  const ids = withCreated(keys, key.keyId, ownId)
  const created = [
    ...keys
      .filter((one) => one.keyId !== key.keyId && ids.has(one.keyId) && endOf(one) > serviceNow())
      .map(({ keyId, name, hint, campaignId, isDialer, sourceId }) => ({
        id: keyId,
        words: isDialer
          ? `Dialer of ${campaignId}`
          : sourceId === null
            ? `Key “${name}” (${hint})`
            : `Source “${name}” of ${campaignId}`,
      })),
    ...webhooks
      .filter(
        ({ createdBy, disabledAt }) =>
          disabledAt === null && (ids.has(createdBy ?? '') || createdBy === key.keyId),
      )
      .map(({ webhookId, url }) => ({ id: webhookId, words: `Webhook ${url}` })),
  ]
  return (
    <>
      {created.length > 0 && (
        <div>
          <p>Created with it, and still working:</p>
          <ul class="bullets">
            {created.map(({ id, words }) => (
              <li key={id}>{words}</li>
            ))}
          </ul>
          <Tick checked={areEnding} onTick={onTick}>
            End these too
          </Tick>
        </div>
      )}
      <Failure>{failure}</Failure>
    </>
  )
}
