// Stops one of several that act at once at a place, so that a test decides what happens while it stands there.

/** Stops the first that comes by the place, until `goOn`. */
export function createGate(place: string) {
  const [reached, goingOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let isReached = false
  return {
    reached: reached.promise,
    goOn: goingOn.resolve,
    async pass(here: string): Promise<void> {
      if (here !== place || isReached) return
      isReached = true
      reached.resolve()
      await goingOn.promise
    },
  }
}
