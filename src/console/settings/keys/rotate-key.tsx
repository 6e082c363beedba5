// The question before a key is rotated: how long the old key still works, and whether what it created ends.
import { useState } from 'preact/hooks'
import type { Key, KeyRotated } from '../../../sdk/src/models.ts'
import { serviceNow } from '../../service/service-clock.ts'
import { useSession } from '../../service/session.ts'
import { Failure } from '../../ui/feedback.tsx'
import { Question } from '../../ui/question.tsx'
import { fullTimeInZone } from '../../ui/words/zone-time.ts'
import { CreatedByKey } from './created-by-key.tsx'
import { endOf } from './key-words.ts'

type Props = {
  readonly of: Key
  /** All that the key in use may see. */
  readonly keys: readonly Key[]
  readonly zone: string
  readonly onRotated: (rotated: KeyRotated) => void
  readonly onCancel: () => void
}

const graces = [
  [3_600, 'an hour'],
  [86_400, '24 hours'],
  [604_800, '7 days'],
] as const
/** For another key, one that has leaked. */
const noGrace = [0, 'no longer'] as const
const defaultGrace = 86_400

export function RotateKey({ of: key, keys, zone, onRotated, onCancel }: Props) {
  const { ask, keyId } = useSession()
  const [graceSeconds, setGraceSeconds] = useState<number>(defaultGrace)
  const [isWithCreated, setIsWithCreated] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const untilMs = Math.min(serviceNow() + graceSeconds * 1000, endOf(key))
  const rotate = async () => {
    setIsBusy(true)
    const path = `/keys/${encodeURIComponent(key.keyId)}/rotate`
    const { data, error } = await ask<KeyRotated>('POST', path, {
      body: { graceSeconds },
      query: isWithCreated ? { withCreated: true } : {},
      isOnce: true,
    })
    setIsBusy(false)
    setFailure(error)
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
      isYesDisabled={isBusy}
      onYes={rotate}
      onCancel={onCancel}
      details={
        <>
          <label class="line">
            The old key works for
            <select
              value={graceSeconds}
              onChange={({ currentTarget }) => setGraceSeconds(Number(currentTarget.value))}
            >
              {[...(isOwn ? [] : [noGrace]), ...graces].map(([seconds, words]) => (
                <option key={seconds} value={seconds}>
                  {words}
                </option>
              ))}
            </select>
          </label>
          <CreatedByKey of={key} keys={keys} areEnding={isWithCreated} onTick={setIsWithCreated} />
          <Failure>{failure}</Failure>
        </>
      }
    />
  )
}
