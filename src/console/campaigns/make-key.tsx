// Creates a key for one campaign within the first steps, and shows it once. All keys are in the settings.
import { useState } from 'preact/hooks'
import type { Campaign, KeyCreated } from '../../sdk/src/models.ts'
import { rememberNewKey } from '../service/new-key.ts'
import { useSession } from '../service/session.ts'
import { Button } from '../ui/controls.tsx'
import { Failure } from '../ui/feedback.tsx'
import { Field } from '../ui/fields/field.tsx'
import { ShownOnce } from '../ui/shown-once.tsx'

/** A key that was made here. */
export type Made = {
  readonly key: string
  /** Until the person has copied it. */
  readonly isShown: boolean
}

type Props = {
  readonly campaign: Campaign
  readonly scope: 'write' | 'agent'
  /** Suggested. */
  readonly name: string
  readonly hint: string
  /** Null: none was made here. */
  readonly made: Made | null
  readonly onMade: (made: Made) => void
}

export function MakeKey({ campaign, scope, name: suggested, hint, made, onMade }: Props) {
  const { ask } = useSession()
  const [name, setName] = useState(suggested)
  const [problem, setProblem] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const create = async (event: SubmitEvent) => {
    event.preventDefault()
    if (isBusy) return
    const isNamed = name.trim() !== ''
    setProblem(isNamed ? null : 'Enter who uses the key')
    if (!isNamed) return
    setIsBusy(true)
    const body = { name: name.trim(), scope, campaignId: campaign.id }
    const { data, error } = await ask<KeyCreated>('POST', '/keys', { body, isOnce: true })
    setIsBusy(false)
    setFailure(error)
    if (data?.key == null) return
    rememberNewKey(data.keyId, data.key)
    onMade({ key: data.key, isShown: true })
  }
  if (made?.isShown)
    return (
      <ShownOnce what="key" secret={made.key} onDone={() => onMade({ ...made, isShown: false })}>
        The new key, with scope {scope} for {campaign.name}.
      </ShownOnce>
    )
  if (made !== null) return <p>The key is created. In this tab, the commands below contain it.</p>
  return (
    <form class="make-key" aria-label={`Create a key with scope ${scope}`} onSubmit={create} noValidate>
      <Field label="Who uses it" problem={problem} hint={hint}>
        {(attributes) => (
          <input
            {...attributes}
            autocomplete="off"
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        )}
      </Field>
      <div class="line">
        <Button type="submit" class="primary" isOff={isBusy}>
          Create key
        </Button>
      </div>
      <Failure>{failure}</Failure>
    </form>
  )
}
