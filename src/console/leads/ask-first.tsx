// The questions before numbers are suppressed and leads are erased, for one lead and for a selection.
import { useState } from 'preact/hooks'
import { useSession } from '../service/session.ts'
import { Button } from '../ui/controls.tsx'
import { Question } from '../ui/question.tsx'

type SuppressProps = {
  readonly text: string
  /** The campaign of the leads. Null: there are several. */
  readonly campaignId: string | null
  /** Null: in all campaigns. */
  readonly onYes: (campaignId: string | null) => unknown
  readonly onCancel: () => void
}

export function AskToSuppress({ text, campaignId, onYes, onCancel }: SuppressProps) {
  const { rights } = useSession()
  return (
    <Question
      text={text}
      yes={rights.company ? 'In all campaigns' : 'In this campaign'}
      onYes={() => onYes(rights.company ? null : campaignId)}
      onCancel={onCancel}
    >
      {rights.company && campaignId !== null && (
        <Button onClick={() => onYes(campaignId)}>Only in this campaign</Button>
      )}
    </Question>
  )
}

type EraseProps = {
  readonly text: string
  readonly yes: string
  /** What is kept, and until when. */
  readonly kept: string
  /** What is erased: "3 leads". */
  readonly what?: string
  readonly onYes: () => unknown
  readonly onCancel: () => void
}

/** Asks twice, because erasing cannot be undone. */
export function AskToErase({ text, yes, kept, what = '', onYes, onCancel }: EraseProps) {
  const [isSure, setIsSure] = useState(false)
  const common = { isDangerous: true, onCancel }
  return isSure ? (
    <Question
      key="again"
      {...common}
      text={`This cannot be undone. Erase ${what && `${what} `}permanently?`}
      yes="Erase permanently"
      details={<p class="muted">{kept}</p>}
      onYes={onYes}
    />
  ) : (
    <Question
      key="first"
      {...common}
      text={text}
      yes={yes}
      details={<p class="muted">{kept}</p>}
      onYes={() => setIsSure(true)}
    />
  )
}
