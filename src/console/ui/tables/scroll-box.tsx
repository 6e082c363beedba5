// A part of the page that scrolls by itself and can be reached by keyboard.
import type { ComponentChildren } from 'preact'

type Props = { readonly name: string; readonly isShort?: boolean; readonly children: ComponentChildren }

export function ScrollBox({ name, isShort = false, children }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by a keyboard (WCAG 2.1.1).
    <section class={isShort ? 'scroll short' : 'scroll'} tabIndex={0} aria-label={name}>
      {children}
    </section>
  )
}
