// The end of a form of settings: saves, and says how that went.
import { useRef, useState } from 'preact/hooks'
import type { Told } from '../ui/feedback.tsx'
import { useUnsaved } from '../ui/unsaved.ts'

type Props = {
  readonly isChanged: boolean
  readonly problem: string | null
  readonly save: () => Promise<string | null>
  readonly onReset: () => void
}

export function SaveLine({ isChanged, problem, save, onReset }: Props) {
  const [told, setTold] = useState<Told | null>(null)
  const saveButton = useRef<HTMLButtonElement>(null)
  const [isBusy, setIsBusy] = useState(false)
  useUnsaved(isChanged)
  // Said, and not switched off: what is switched off loses the focus.
  const isOff = !isChanged || problem !== null || isBusy
  const run = async () => {
    if (isOff) return
    setIsBusy(true)
    const error = await save()
    setIsBusy(false)
    setTold({ text: error ?? 'Saved.', isFault: error !== null })
  }
  const fault = problem ?? (told?.isFault ? told.text : null)
  return (
    <div class="line save">
      <button type="button" class="primary" ref={saveButton} aria-disabled={isOff} onClick={run}>
        Save
      </button>
      {isChanged && (
        <button
          type="button"
          class="quiet"
          onClick={() => {
            onReset()
            saveButton.current?.focus()
          }}
        >
          Undo
        </button>
      )}
      <span role={fault === null ? 'status' : 'alert'} class={fault === null ? 'muted' : 'fault'}>
        {fault ?? (isChanged ? '' : (told?.text ?? ''))}
      </span>
    </div>
  )
}
