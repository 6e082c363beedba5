// Actions on a lead: call now, call back at a time, call again, change, do not call and its removal, erase. Erasing cannot
// be undone, and asks twice.
import type { Ref } from 'preact'
import { useState } from 'preact/hooks'
import type { Explanation, Lead, SuppressionsLifted } from '../../sdk/src/models.ts'
import { isSuppressed } from '../overview/campaign-state.ts'
import { type Answer, leadPath } from '../service/answer.ts'
import { serviceNow } from '../service/service-clock.ts'
import { useSession } from '../service/session.ts'
import { Button } from '../ui/controls.tsx'
import type { Feedback } from '../ui/feedback.tsx'
import { Question } from '../ui/question.tsx'
import { fullTimeInZone } from '../ui/words/zone-time.ts'
import { CallBackAt } from './call-back-at.tsx'
import { isFinished } from './lead-words.ts'

type Props = {
  readonly lead: Lead
  readonly blockers: Explanation['blockers']
  /** Of the person. */
  readonly zone: string
  readonly changeButton: Ref<HTMLButtonElement>
  readonly onChange: () => void
  readonly onDone: () => void
  readonly onErased: () => void
  readonly onFeedback: (feedback: Feedback) => void
}
type Step = 'call back' | 'suppress' | 'allow' | 'erase' | 'erase again' | null

/** A time later than the service's now would make an appointment. */
const clockErrorMs = 5_000

export function LeadActions(props: Props) {
  const { lead, blockers, zone, changeButton, onChange, onDone, onErased, onFeedback } = props
  const { ask, rights } = useSession()
  const [step, setStep] = useState<Step>(null)
  const cancel = () => setStep(null)
  const isBlockedBy = (...codes: readonly string[]) => blockers.some(({ code }) => codes.includes(code))
  const isOff = isSuppressed(blockers)
  const isOpen = !isFinished(lead) && !isOff

  const run = async (request: Promise<Answer<unknown>>, done: string, onSuccess = onDone) => {
    setStep(null)
    const { error } = await request
    onFeedback({ text: error ?? done, isFailure: error !== null })
    if (error === null) onSuccess()
    else onDone()
  }
  const requeue = () => run(ask('POST', `${leadPath(lead._id)}/requeue`), 'Queued again.')
  const schedule = (timeMs: number, done: string) => {
    const body = { scheduledFor: new Date(timeMs).toISOString() }
    return run(ask('PATCH', leadPath(lead._id), { body }), done)
  }
  const callNow = () =>
    schedule(serviceNow() - clockErrorMs, 'Due now: called as soon as calling hours and limits allow.')
  const suppress = (campaignId?: string) => {
    const body = { phoneNumbers: [lead.phoneNumber], reason: 'console', campaignId }
    return run(ask('POST', '/suppressions', { body }), 'Added to the do-not-call list.')
  }
  /** The lists do not say here which of them has the number, so it is removed from both that block this lead. */
  const allow = async (): Promise<Answer<unknown>> => {
    let lifted = 0
    for (const scope of [...(rights.company ? [{}] : []), { campaignId: lead.campaignId }]) {
      const body = { phoneNumbers: [lead.phoneNumber], ...scope }
      const answer = await ask<SuppressionsLifted>('DELETE', '/suppressions', { body })
      if (answer.data === null) return answer
      lifted += answer.data.lifted
    }
    const error = 'Not removed: the number is on the list of the company. Use a key of the company.'
    return {
      status: 200,
      data: null,
      error: lifted === 0 && !rights.company ? error : null,
      retryAfterMs: null,
    }
  }
  // An erased lead cannot be read again: the caller must stop showing it. Only a key of the company erases a person.
  const erase = () =>
    run(
      rights.company
        ? ask('POST', '/erasures', { body: { leadId: lead._id } })
        : ask('DELETE', leadPath(lead._id)),
      'Erased.',
      onErased,
    )

  return (
    <>
      <div class="line">
        {isOpen && isBlockedBy('scheduled', 'spaced') && <Button onClick={callNow}>Call now</Button>}
        {isOpen && (
          <Button aria-expanded={step === 'call back'} onClick={() => setStep('call back')}>
            Call back at…
          </Button>
        )}
        {isFinished(lead) && !isOff && <Button onClick={requeue}>Call again</Button>}
        <Button ref={changeButton} onClick={onChange}>
          Change
        </Button>
        {!isOff && (
          <Button aria-expanded={step === 'suppress'} onClick={() => setStep('suppress')}>
            Do not call…
          </Button>
        )}
        {isOff && rights.manage && (
          <Button aria-expanded={step === 'allow'} onClick={() => setStep('allow')}>
            Remove from do-not-call…
          </Button>
        )}
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
      {step === 'call back' && (
        <CallBackAt
          zone={zone}
          onTime={(timeMs) => schedule(timeMs, `Call back ${fullTimeInZone(timeMs, zone)}.`)}
          onCancel={cancel}
        />
      )}
      {step === 'suppress' && (
        <Question
          text={`Add ${lead.phoneNumber} to the do-not-call list?`}
          yes={rights.company ? 'In all campaigns' : 'In this campaign'}
          onYes={() => (rights.company ? suppress() : suppress(lead.campaignId))}
          onCancel={cancel}
        >
          {rights.company && <Button onClick={() => suppress(lead.campaignId)}>Only in this campaign</Button>}
        </Question>
      )}
      {step === 'allow' && (
        <Question
          text={`Remove ${lead.phoneNumber} from do-not-call in ${rights.company ? 'all campaigns' : 'this campaign'}? It can be called again.`}
          yes="Yes, remove it"
          isDangerous
          onYes={() =>
            run(allow(), rights.company ? 'Removed. The number can be called again.' : 'Removed here.')
          }
          onCancel={cancel}
        />
      )}
      {step === 'erase' && (
        <Question
          text={
            rights.company
              ? 'Erase this person? Deletes their number, fields and call notes in all campaigns, and never calls the number again.'
              : 'Erase this lead? Deletes its number, fields and call notes in this campaign.'
          }
          yes={rights.company ? 'Erase the person' : 'Erase the lead'}
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
