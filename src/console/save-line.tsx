// The end of a form of settings: saves, and says how that went.
import { useState } from 'preact/hooks'

type Props = {
  readonly isChanged: boolean
  readonly problem: string | null
  readonly save: () => Promise<string | null>
  readonly onReset: () => void
}

export function SaveLine({ isChanged, problem, save, onReset }: Props) {
  const [told, setTold] = useState<{ readonly text: string; readonly isFault: boolean } | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const run = async () => {
    setIsBusy(true)
    const error = await save()
    setIsBusy(false)
    setTold({ text: error ?? 'Saved.', isFault: error !== null })
  }
  const fault = problem ?? (told?.isFault ? told.text : null)
  return (
    <div class="line save">
      <button type="button" class="primary" disabled={!isChanged || problem !== null || isBusy} onClick={run}>
        Save
      </button>
      {isChanged && (
        <button type="button" class="quiet" onClick={onReset}>
          Undo
        </button>
      )}
      <span role={fault === null ? 'status' : 'alert'} class={fault === null ? 'muted' : 'fault'}>
        {fault ?? (isChanged ? '' : (told?.text ?? ''))}
      </span>
    </div>
  )
}
