// The template of a dialer as a text field, which shows what is wrong at its place.
import { useEffect, useRef } from 'preact/hooks'
import { Field } from '../ui/fields/field.tsx'
import type { Wrong } from './template-text.ts'

type Props = {
  readonly text: string
  readonly wrong: Wrong | null
  readonly onText: (text: string) => void
}

export function TemplateField({ text, wrong, onText }: Props) {
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (wrong === null || area.current === null) return
    const { current } = area
    current.focus()
    current.setSelectionRange(wrong.from, wrong.until)
    const [before, all] = [text.slice(0, wrong.from), text].map((one) => one.split('\n').length)
    current.scrollTop = ((before ?? 1) / (all ?? 1)) * current.scrollHeight - current.clientHeight / 2
  }, [wrong?.problem])
  return (
    <Field
      label="Template"
      problem={wrong?.problem ?? null}
      hint={
        <>
          How the provider is asked, as JSON. <a href="/docs/connect/custom-template">What it may say</a>. A
          changed template needs its secrets again.
        </>
      }
    >
      {(attributes) => (
        <textarea
          {...attributes}
          ref={area}
          class="code"
          rows={20}
          wrap="off"
          spellcheck={false}
          autocomplete="off"
          autocapitalize="none"
          value={text}
          onInput={({ currentTarget }) => onText(currentTarget.value)}
        />
      )}
    </Field>
  )
}
