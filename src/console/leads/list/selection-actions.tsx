// What can be done with the selected leads: call again, do not call, erase. Erasing asks twice, and shows its progress.
import { useState } from 'preact/hooks'
import type { Campaign } from '../../../sdk/src/models.ts'
import type { Feedback } from '../../service/answer.ts'
import { useSession } from '../../service/session.ts'
import { Button } from '../../ui/controls.tsx'
import { counted, countOf } from '../../ui/words/number-words.ts'
import { AskToErase, AskToSuppress } from '../ask-first.tsx'
import { describeKept } from '../lead-words.ts'
import { eraseEach, requeueAll, suppressAll } from './act-on-selection.ts'
import type { FoundLead } from './read-leads.ts'

type Props = {
  readonly leads: readonly FoundLead[]
  /** Null: leads of all campaigns. */
  readonly campaign: Campaign | null
  readonly onClear: () => void
  readonly onDone: (feedback: Feedback) => Promise<void>
}

type Step = 'suppress' | 'erase' | null

export function SelectionActions({ leads, campaign, onClear, onDone }: Props) {
  const { client, rights, company, campaignId: ownId } = useSession()
  const [step, setStep] = useState<Step>(null)
  /** What runs, in words. */
  const [progress, setProgress] = useState<string | null>(null)
  const cancel = () => setStep(null)
  const many = countOf(leads.length, 'lead')
  const only = ownId ?? campaign?.id ?? null

  const run = async (words: string, work: Promise<Feedback>) => {
    setStep(null)
    setProgress(words)
    await onDone(await work)
    setProgress(null)
  }
  const suppress = (campaignId: string | null) =>
    run('Adding to the do-not-call list…', suppressAll(client, leads, campaignId))
  const erase = () => {
    const onProgress = (done: number, of: number) =>
      setProgress(`Erasing ${counted(done)} of ${counted(of)}…`)
    return run('Erasing…', eraseEach(client, leads, rights.company, onProgress))
  }

  if (progress !== null) return <p role="status">{progress}</p>
  return (
    <>
      <div class="line">
        <strong role="status">{counted(leads.length)} selected</strong>
        <Button onClick={() => run('Requeueing…', requeueAll(client, leads))}>Call again</Button>
        <Button aria-expanded={step === 'suppress'} onClick={() => setStep('suppress')}>
          Do not call…
        </Button>
        {rights.manage && (
          <Button class="danger" aria-expanded={step === 'erase'} onClick={() => setStep('erase')}>
            Erase…
          </Button>
        )}
        <Button class="subtle" onClick={onClear}>
          Clear selection
        </Button>
      </div>
      {step === 'suppress' && (
        <AskToSuppress
          text={`Add the numbers of ${many} to the do-not-call list?`}
          campaignId={only}
          onYes={suppress}
          onCancel={cancel}
        />
      )}
      {step === 'erase' && (
        <AskToErase
          text={
            rights.company
              ? `Erase the people of ${many}? Deletes their numbers, fields and call notes in all campaigns, \
and never calls the numbers again.`
              : `Erase ${many}? Deletes their numbers, fields and call notes in this campaign.`
          }
          kept={describeKept(rights.company, company.consentYears)}
          yes={`Erase ${many}`}
          what={many}
          onYes={erase}
          onCancel={cancel}
        />
      )}
    </>
  )
}
