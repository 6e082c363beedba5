// Changes which events a webhook gets.
import { useState } from 'preact/hooks'
import { Form } from '../../ui/form.tsx'
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
  const problem = typesProblem(chosen)
  const save = async () => problem ?? onSave(chosen)
  useUnsaved(!isSame(chosen, types), save)
  return (
    <Form name="Change events" submit="Save" onSubmit={save} onCancel={onCancel}>
      <WebhookEvents types={chosen} onTypes={setChosen} problem={problem} />
    </Form>
  )
}
