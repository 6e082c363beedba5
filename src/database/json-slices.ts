// Cuts what is bound as JSON into as many parameters as it needs: D1 refuses one of more than 2 MB.

const sliceMaxBytes = 1_500_000

/** JSON arrays of the items, which are JSON texts, in order; none is much longer than a parameter may be. */
export function inSlices(items: readonly string[]): string[] {
  const slices: string[] = []
  let slice: string[] = []
  let bytes = 0
  for (const item of items) {
    const itemBytes = Buffer.byteLength(item)
    if (slice.length > 0 && bytes + itemBytes > sliceMaxBytes) {
      slices.push(`[${slice.join()}]`)
      slice = []
      bytes = 0
    }
    slice.push(item)
    bytes += itemBytes + 1
  }
  return slice.length > 0 ? [...slices, `[${slice.join()}]`] : slices
}
