// What a key or a member created and is active, and whether it ends with it.
import { useEffect, useState } from 'preact/hooks'
import type { Key, Member, Webhook } from '../../../sdk/src/models.ts'
import { settle } from '../../service/answer.ts'
import { serviceNow } from '../../service/service-clock.ts'
import { useSession } from '../../service/session.ts'
import { Tick } from '../../ui/controls.tsx'
import { Failure } from '../../ui/feedback.tsx'
import { nameOfMember } from '../people/member-words.ts'
import { endOf, withCreated } from './key-words.ts'

type Props = {
  /** A member, by his id, made keys as a key does. */
  readonly of: Pick<Key, 'keyId'>
  /** Those that a key made end with it; those that a member added do not. */
  readonly withMembers?: boolean
  /** All that the key in use may see. */
  readonly keys: readonly Key[]
  readonly areEnding: boolean
  readonly onTick: (areEnding: boolean) => void
}

export function CreatedByKey({ of: key, withMembers = false, keys, areEnding, onTick }: Props) {
  const { client, keyId: ownId, member } = useSession()
  const [webhooks, setWebhooks] = useState<readonly Webhook[]>([])
  const [members, setMembers] = useState<readonly Member[]>([])
  const [failure, setFailure] = useState<string | null>(null)
  useEffect(() => {
    void settle(client.webhooks.list()).then(({ data, error }) => {
      setWebhooks(data ?? [])
      setFailure(error)
    })
    if (withMembers) void settle(client.members.list()).then(({ data }) => setMembers(data ?? []))
  }, [])
  const people = members.map(({ memberId, createdBy }) => ({ keyId: memberId, createdBy, successorOf: null }))
  const ids = withCreated([...keys, ...people], key.keyId, ownId, member?.memberId ?? ownId)
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
    ...members
      .filter(({ memberId }) => ids.has(memberId))
      .map((one) => ({ id: one.memberId, words: `Member ${nameOfMember(one)}` })),
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
