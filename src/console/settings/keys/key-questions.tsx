// The questions before a key is rotated or revoked: how long the old key still works, and whether what it created ends.
import { useState } from 'preact/hooks'
import { limits } from '../../../base/limits.ts'
import type { Key, KeyRevoked, KeyRotated } from '../../../sdk/src/models.ts'
import { serviceNow } from '../../service/service-clock.ts'
import { useSession } from '../../service/session.ts'
import { useAction } from '../../service/use-action.ts'
import { TextField } from '../../ui/fields/field.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { Question } from '../../ui/question.tsx'
import { fullTimeInZone } from '../../ui/words/zone-time.ts'
import { CreatedByKey } from './created-by-key.tsx'
import { endOf } from './key-words.ts'

type Props = {
  readonly of: Key
  /** All that the key in use may see. */
  readonly keys: readonly Key[]
  readonly onCancel: () => void
}

type RotateProps = Props & {
  readonly zone: string
  readonly onRotated: (rotated: KeyRotated) => void
}

const graces = [
  [3_600, 'an hour'],
  [86_400, '24 hours'],
  [limits.keyGraceMaxSeconds, '7 days'],
] as const
/** For another key, one that has leaked. */
const noGrace = [0, 'no longer'] as const
const defaultGrace = 86_400

export function RotateKey({ of: key, keys, zone, onRotated, onCancel }: RotateProps) {
  const { client, keyId } = useSession()
  const [graceSeconds, setGraceSeconds] = useState<number>(defaultGrace)
  const [areEnding, setAreEnding] = useState(false)
  const action = useAction()
  const untilMs = Math.min(serviceNow() + graceSeconds * 1000, endOf(key))
  const rotate = async () => {
    const { data } = await action.run(() =>
      client.keys.rotate(key.keyId, { graceSeconds }, areEnding ? { withCreated: true } : {}),
    )
    if (data !== null) onRotated(data)
  }
  const isOwn = key.keyId === keyId
  const own = isOwn ? ' You use it now: sign in with the new key before then.' : ''
  const end =
    graceSeconds === 0
      ? 'The old key and its webhooks stop at once.'
      : `The old key works until ${fullTimeInZone(untilMs, zone)}.`
  return (
    <Question
      text={`Rotate “${key.name}”? A new key with the same rights is created. ${end}${own}`}
      yes="Yes, rotate it"
      onYes={rotate}
      onCancel={onCancel}
      {...action}
      details={
        <>
          <Select
            label="The old key works for"
            class="line"
            value={graceSeconds}
            options={isOwn ? graces : [noGrace, ...graces]}
            onChoose={(seconds) => setGraceSeconds(Number(seconds))}
          />
          <CreatedByKey of={key} withMembers keys={keys} areEnding={areEnding} onTick={setAreEnding} />
        </>
      }
    />
  )
}

type RevokeProps = Props & { readonly onRevoked: (revoked: KeyRevoked) => void }

/** Its name is typed. */
export function RevokeKey({ of: key, keys, onRevoked, onCancel }: RevokeProps) {
  const { client } = useSession()
  const [typed, setTyped] = useState('')
  const [areEnding, setAreEnding] = useState(false)
  const action = useAction()
  const isNamed = typed.trim() === key.name.trim()
  const revoke = async () => {
    if (!isNamed) return
    const { data } = await action.run(() =>
      client.keys.revoke(key.keyId, areEnding ? { withCreated: true } : {}),
    )
    if (data !== null) onRevoked(data)
  }
  return (
    <Question
      text={`Revoke “${key.name}”? Its next request fails. This cannot be undone.`}
      yes="Revoke key"
      isDangerous
      isYesDisabled={!isNamed}
      onYes={revoke}
      onCancel={onCancel}
      {...action}
      details={
        <>
          <CreatedByKey of={key} withMembers keys={keys} areEnding={areEnding} onTick={setAreEnding} />
          <form
            onSubmit={(event) => {
              event.preventDefault()
              void revoke()
            }}
          >
            <TextField label="Type the name of the key to confirm" value={typed} onText={setTyped} />
          </form>
        </>
      }
    />
  )
}
