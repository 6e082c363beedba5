// Actions on a lead: change, call again, do not call, erase the person. Erasing cannot be undone, and asks twice.
import type { Ref } from 'preact'
import { useState } from 'preact/hooks'
import type { Lead } from '../../sdk/src/models.ts'
import { type Answer, leadPath } from '../service/answer.ts'
import { useSession } from '../service/session.ts'
import { Button } from '../ui/controls.tsx'
import type { Feedback } from '../ui/feedback.tsx'
import { Question } from '../ui/question.tsx'

type Props = {
  readonly lead: Lead
  readonly changeButton: Ref<HTMLButtonElement>
  readonly onChange: () => void
  readonly onDone: () => void
  readonly onErased: () => void
  readonly onFeedback: (feedback: Feedback) => void
}
type Step = 'suppress' | 'erase' | 'erase again' | null

export function LeadActions({ lead, changeButton, onChange, onDone, onErased, onFeedback }: Props) {
  const { ask, rights } = useSession()
  const [step, setStep] = useState<Step>(null)
  const cancel = () => setStep(null)

  const run = async (request: Promise<Answer<unknown>>, done: string, onSuccess = onDone) => {
    setStep(null)
    const { error } = await request
    onFeedback({ text: error ?? done, isFailure: error !== null })
    if (error === null) onSuccess()
    else onDone()
  }
  const requeue = () => run(ask('POST', `${leadPath(lead._id)}/requeue`), 'Queued again.')
  const suppress = (campaignId?: string) => {
    const body = { phoneNumbers: [lead.phoneNumber], reason: 'console', campaignId }
    return run(ask('POST', '/suppressions', { body }), 'Added to the do-not-call list.')
  }
  // An erased lead cannot be read again: the caller must stop showing it.
  const erase = () => run(ask('POST', '/erasures', { body: { leadId: lead._id } }), 'Erased.', onErased)

  return (
    <>
      <div class="line">
        <Button ref={changeButton} onClick={onChange}>
          Change
        </Button>
        {(lead.status === 'exhausted' || lead.status === 'concluded') && (
          <Button onClick={requeue}>Call again</Button>
        )}
        <Button aria-expanded={step === 'suppress'} onClick={() => setStep('suppress')}>
          Do not call…
        </Button>
        {rights.manage && (
          <Button
            class="danger"
            aria-expanded={step === 'erase' || step === 'erase again'}
            onClick={() => setStep('erase')}
          >
            Erase…
          </Button>
        )}
      </div>
      {step === 'suppress' && (
        <Question
          text={`Add ${lead.phoneNumber} to the do-not-call list?`}
          yes={rights.company ? 'In all campaigns' : 'In this campaign'}
          onYes={() => (rights.company ? suppress() : suppress(lead.campaignId))}
          onCancel={cancel}
        >
          {rights.company && <Button onClick={() => suppress(lead.campaignId)}>In this campaign</Button>}
        </Question>
      )}
      {step === 'erase' && (
        <Question
          text="Erase this person? Deletes their number, fields and call notes in all campaigns, and never calls the number again."
          yes="Erase the person"
          isDangerous
          onYes={() => setStep('erase again')}
          onCancel={cancel}
        />
      )}
      {step === 'erase again' && (
        <Question
          text="This cannot be undone. Erase permanently?"
          yes="Erase permanently"
          isDangerous
          onYes={erase}
          onCancel={cancel}
        />
      )}
    </>
  )
}
