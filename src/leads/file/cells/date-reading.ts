// What reading a cell as a date can give, in types and in words. The reading itself is in date-cell.ts, which is loaded only
// where a person says how cells are to be read.

export const dateOrders = ['day-first', 'month-first'] as const
export type DateOrder = (typeof dateOrders)[number]

export type DateCause = 'no_order' | 'no_such_day' | 'no_such_time'

type DateReading =
  | { readonly kind: 'ok'; readonly timestamp: string }
  /** Complete, or no date: it is sent as it is. */
  | { readonly kind: 'as_is' }
  | { readonly kind: 'error'; readonly cause: DateCause }

export type ReadDate = (cell: string) => DateReading

const causes: Readonly<Record<DateCause, string>> = {
  no_order: 'has no UTC offset, and the order of day and month is not confirmed',
  no_such_day: 'is a day or a time that does not exist, in the order of day and month that was confirmed',
  no_such_time: 'is in the hour that the clock skips',
}
/** `field`: that the cell is for. */
export const describeDateCause = (cause: DateCause, field: string) => `${field} ${causes[cause]}`
