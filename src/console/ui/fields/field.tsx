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
  /** For a text of several lines. */
  readonly rows?: number
  readonly spellcheck?: boolean
  readonly onText: (text: string) => unknown
}

export const TextField = ({ label, problem = null, hint, onText, ...input }: TextProps) => {
  const Input = input.rows === undefined ? 'input' : 'textarea'
  return (
    <Field label={label} problem={problem} hint={hint}>
      {(attributes) => (
        <Input
          autocomplete="off"
          spellcheck={false}
          {...input}
          {...attributes}
          onInput={({ currentTarget }: InputEvent) =>
            onText((currentTarget as HTMLInputElement | HTMLTextAreaElement).value)
          }
        />
      )}
    </Field>
  )
}
