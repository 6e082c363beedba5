// What is entered for a dialer, by the names that the API has for it, and what to send for it.
import type { Dialer, DialerPreset } from '../../sdk/src/models.ts'
import { Field } from '../ui/fields/field.tsx'

/** Besides these: `variables.<name>` and `secrets.<name>`. */
export type Values = {
  readonly enabled: boolean
  readonly maxLive: string
  readonly [path: string]: string | boolean
}

type Entered = DialerPreset['variables'][number] & { readonly path: string; readonly isSecret: boolean }

export const fieldsOf = (
  preset: Pick<DialerPreset, 'variables' | 'secrets'> | null | undefined,
): readonly Entered[] => [
  ...(preset?.variables ?? []).map((field) => ({
    ...field,
    path: `variables.${field.name}`,
    isSecret: false,
  })),
  ...(preset?.secrets ?? []).map((field) => ({ ...field, path: `secrets.${field.name}`, isSecret: true })),
]

/** Secrets are not known: their fields are empty until a new one is entered. */
export function valuesOf(dialer: Dialer | null, isSame: boolean, fields: readonly Entered[]): Values {
  const saved = (isSame && dialer?.variables) || {}
  const texts = fields.map(({ path, name, isSecret }) => [path, (!isSecret && saved[name]) || ''])
  const { enabled = true, maxLive = 5 } = dialer ?? {}
  return { ...Object.fromEntries(texts), enabled, maxLive: String(maxLive) }
}

/** What is wrong is sent as it is: the service says why. `isPart`: an empty text removes what is saved. */
export function changeOf({ enabled, maxLive, ...texts }: Partial<Values>, isPart: boolean): object {
  const members = (kind: string) =>
    Object.entries(texts)
      .filter(([path, text]) => path.startsWith(kind) && (isPart || text !== ''))
      .map(([path, text]) => [path.slice(kind.length), text || null])
  return {
    enabled,
    maxLive: /^\d+$/.test(maxLive ?? '') ? Number(maxLive) : maxLive,
    variables: Object.fromEntries(members('variables.')),
    secrets: Object.fromEntries(members('secrets.')),
  }
}

type Props = {
  readonly field: Entered
  readonly value: string
  readonly problem: string | null
  /** The secret that is kept; undefined: none. Its hint is null where it is short. */
  readonly saved: { readonly hint: string | null } | undefined
  readonly onText: (text: string) => void
}

export const DialerField = ({ field, value, problem, saved, onText }: Props) => (
  <Field
    label={`${field.title} (${field.isRequired ? 'required' : 'optional'})`}
    problem={problem}
    hint={`${field.help} ${saved ? `${saved.hint ?? 'A short one'} is saved. A new one replaces it.` : ''}`}
  >
    {(attributes) => (
      <input
        {...(field.isSecret ? { type: 'password', autocomplete: 'new-password' } : { autocomplete: 'off' })}
        spellcheck={false}
        {...attributes}
        value={value}
        onInput={({ currentTarget }) => onText(currentTarget.value.trim())}
      />
    )}
  </Field>
)
