// A question in the page before an action. It takes the focus, and returns it to the element that had it.
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import type { Feedback } from '../service/answer.ts'
import { Button } from './controls.tsx'
import { FeedbackLine } from './feedback.tsx'
import { focusOn, useFocusInside } from './keep-focus.ts'

export type QuestionProps = {
  readonly text: string
  readonly yes: string
  readonly onYes: () => unknown
  readonly isYesDisabled?: boolean
  readonly isDangerous?: boolean
  readonly cancel?: string
  readonly onCancel: () => void
  /** The action that it starts, where the question stays until that is done. */
  readonly isBusy?: boolean
  readonly feedback?: Feedback | null
  /** Between question and answers. */
  readonly details?: ComponentChildren
  /** Another answer. */
  readonly children?: ComponentChildren
}

export function Question(props: QuestionProps) {
  const { text, yes, onYes, isDangerous = false, cancel = 'Cancel', onCancel, feedback } = props
  const box = useRef<HTMLFieldSetElement>(null)
  useFocusInside(box, () => focusOn(box.current))
  return (
    <fieldset class="question group" ref={box}>
      <legend class="unseen">{text}</legend>
      <p>{text}</p>
      {props.details}
      {feedback !== undefined && <FeedbackLine feedback={feedback} />}
      <div class="line">
        <Button
          class={isDangerous ? 'danger' : 'primary'}
          isOff={props.isYesDisabled === true || props.isBusy === true}
          onClick={onYes}
        >
          {yes}
        </Button>
        {props.children}
        <Button class="subtle" onClick={onCancel}>
          {cancel}
        </Button>
      </div>
    </fieldset>
  )
}
