// Where the focus goes when what had it is taken away, such as a button that its own press replaces: to the heading of
// the part that it stood in. Left alone, it would fall to the page's beginning, and nobody would be told.

/** Watches for as long as the page lives. */
export function keepFocus(root: HTMLElement): void {
  /** From the element outwards. Empty: nothing that is missed. */
  let path: readonly EventTarget[] = []
  root.addEventListener('focusin', (event) => {
    path = event.composedPath()
  })
  // Whoever points elsewhere has let go of it.
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

/** What is told, and not operated. */
export function focusOn(element: HTMLElement | null): void {
  if (element === null) return
  element.tabIndex = -1
  element.focus()
}
