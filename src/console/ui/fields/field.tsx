// A field with its label, a hint, and its problem beside it, in words that say what to do.
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Failure } from '../feedback.tsx'

type Attributes = {
  readonly id: string
  readonly 'aria-invalid': boolean
  readonly 'aria-describedby': string
}

type Around = {
  readonly label: ComponentChildren
  readonly problem?: string | null
  readonly hint?: ComponentChildren
}

type FieldProps = Around & {
  /** The input, which gets these attributes. */
  readonly children: (attributes: Attributes) => ComponentChildren
}

export function Field({ label, problem = null, hint, children }: FieldProps) {
  const id = useId()
  const helpId = `${id}-help`
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-invalid': problem !== null, 'aria-describedby': helpId })}
      <div id={helpId} class="small">
        {hint && <p class="muted">{hint}</p>}
        <Failure>{problem}</Failure>
      </div>
    </div>
  )
}

type TextProps = Around & {
  readonly value: string
  readonly type?: 'date' | 'datetime-local' | 'url'
  readonly inputMode?: 'numeric'
  readonly list?: string
  readonly placeholder?: string | undefined
  readonly min?: string | undefined
  readonly max?: string | undefined
  readonly maxLength?: number
  readonly autocapitalize?: 'none'
  readonly disabled?: boolean
  readonly onText: (text: string) => unknown
}

/** A field of one line. */
export const TextField = ({ label, problem = null, hint, onText, ...input }: TextProps) => (
  <Field label={label} problem={problem} hint={hint}>
    {(attributes) => (
      <input
        autocomplete="off"
        spellcheck={false}
        {...input}
        {...attributes}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
    )}
  </Field>
)
