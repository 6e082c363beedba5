// Changes which events a webhook gets.
import { useState } from 'preact/hooks'
import { FormButtons } from '../../ui/controls.tsx'
import { Failure } from '../../ui/feedback.tsx'
import { useUnsaved } from '../../ui/unsaved.ts'
import { type Types, typesProblem, WebhookEvents } from './webhook-events.tsx'

type Props = {
  readonly types: Types
  /** Null: saved, and this form closes. */
  readonly onSave: (types: Types) => Promise<string | null>
  readonly onCancel: () => void
}

const isSame = (one: Types, other: Types) =>
  JSON.stringify(one?.toSorted()) === JSON.stringify(other?.toSorted())

export function ChangeEvents({ types, onSave, onCancel }: Props) {
  const [chosen, setChosen] = useState<Types>(types)
  const [failure, setFailure] = useState<string | null>(null)
  const problem = typesProblem(chosen)
  const save = async () => {
    const error = problem ?? (await onSave(chosen))
    setFailure(error)
    return error
  }
  useUnsaved(!isSame(chosen, types), save)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    void save()
  }
  return (
    <form class="create" aria-label="Change events" onSubmit={submit}>
      <WebhookEvents types={chosen} onTypes={setChosen} problem={problem} />
      <FormButtons submit="Save" onCancel={onCancel} />
      <Failure>{failure === problem ? null : failure}</Failure>
    </form>
  )
}
