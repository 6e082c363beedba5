// A field that a preset asks for: a variable with its value, or a secret, of which a hint alone is known once it is saved.
import type { PresetField } from '../../dialers/presets/preset.ts'
import { Field, TextField } from '../ui/fields/field.tsx'

type Props = {
  readonly field: PresetField
  readonly value: string
  readonly problem: string | null
  readonly onText: (text: string) => void
}

const labelOf = ({ title, isRequired }: PresetField) => `${title} (${isRequired ? 'required' : 'optional'})`

export const VariableField = ({ field, ...input }: Props) => (
  <TextField label={labelOf(field)} hint={field.help} {...input} />
)

type SecretProps = Props & {
  /** Undefined: none is saved. Its hint is null where it is short. */
  readonly saved: { readonly hint: string | null } | undefined
}

export const SecretField = ({ field, value, problem, onText, saved }: SecretProps) => (
  <Field
    label={labelOf(field)}
    problem={problem}
    hint={`${field.help} ${saved ? `${saved.hint ?? 'One'} is saved. A new one replaces it.` : ''}`}
  >
    {(attributes) => (
      <input
        type="password"
        autocomplete="new-password"
        {...attributes}
        value={value}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
    )}
  </Field>
)
