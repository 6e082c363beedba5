// A field with its label, a hint, and its problem beside it, in words that say what to do.
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Failure } from '../feedback.tsx'

type Attributes = {
  readonly id: string
  readonly 'aria-invalid': boolean
  readonly 'aria-describedby': string
}

type Props = {
  readonly label: ComponentChildren
  readonly problem?: string | null
  readonly hint?: ComponentChildren
  /** The input, which gets these attributes. */
  readonly children: (attributes: Attributes) => ComponentChildren
}

export function Field({ label, problem = null, hint, children }: Props) {
  const id = useId()
  const helpId = `${id}-help`
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-invalid': problem !== null, 'aria-describedby': helpId })}
      <div id={helpId} class="small">
        {hint !== undefined && <p class="muted">{hint}</p>}
        <Failure>{problem}</Failure>
      </div>
    </div>
  )
}
