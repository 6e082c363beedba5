// Actions on a lead: change, call again, do not call, erase the person. Erasing cannot be undone, and asks twice.
import type { Ref } from 'preact'
import { useState } from 'preact/hooks'
import type { Lead } from '../../sdk/src/models.ts'
import type { Answer } from '../service/api.ts'
import { useSession } from '../service/session.ts'
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

  const run = async (request: Promise<Answer<unknown>>, done: string, onSuccess = onDone) => {
    setStep(null)
    const { status, error } = await request
    const isFailure = status < 200 || status > 299
    onFeedback({ text: isFailure ? (error ?? '') : done, isFailure })
    if (isFailure) onDone()
    else onSuccess()
  }
  const requeue = () => run(ask('POST', `/leads/${lead._id}/requeue`), 'Queued again.')
  const suppress = (campaignId?: string) =>
    run(
      ask('POST', '/suppressions', {
        body: { phoneNumbers: [lead.phoneNumber], reason: 'console', ...(campaignId && { campaignId }) },
      }),
      'Added to the do-not-call list.',
    )
  // An erased lead cannot be read again: the caller must stop showing it.
  const erase = () => run(ask('POST', '/erasures', { body: { leadId: lead._id } }), 'Erased.', onErased)

  return (
    <>
      <div class="line actions">
        <button type="button" ref={changeButton} onClick={onChange}>
          Change
        </button>
        {(lead.status === 'exhausted' || lead.status === 'concluded') && (
          <button type="button" onClick={requeue}>
            Call again
          </button>
        )}
        <button type="button" aria-expanded={step === 'suppress'} onClick={() => setStep('suppress')}>
          Do not call…
        </button>
        {rights.manage && (
          <button
            type="button"
            class="danger"
            aria-expanded={step === 'erase' || step === 'erase again'}
            onClick={() => setStep('erase')}
          >
            Erase…
          </button>
        )}
      </div>
      {step === 'suppress' && (
        <Question text={`Add ${lead.phoneNumber} to the do-not-call list?`} onCancel={() => setStep(null)}>
          <button type="button" class="primary" onClick={() => suppress(lead.campaignId)}>
            In this campaign
          </button>
          {rights.company && (
            <button type="button" onClick={() => suppress()}>
              In all campaigns
            </button>
          )}
        </Question>
      )}
      {step === 'erase' && (
        <Question
          text="Erase this person? Deletes their number, fields and call notes in all campaigns, and never calls the number again."
          onCancel={() => setStep(null)}
        >
          <button type="button" class="danger" onClick={() => setStep('erase again')}>
            Erase the person
          </button>
        </Question>
      )}
      {step === 'erase again' && (
        <Question text="This cannot be undone. Erase permanently?" onCancel={() => setStep(null)}>
          <button type="button" class="danger" onClick={erase}>
            Erase permanently
          </button>
        </Question>
      )}
    </>
  )
}
