// Asks a gate about one number, and says what it answers. Stores nothing, and suppresses nobody.
import { useState } from 'preact/hooks'
import type { GateTried } from '../../sdk/src/models.ts'
import { useSession } from '../service/session.ts'
import { useAction } from '../service/use-action.ts'
import { TextField } from '../ui/fields/field.tsx'
import { Form } from '../ui/form.tsx'

const answerWords = {
  yes: 'Yes: the number may be called',
  no: 'No: its lead would end',
  later: 'Later: its lead would wait',
} as const

function describeTried({ answer, pointer, httpStatus, message }: GateTried): string {
  if (answer !== null) return `${answerWords[answer]}${pointer ? `, by ${pointer}` : ''}.`
  return `No answer that can be read${httpStatus === null ? '' : ` (${httpStatus})`}. ${message ?? ''}`.trim()
}

export function GateTry({ campaignId }: { readonly campaignId: string }) {
  const { gate } = useSession().client.campaigns
  const [phoneNumber, setPhoneNumber] = useState('')
  const { isBusy, feedback, run, setFeedback } = useAction()
  const ask = async () => {
    const { data } = await run(() => gate.try(campaignId, { phoneNumber: phoneNumber.replace(/\s/g, '') }))
    if (data !== null) setFeedback({ text: describeTried(data), isFailure: data.answer === null })
  }
  return (
    <Form name="Try a number" submit="Try" onSubmit={ask} isBusy={isBusy} feedback={feedback}>
      <TextField
        label="A number to try"
        hint="Such as +14155550123. It is asked about now; nothing is stored, and nobody is suppressed."
        value={phoneNumber}
        onText={setPhoneNumber}
      />
    </Form>
  )
}
