// What a store has written as JSON, with times as the API has them.
import { formatTimestamp } from '../timestamp.ts'

/** Each member `atMs`, in Unix ms, becomes `at`. */
export const shown = (json: string): object =>
  Object.fromEntries(
    Object.entries(JSON.parse(json) as object).map(([name, value]) =>
      name.endsWith('Ms') ? [name.slice(0, -2), formatTimestamp(value)] : [name, value],
    ),
  )
