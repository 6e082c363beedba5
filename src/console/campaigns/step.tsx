// One of the first steps: numbered until it is done, and open while it is the one to do next.
import type { ComponentChildren } from 'preact'

type Props = {
  readonly number: number
  readonly title: string
  readonly isDone: boolean
  readonly isOpen: boolean
  readonly children: ComponentChildren
}

export function Step({ number, title, isDone, isOpen, children }: Props) {
  return (
    <li class={isDone ? 'step done' : 'step'}>
      <details open={isOpen}>
        <summary>
          <span class="step-mark" aria-hidden="true">
            {isDone ? '✓' : number}
          </span>
          {title}
          <span class="unseen">{isDone ? ', done' : ', to do'}</span>
        </summary>
        <div class="step-body group">{children}</div>
      </details>
    </li>
  )
}
