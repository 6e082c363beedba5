// Cuts a JSON array into several bound parameters, in little memory: D1 refuses a parameter of more than 2 MB.

const sliceMaxBytes = 1_500_000

/** JSON arrays of the items, in order. */
export function inSlices(items: readonly unknown[]): string[] {
  const slices: string[] = []
  let slice: string[] = []
  let bytes = 0
  for (const value of items) {
    const item = JSON.stringify(value)
    const itemBytes = Buffer.byteLength(item)
    if (slice.length > 0 && bytes + itemBytes > sliceMaxBytes) {
      slices.push(inLatin1(`[${slice.join()}]`))
      slice = []
      bytes = 0
    }
    slice.push(item)
    bytes += itemBytes + 1
  }
  const last = `[${slice.join()}]`
  // A single slice is small enough as it is.
  if (slice.length > 0) slices.push(slices.length > 0 ? inLatin1(last) : last)
  return slices
}

/**
 * Escapes characters outside Latin-1, where they are few: a single one doubles the memory of the text and of the
 * binding's copies, four times 8 MiB for a text of quotes.
 */
function inLatin1(json: string): string {
  if (Buffer.byteLength(json) - json.length > json.length / 20) return json
  const escaped = json.replace(
    /[\u0100-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  // A copy, because V8 keeps the width of the text that this one was made from.
  return Buffer.from(escaped, 'latin1').toString('latin1')
}
