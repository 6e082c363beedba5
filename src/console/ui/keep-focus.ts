// Moves the focus when its element is removed, such as a button that a press replaces: to the heading of the part around
// it. Otherwise it falls back to the start of the page, and a screen reader says nothing.

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
