// The form that sets when a lead is called, in the time zone that it names.
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { serviceNow } from '../service/service-clock.ts'
import { FormButtons } from '../ui/controls.tsx'
import { Field } from '../ui/fields/field.tsx'
import { zoneName } from '../ui/words/zone-time.ts'
import { momentOf, pickerTime } from './local-time.ts'

type Props = {
  readonly zone: string
  readonly onTime: (timeMs: number) => unknown
  readonly onCancel: () => void
}

export function CallBackAt({ zone, onTime, onCancel }: Props) {
  const [problem, setProblem] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    const opener = document.activeElement
    const form = field.current?.form
    field.current?.focus()
    return () => {
      const isInside = form?.contains(document.activeElement)
      if (isInside && opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])
  const submit = (event: Event) => {
    event.preventDefault()
    const picked = field.current?.value ?? ''
    const timeMs = momentOf(picked, zone)
    if (picked === '') setProblem('Choose a date and a time.')
    else if (timeMs === null) setProblem(`The clocks in ${zoneName(zone)} skip this time. Choose another.`)
    else if (timeMs <= serviceNow()) setProblem('Choose a time in the future.')
    else onTime(timeMs)
  }
  return (
    <form class="when" aria-label="Call back" noValidate onSubmit={submit}>
      <Field label={`Call back at (time in ${zoneName(zone)})`} problem={problem}>
        {(attributes) => (
          <input
            {...attributes}
            ref={field}
            type="datetime-local"
            min={pickerTime(serviceNow(), zone)}
            onInput={() => setProblem(null)}
          />
        )}
      </Field>
      <FormButtons submit="Save" onCancel={onCancel} />
    </form>
  )
}
