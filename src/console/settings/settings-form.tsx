// One part of the settings as a form: its edits are saved together, and only they are sent.
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import type { Campaign } from '../../sdk/src/models.ts'
import { useAction } from '../service/use-action.ts'
import { Card } from '../ui/card.tsx'
import { Button } from '../ui/controls.tsx'
import { Result } from '../ui/feedback.tsx'
import { useUnsaved } from '../ui/unsaved.ts'
import type { Edits } from './edits.ts'

/** What each form gets. */
export type EditorProps = {
  readonly campaign: Campaign
  readonly canChange: boolean
  /** Throws. */
  readonly onSave: (change: object) => Promise<void>
}

const toCorrect = 'Correct the marked fields first.'

type Props<Values extends object> = Pick<EditorProps, 'canChange' | 'onSave'> & {
  readonly title: string
  readonly edits: Edits<Values>
  /** A field has a problem, which is shown beside it. */
  readonly isWrong: boolean
  /** What to send for the edits. */
  readonly changeOf: (edited: Partial<Values>) => object
  readonly children: ComponentChildren
}

export function SettingsForm<Values extends object>(props: Props<Values>) {
  const { title, edits, isWrong, changeOf, canChange, onSave, children } = props
  const { edited, isEdited, undo, settle } = edits
  const { isBusy, feedback, run } = useAction()
  const saveButton = useRef<HTMLButtonElement>(null)
  /** Null: saved. */
  const save = async () => {
    if (isWrong) return toCorrect
    const { error } = await run(() => onSave(changeOf(edited)), 'Saved.')
    if (error === null) settle(edited)
    return error
  }
  useUnsaved(isEdited, save)
  const failure = feedback?.isFailure ? feedback.text : null
  return (
    <Card title={title}>
      {children}
      {canChange && (
        <div class="line">
          <Button class="primary" ref={saveButton} isOff={!isEdited || isWrong || isBusy} onClick={save}>
            Save
          </Button>
          {isEdited && (
            <Button
              class="subtle"
              onClick={() => {
                undo()
                saveButton.current?.focus()
              }}
            >
              Undo
            </Button>
          )}
          <Result isFailure={failure !== null && !isWrong}>
            {isWrong ? toCorrect : (failure ?? (isEdited ? '' : feedback?.text))}
          </Result>
        </div>
      )}
    </Card>
  )
}
