// Moves the focus when its element is removed, such as a button that a press replaces: to the heading of the part
// around it. Otherwise it falls back to the start of the page, and a screen reader says nothing.
import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

/** Works until the page is closed. */
export function keepFocus(root: HTMLElement): void {
  /** From the element outwards. Empty: no focus to keep. */
  let path: readonly EventTarget[] = []
  root.addEventListener('focusin', (event) => {
    path = event.composedPath()
  })
  // A press elsewhere gives the focus up.
  addEventListener('pointerdown', (event) => {
    if (!event.composedPath().includes(path[0] as EventTarget)) path = []
  })
  new MutationObserver(() => {
    const [lost, ...around] = path as readonly Node[]
    if (lost === undefined || lost.isConnected || document.activeElement !== document.body) return
    for (const part of around) {
      const heading = part instanceof Element && part.isConnected && part.querySelector('h1, h2, h3')
      if (heading instanceof HTMLElement) return focusOn(heading)
    }
  }).observe(root, { childList: true, subtree: true })
}

/** For elements that are read and not operated. */
export function focusOn(element: HTMLElement | null): void {
  if (element === null) return
  element.tabIndex = -1
  element.focus()
}

/** While a part is shown, it has the focus; then the element that had it before. */
export function useFocusInside(part: RefObject<HTMLElement | null>, enter: () => void): void {
  useLayoutEffect(() => {
    const before = document.activeElement
    const shown = part.current
    enter()
    return () => {
      const isInside = shown?.contains(document.activeElement)
      if (isInside && before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
}
