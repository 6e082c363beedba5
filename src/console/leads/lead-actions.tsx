// Actions on a lead: call now, call back at a time, call again, change, do not call and its removal, erase. Erasing
// cannot be undone, and asks twice.
import type { Ref } from 'preact'
import { useState } from 'preact/hooks'
import type { Erased, Explanation, Lead } from '../../sdk/src/models.ts'
import { isSuppressed } from '../overview/campaign-state.ts'
import { type Feedback, feedbackOf, settle } from '../service/answer.ts'
import type { Client } from '../service/client.ts'
import { serviceNow } from '../service/service-clock.ts'
import { useSession } from '../service/session.ts'
import { Button } from '../ui/controls.tsx'
import { Question } from '../ui/question.tsx'
import { fullTimeInZone } from '../ui/words/zone-time.ts'
import { AskToErase, AskToSuppress } from './ask-first.tsx'
import { CallBackAt } from './call-back-at.tsx'
import { describeKept, isFinished, mayCallNow } from './lead-words.ts'

export type Kept = Pick<Erased, 'kept' | 'alsoIn' | 'isPartial'>

type Props = {
  readonly lead: Lead
  readonly blockers: Explanation['blockers']
  /** The time zone of the person. */
  readonly zone: string
  readonly changeButton: Ref<HTMLButtonElement>
  readonly onChange: () => void
  readonly onDone: () => void
  readonly onErased: (kept: Kept | null) => void
  readonly onFeedback: (feedback: Feedback) => void
}
type Step = 'call back' | 'suppress' | 'allow' | 'erase' | null

/** A time later than the service's now would make an appointment. */
const clockErrorMs = 5_000

/** The lists do not say here which of them has the number, so it is removed from both that block this lead. */
async function lift({ suppressions }: Client, { phoneNumber, campaignId }: Lead, isForCompany: boolean) {
  const phoneNumbers = [phoneNumber]
  if (isForCompany) await suppressions.lift({ phoneNumbers })
  const { lifted } = await suppressions.lift({ phoneNumbers, campaignId })
  return lifted > 0 || isForCompany
}

export function LeadActions(props: Props) {
  const { lead, blockers, zone, changeButton, onChange, onDone, onErased, onFeedback } = props
  const { client, rights, company } = useSession()
  const [step, setStep] = useState<Step>(null)
  const cancel = () => setStep(null)
  const isOff = isSuppressed(blockers)
  const isOpen = !isFinished(lead) && !isOff

  const run = async <Data,>(
    request: Promise<Data>,
    done: string,
    onSuccess: (data: Data | null) => void = onDone,
  ) => {
    setStep(null)
    const answer = await settle(request)
    onFeedback(feedbackOf(answer, done))
    if (answer.error === null) onSuccess(answer.data)
    else onDone()
  }
  const requeue = () => run(client.leads.requeue(lead._id), 'Queued again.')
  const schedule = (timeMs: number, done: string) => {
    const scheduledFor = new Date(timeMs).toISOString()
    return run(client.leads.update(lead._id, { scheduledFor }), done)
  }
  const callNow = () =>
    schedule(serviceNow() - clockErrorMs, 'Due now: called as soon as calling hours and limits allow.')
  const suppress = (campaignId: string | null) => {
    const numbers = { phoneNumbers: [lead.phoneNumber], reason: 'console', ...(campaignId && { campaignId }) }
    return run(client.suppressions.add(numbers), 'Added to the do-not-call list.')
  }
  const where = rights.company ? 'all campaigns' : 'this campaign'
  const liftHere = async () => {
    setStep(null)
    const { data: isLifted, error } = await settle(lift(client, lead, rights.company))
    const done = rights.company ? 'Removed. The number can be called again.' : 'Removed here.'
    const left = 'Not removed: the number is on the list of the company. Use a key of the company.'
    onFeedback({ text: error ?? (isLifted ? done : left), isFailure: !isLifted })
    onDone()
  }
  // An erased lead cannot be read again: the caller must stop showing it. Only a key of the company erases a person.
  const erase = () =>
    run(
      rights.company ? client.leads.erasePerson({ leadId: lead._id }) : client.leads.erase(lead._id),
      'Erased.',
      onErased,
    )

  return (
    <>
      <div class="line">
        {mayCallNow(lead, blockers) && <Button onClick={callNow}>Call now</Button>}
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
          <Button class="danger" aria-expanded={step === 'erase'} onClick={() => setStep('erase')}>
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
        <AskToSuppress
          text={`Add ${lead.phoneNumber} to the do-not-call list?`}
          campaignId={lead.campaignId}
          onYes={suppress}
          onCancel={cancel}
        />
      )}
      {step === 'allow' && (
        <Question
          text={`Remove ${lead.phoneNumber} from do-not-call in ${where}? It can be called again.`}
          yes="Yes, remove it"
          isDangerous
          onYes={liftHere}
          onCancel={cancel}
        />
      )}
      {step === 'erase' && (
        <AskToErase
          text={
            rights.company
              ? 'Erase this person? Deletes their number, fields and call notes in all campaigns, and ' +
                'never calls the number again.'
              : 'Erase this lead? Deletes its number, fields and call notes in this campaign.'
          }
          kept={describeKept(rights.company, company.consentYears)}
          yes={rights.company ? 'Erase the person' : 'Erase the lead'}
          onYes={erase}
          onCancel={cancel}
        />
      )}
    </>
  )
}
