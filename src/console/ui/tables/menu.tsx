// Actions behind one button. The browser closes it by Escape, or by a press elsewhere.
import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'

type Props = {
  /** For screen readers. */
  readonly label: string
  /** Buttons and links: a press closes the menu. */
  readonly children: ComponentChildren
}

export function Menu({ label, children }: Props) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  // It lies above all else, so that no box cuts it.
  const place = () => {
    const { current } = menu
    const at = button.current?.getBoundingClientRect()
    if (current === null || at === undefined) return
    current.style.top = `${at.bottom + 4}px`
    current.style.right = `${document.documentElement.clientWidth - at.right}px`
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        class="menu-button"
        popovertarget={id}
        aria-label={label}
        title={label}
      >
        ⋯
      </button>
      <div ref={menu} id={id} class="menu" popover="auto" onBeforeToggle={place}>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: a key on one of its buttons is a click. */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: it only listens to what its buttons do. */}
        <div class="menu-items" onClick={() => menu.current?.hidePopover()}>
          {children}
        </div>
      </div>
    </>
  )
}
