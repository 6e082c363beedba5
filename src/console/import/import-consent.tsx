// The purpose and the text of the consents of a file, for rows that have the time of one and no own purpose or text.
import { Field } from '../ui/fields/field.tsx'
import type { ImportRun } from './run-import.ts'

/** What is typed counts once its field is left: every row is read again. */
export function ImportConsent({ run }: { readonly run: ImportRun }) {
  const { consentPurpose, consentText } = run.view.choices
  return (
    <>
      <Field
        label="Purpose of the consents"
        hint="Where the row of a consent has none: letters, digits, dots, underscores and hyphens."
      >
        {(attributes) => (
          <input
            {...attributes}
            autocomplete="off"
            spellcheck={false}
            defaultValue={consentPurpose}
            onChange={({ currentTarget }) =>
              run.choose({ consentPurpose: currentTarget.value.trim() || undefined })
            }
          />
        )}
      </Field>
      <Field
        label="Text of the consents"
        hint="What people agreed to, where the row of a consent has neither a text nor its hash."
      >
        {(attributes) => (
          <textarea
            {...attributes}
            rows={3}
            defaultValue={consentText}
            onChange={({ currentTarget }) =>
              run.choose({ consentText: currentTarget.value.trim() || undefined })
            }
          />
        )}
      </Field>
    </>
  )
}
