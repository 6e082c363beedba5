// What was read, and when: what cannot be read again stays, and says of when it is.

import { clockTime, zoneName } from '../ui/zone-time.ts'
import type { Answer } from './api.ts'

export type Dated<Data> = {
  readonly data: Data
  readonly atMs: number
  /** Why it could not be read again; null: it is as new as can be. */
  readonly problem: string | null
}

/** Null: nothing is known. What the service refuses is not kept. */
export function dated<Data>(
  { data, status, error }: Answer<Data>,
  before: Dated<Data> | null,
  atMs: number,
): Dated<Data> | null {
  if (data !== null) return { data, atMs, problem: null }
  const mayComeBack = status === 0 || status === 429 || status >= 500
  return mayComeBack && before !== null ? { ...before, problem: error } : null
}

/** A line for those of the same age; none where all is as new as can be. */
export function describeAges(
  parts: readonly (readonly [name: string, part: Dated<unknown> | null])[],
  zone: string,
): readonly string[] {
  const old = parts.flatMap(([name, part]) =>
    part?.problem == null
      ? []
      : [{ name, age: `of ${clockTime(part.atMs, zone)} in ${zoneName(zone)}. ${part.problem}` }],
  )
  return [...Map.groupBy(old, ({ age }) => age)].map(
    ([age, its]) => `Not refreshed: ${its.map(({ name }) => name).join(', ')} ${age}`,
  )
}

/** Which parts of what is shown could not be refreshed, and of when they are; null: none. `readAtMs`: by part. */
export function describeOld(
  { readAtMs, atMs }: { readonly readAtMs: Readonly<Record<string, number>>; readonly atMs: number },
  zone: string,
): string | null {
  const old = Object.entries(readAtMs).filter(([, ms]) => ms < atMs)
  const parts = old.map(([name, ms]) => `${name} of ${clockTime(ms, zone)}`)
  return parts.length === 0 ? null : `Not refreshed: ${parts.join(', ')} in ${zoneName(zone)}.`
}
