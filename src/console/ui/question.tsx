// A question in the page before an action. It takes the focus, and returns it to the element that had it.
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { focusOn } from './keep-focus.ts'

type Props = {
  readonly text: string
  readonly cancel?: string
  readonly onCancel: () => void
  readonly children: ComponentChildren
}

export function Question({ text, cancel = 'Cancel', onCancel, children }: Props) {
  const box = useRef<HTMLFieldSetElement>(null)
  useLayoutEffect(() => {
    const asked = document.activeElement
    const question = box.current
    focusOn(question)
    return () => {
      const isInside = question?.contains(document.activeElement)
      if (isInside && asked instanceof HTMLElement && asked.isConnected) asked.focus()
    }
  }, [])
  return (
    <fieldset class="question" ref={box}>
      <legend class="unseen">{text}</legend>
      <p>{text}</p>
      <div class="line">
        {children}
        <button type="button" class="subtle" onClick={onCancel}>
          {cancel}
        </button>
      </div>
    </fieldset>
  )
}
