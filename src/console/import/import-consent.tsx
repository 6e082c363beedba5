// The purpose and the text of the consents of a file, for rows that have the time of one and no own purpose or text.
import { Field } from '../ui/fields/field.tsx'
import type { ImportRun } from './run-import.ts'

/** What is typed counts once its field is left: every row is read again. */
export function ImportConsent({ run }: { readonly run: ImportRun }) {
  const of = (name: 'consentPurpose' | 'consentText') => ({
    defaultValue: run.view.choices[name],
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      run.choose({ [name]: currentTarget.value.trim() || undefined }),
  })
  return (
    <>
      <Field
        label="Purpose of the consents"
        hint="Where the row of a consent has none: letters, digits, dots, underscores and hyphens."
      >
        {(attributes) => (
          <input {...attributes} {...of('consentPurpose')} autocomplete="off" spellcheck={false} />
        )}
      </Field>
      <Field
        label="Text of the consents"
        hint="What people agreed to, where the row of a consent has neither a text nor its hash."
      >
        {(attributes) => <textarea {...attributes} {...of('consentText')} rows={3} />}
      </Field>
    </>
  )
}
