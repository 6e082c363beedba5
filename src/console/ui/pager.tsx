// Turns the pages of a list.
import type { ComponentChildren } from 'preact'
import { Button } from './controls.tsx'

type Props = {
  readonly name: string
  /** Null: there is no such page. */
  readonly onPrevious: (() => void) | null
  readonly onNext: (() => void) | null
  /** Between the buttons. */
  readonly children?: ComponentChildren
}

export const Pager = ({ name, onPrevious, onNext, children }: Props) => (
  <nav class="line pager" aria-label={name}>
    <Button isOff={onPrevious === null} onClick={() => onPrevious?.()}>
      Previous
    </Button>
    {children}
    <Button isOff={onNext === null} onClick={() => onNext?.()}>
      Next
    </Button>
  </nav>
)
