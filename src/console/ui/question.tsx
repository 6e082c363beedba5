// A question in the page before an action. It takes the focus, and returns it to the element that had it.
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { Button } from './controls.tsx'
import { focusOn, useFocusInside } from './keep-focus.ts'

type Props = {
  readonly text: string
  readonly yes: string
  readonly onYes: () => unknown
  readonly isYesDisabled?: boolean
  readonly isDangerous?: boolean
  readonly cancel?: string
  readonly onCancel: () => void
  /** Between question and answers. */
  readonly details?: ComponentChildren
  /** Another answer. */
  readonly children?: ComponentChildren
}

export function Question(props: Props) {
  const { text, yes, onYes, isDangerous = false, isYesDisabled = false, cancel = 'Cancel', onCancel } = props
  const box = useRef<HTMLFieldSetElement>(null)
  useFocusInside(box, () => focusOn(box.current))
  return (
    <fieldset class="question group" ref={box}>
      <legend class="unseen">{text}</legend>
      <p>{text}</p>
      {props.details}
      <div class="line">
        <Button class={isDangerous ? 'danger' : 'primary'} isOff={isYesDisabled} onClick={onYes}>
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
