// The leads of a bulk as parameters of statements: JSON texts that D1 takes, in little memory. What the statements do
// with them is in create.ts.
import { parseTimestampMs } from '../../timestamp.ts'
import { type NewLead, newLeadFields } from '../lead.ts'

/** D1 refuses a parameter of more than 2 MB. */
const sliceMaxBytes = 1_500_000

/** JSON arrays of the leads, in order, none much longer than a parameter may be. */
export function inSlices(leads: readonly NewLead[]): string[] {
  const slices: string[] = []
  let slice: string[] = []
  let bytes = 0
  for (const lead of leads) {
    const item = JSON.stringify([...newLeadFields.map((field) => lead[field]), scheduledAtMsOf(lead)])
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
  // A bulk of one slice is small enough as it is.
  if (slice.length > 0) slices.push(slices.length > 0 ? inLatin1(last) : last)
  return slices
}

/**
 * The same JSON without characters outside of Latin-1, where they are few: a single one doubles the text and what
 * the binding makes of it, four times 8 MiB where all is quotes.
 */
function inLatin1(json: string): string {
  if (Buffer.byteLength(json) - json.length > json.length / 20) return json
  const escaped = json.replace(
    /[\u0100-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  // A copy, since V8 keeps a text as wide as the one it was made of.
  return Buffer.from(escaped, 'latin1').toString('latin1')
}

/** When the lead asks to be called, in Unix ms: SQLite's own reading of timestamps is another. */
export function scheduledAtMsOf({ scheduledFor }: NewLead): number | null {
  return scheduledFor === null ? null : parseTimestampMs(scheduledFor)
}
