// The question before a key is revoked: its name is typed, and what it created is named, and ends too when chosen.
import { useState } from 'preact/hooks'
import type { Key, KeyRevoked } from '../../../sdk/src/models.ts'
import { useSession } from '../../service/session.ts'
import { useAction } from '../../service/use-action.ts'
import { TextField } from '../../ui/fields/field.tsx'
import { Question } from '../../ui/question.tsx'
import { CreatedByKey } from './created-by-key.tsx'

type Props = {
  readonly of: Key
  /** All that the key in use may see. */
  readonly keys: readonly Key[]
  readonly onRevoked: (revoked: KeyRevoked) => void
  readonly onCancel: () => void
}

export function RevokeKey({ of: key, keys, onRevoked, onCancel }: Props) {
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
          <CreatedByKey of={key} keys={keys} areEnding={areEnding} onTick={setAreEnding} />
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
