// What can be done with the selected leads: call again, do not call, erase. Erasing asks twice, and shows its progress.
import { useState } from 'preact/hooks'
import type { Campaign } from '../../../sdk/src/models.ts'
import { useSession } from '../../service/session.ts'
import { Button } from '../../ui/controls.tsx'
import type { Feedback } from '../../ui/feedback.tsx'
import { Question } from '../../ui/question.tsx'
import { counted, countOf } from '../../ui/words/number-words.ts'
import { eraseEach, requeueAll, suppressAll } from './act-on-selection.ts'
import type { FoundLead } from './read-leads.ts'

type Props = {
  readonly leads: readonly FoundLead[]
  /** Null: leads of all campaigns. */
  readonly campaign: Campaign | null
  readonly onClear: () => void
  readonly onDone: (feedback: Feedback) => Promise<void>
}

type Step = 'suppress' | 'erase' | 'erase again' | null

export function SelectionActions({ leads, campaign, onClear, onDone }: Props) {
  const { ask, rights, campaignId: ownId } = useSession()
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
    run('Adding to the do-not-call list…', suppressAll(ask, leads, campaignId))
  const erase = () => {
    const onProgress = (done: number, of: number) =>
      setProgress(`Erasing ${counted(done)} of ${counted(of)}…`)
    return run('Erasing…', eraseEach(ask, leads, rights.company, onProgress))
  }

  if (progress !== null) return <p role="status">{progress}</p>
  return (
    <>
      <div class="line">
        <strong role="status">{counted(leads.length)} selected</strong>
        <Button onClick={() => run('Requeueing…', requeueAll(ask, leads))}>Call again</Button>
        <Button aria-expanded={step === 'suppress'} onClick={() => setStep('suppress')}>
          Do not call…
        </Button>
        {rights.manage && (
          <Button class="danger" aria-expanded={step?.startsWith('erase')} onClick={() => setStep('erase')}>
            Erase…
          </Button>
        )}
        <Button class="subtle" onClick={onClear}>
          Clear selection
        </Button>
      </div>
      {step === 'suppress' && (
        <Question
          text={`Add the numbers of ${many} to the do-not-call list?`}
          yes={rights.company ? 'In all campaigns' : 'In this campaign'}
          onYes={() => suppress(rights.company ? null : only)}
          onCancel={cancel}
        >
          {rights.company && only !== null && (
            <Button onClick={() => suppress(only)}>Only in this campaign</Button>
          )}
        </Question>
      )}
      {step === 'erase' && (
        <Question
          text={
            rights.company
              ? `Erase the people of ${many}? Deletes their numbers, fields and call notes in all campaigns, and never calls the numbers again.`
              : `Erase ${many}? Deletes their numbers, fields and call notes in this campaign.`
          }
          yes={`Erase ${many}`}
          isDangerous
          onYes={() => setStep('erase again')}
          onCancel={cancel}
        />
      )}
      {step === 'erase again' && (
        <Question
          text={`This cannot be undone. Erase ${many} permanently?`}
          yes="Erase permanently"
          isDangerous
          onYes={erase}
          onCancel={cancel}
        />
      )}
    </>
  )
}
