// The form that sets when a lead is called, in the time zone that it names.
import { useState } from 'preact/hooks'
import { serviceNow } from '../service/service-clock.ts'
import { TextField } from '../ui/fields/field.tsx'
import { Form } from '../ui/form.tsx'
import { momentOf, pickerTime, zoneName } from '../ui/words/zone-time.ts'
import { skippedTime } from './change-lead.tsx'

type Props = {
  readonly zone: string
  readonly onTime: (timeMs: number) => unknown
  readonly onCancel: () => void
}

export function CallBackAt({ zone, onTime, onCancel }: Props) {
  const [problem, setProblem] = useState<string | null>(null)
  const [picked, setPicked] = useState('')
  const submit = () => {
    const timeMs = momentOf(picked, zone)
    if (picked === '') return setProblem('Choose a date and a time.')
    if (timeMs === null) return setProblem(skippedTime(zone))
    if (timeMs <= serviceNow()) return setProblem('Choose a time in the future.')
    return onTime(timeMs)
  }
  return (
    <Form name="Call back" submit="Save" onSubmit={submit} onCancel={onCancel}>
      <TextField
        label={`Call back at (time in ${zoneName(zone)})`}
        problem={problem}
        type="datetime-local"
        min={pickerTime(serviceNow(), zone)}
        value={picked}
        onText={(text) => {
          setPicked(text)
          setProblem(null)
        }}
      />
    </Form>
  )
}
