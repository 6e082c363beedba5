// What can be done with a lead: change it, call it again, suppress its number, erase the person. What cannot be undone
// asks twice.
import type { Ref } from 'preact'
import { useState } from 'preact/hooks'
import type { Answer } from '../service/api.ts'
import { useSession } from '../service/session.ts'
import type { Lead } from '../service/wire.ts'
import type { Told } from '../ui/feedback.tsx'
import { Question } from '../ui/question.tsx'

type Props = {
  readonly lead: Lead
  readonly changeButton: Ref<HTMLButtonElement>
  readonly onChange: () => void
  readonly onDone: () => void
  readonly onErased: () => void
  readonly onTold: (told: Told) => void
}
type Step = 'suppress' | 'erase' | 'erase again' | null

export function LeadActions({ lead, changeButton, onChange, onDone, onErased, onTold }: Props) {
  const { ask, rights } = useSession()
  const [step, setStep] = useState<Step>(null)

  const run = async (request: Promise<Answer<unknown>>, done: string, onSuccess = onDone) => {
    setStep(null)
    const { status, error } = await request
    const isFault = status < 200 || status > 299
    onTold({ text: isFault ? (error ?? '') : done, isFault })
    if (isFault) onDone()
    else onSuccess()
  }
  const requeue = () => run(ask('POST', `/leads/${lead._id}/requeue`), 'Queued again.')
  const suppress = (campaignId?: string) =>
    run(
      ask('POST', '/suppressions', {
        body: { phoneNumbers: [lead.phoneNumber], reason: 'console', ...(campaignId && { campaignId }) },
      }),
      'Suppressed: the number is not called any more.',
    )
  // Nothing is left to be read of the lead: who shows it must let go of it.
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
          Suppress…
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
        <Question text={`Never call ${lead.phoneNumber} again?`} onCancel={() => setStep(null)}>
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
          text="Erase this person? Number, fields and notes of all their calls are emptied in every campaign of the company, and the number is not called again."
          onCancel={() => setStep(null)}
        >
          <button type="button" class="danger" onClick={() => setStep('erase again')}>
            Erase the person
          </button>
        </Question>
      )}
      {step === 'erase again' && (
        <Question text="This cannot be undone. Erase for good?" onCancel={() => setStep(null)}>
          <button type="button" class="danger" onClick={erase}>
            Yes, erase for good
          </button>
        </Question>
      )}
    </>
  )
}
