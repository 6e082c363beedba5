// The end of a settings form: saves it and shows the result.
import { useRef, useState } from 'preact/hooks'
import type { Feedback } from '../ui/feedback.tsx'
import { useUnsaved } from '../ui/unsaved.ts'

type Props = {
  readonly isChanged: boolean
  readonly problem: string | null
  readonly save: () => Promise<string | null>
  readonly onReset: () => void
}

export function SaveLine({ isChanged, problem, save, onReset }: Props) {
  const [feedback, setFeedback] = useState<Feedback | null>(null)
  const saveButton = useRef<HTMLButtonElement>(null)
  const [isBusy, setIsBusy] = useState(false)
  useUnsaved(isChanged)
  // `aria-disabled` instead of `disabled`, which would lose the focus.
  const isOff = !isChanged || problem !== null || isBusy
  const run = async () => {
    if (isOff) return
    setIsBusy(true)
    const error = await save()
    setIsBusy(false)
    setFeedback({ text: error ?? 'Saved.', isFailure: error !== null })
  }
  const failure = problem ?? (feedback?.isFailure ? feedback.text : null)
  return (
    <div class="line save">
      <button type="button" class="primary" ref={saveButton} aria-disabled={isOff} onClick={run}>
        Save
      </button>
      {isChanged && (
        <button
          type="button"
          class="subtle"
          onClick={() => {
            onReset()
            saveButton.current?.focus()
          }}
        >
          Undo
        </button>
      )}
      <span role={failure === null ? 'status' : 'alert'} class={failure === null ? 'muted' : 'failure'}>
        {failure ?? (isChanged ? '' : (feedback?.text ?? ''))}
      </span>
    </div>
  )
}
