// A form that opens in place: it takes the focus, moves it to the field that is wrong, and shows what came of sending
// it.
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import type { Feedback } from '../service/answer.ts'
import { Button } from './controls.tsx'
import { FeedbackLine } from './feedback.tsx'
import { useFocusInside } from './keep-focus.ts'

type Props = {
  readonly name: string
  readonly class?: string
  readonly submit: string
  readonly onSubmit: () => unknown
  /** Absent: it stays open, and does not take the focus. */
  readonly onCancel?: (() => void) | undefined
  readonly isBusy?: boolean
  readonly feedback?: Feedback | null
  readonly children: ComponentChildren
}

export function Form(props: Props) {
  const { name, submit, onSubmit, onCancel, isBusy = false, feedback = null, children } = props
  const form = useRef<HTMLFormElement>(null)
  useFocusInside(form, () => onCancel && form.current?.querySelector('input')?.focus())
  const send = async (event: Event) => {
    event.preventDefault()
    if (isBusy) return
    await onSubmit()
    // The fields say so after the next render.
    setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }
  return (
    <form class={`group ${props.class ?? 'create'}`} aria-label={name} ref={form} noValidate onSubmit={send}>
      {children}
      <div class="line wide">
        <Button type="submit" class="primary" isOff={isBusy}>
          {submit}
        </Button>
        {onCancel && (
          <Button class="subtle" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
      <FeedbackLine feedback={feedback} />
    </form>
  )
}
