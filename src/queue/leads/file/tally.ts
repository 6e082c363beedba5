// Decides whether a row is created, existing, repeated, invalid or not to be called, and counts them. The service
// answers `skipped` for both existing and repeated: whether the number was in an earlier row is known only where the
// file is read.

type RowStatus = 'created' | 'existing' | 'repeated' | 'invalid' | 'do_not_call'

export type Verdict = {
  /** `created`: by any run of this import. */
  readonly status: RowStatus
  readonly leadId: string | null
  /** Empty for a created one. */
  readonly reason: string
}

/** The service's result for a lead. */
type Result =
  | { readonly status: 'created' | 'skipped'; readonly leadId: string | null }
  | { readonly status: 'invalid'; readonly error: string }

/** What became of the confirmed rows. `do_not_call`: where there are such rows. */
export type Tally = { readonly rows: number; readonly do_not_call?: number } & {
  readonly [status in Exclude<RowStatus, 'do_not_call'>]: number
}

export const emptyTally: Tally = { rows: 0, created: 0, existing: 0, repeated: 0, invalid: 0 }

export function addToTally<All extends Tally>(tally: All, { status }: Pick<Verdict, 'status'>): All {
  return { ...tally, rows: tally.rows + 1, [status]: (tally[status] ?? 0) + 1 }
}

/**
 * The phone numbers of the rows so far, as numbers, which take a third of the memory: 15 digits are exact. A set holds
 * 16 million, which take a day at the service's limit.
 */
export type SeenNumbers = Set<number>

/** Whether the number was in an earlier row. */
export function see(seen: SeenNumbers, phoneNumber: string): boolean {
  if (!isNumber(phoneNumber)) return false
  const before = seen.size
  return seen.add(Number(phoneNumber)).size === before
}

export const isSeen = (seen: ReadonlySet<number>, phoneNumber: string) =>
  isNumber(phoneNumber) && seen.has(Number(phoneNumber))
export const numbersOf = (seen: ReadonlySet<number>) => [...seen].map((number) => `+${number}`)
const isNumber = (phoneNumber: string) => /^\+\d{1,15}$/.test(phoneNumber)

/** The number of the row must not be called. `reason`: which row says so. */
export const notCalled = (reason: string): Verdict => ({ status: 'do_not_call', leadId: null, reason })

type How = {
  /** What the service would do: a dry run stores no row, so that it finds a repeated number new again. */
  readonly isTrial?: boolean
  /** Whether an earlier run of this import created the existing lead, and its answer was lost. */
  readonly isOwn?: (leadId: string) => boolean
}

/** Judges a row by the service's result. `isSeen`: whether its number was in an earlier row. */
export function judgeRow(
  result: Result,
  isSeen: () => boolean,
  { isTrial = false, isOwn = () => false }: How = {},
): Verdict {
  // The number of an invalid row counts as seen once it was sent, as a resumed import has it.
  const isRepeated = !(isTrial && result.status === 'invalid') && isSeen()
  if (result.status === 'invalid') return { status: 'invalid', leadId: null, reason: result.error }
  const { leadId } = result
  if (result.status === 'created' && !(isTrial && isRepeated))
    return { status: 'created', leadId, reason: '' }
  if (isRepeated) return { status: 'repeated', leadId, reason: 'phoneNumber is in an earlier row' }
  if (leadId !== null && isOwn(leadId)) return { status: 'created', leadId, reason: '' }
  return { status: 'existing', leadId, reason: 'Lead already exists' }
}
