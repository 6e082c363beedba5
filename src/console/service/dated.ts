// What was read, and when: what cannot be refreshed stays, with its age.

import { clockTime, zoneName } from '../ui/words/zone-time.ts'
import type { Answer } from './answer.ts'

export type Dated<Data> = {
  readonly data: Data
  readonly atMs: number
  /** Why it could not be refreshed; null: it is current. */
  readonly problem: string | null
}

/** Null: nothing to show. What the service denies is not kept. */
export function dated<Data>(
  { data, status, error }: Answer<Data>,
  before: Dated<Data> | null,
  atMs: number,
): Dated<Data> | null {
  if (data !== null) return { data, atMs, problem: null }
  const mayPass = status === 0 || status === 429 || status >= 500
  return mayPass && before !== null ? { ...before, problem: error } : null
}

/** A line for the parts of each age; none where all are current. */
export function describeAges(
  parts: readonly (readonly [name: string, part: Dated<unknown> | null])[],
  zone: string,
): readonly string[] {
  const old = parts.flatMap(([name, part]) =>
    part?.problem == null
      ? []
      : [{ name, age: `from ${clockTime(part.atMs, zone)} in ${zoneName(zone)}. ${part.problem}` }],
  )
  return [...Map.groupBy(old, ({ age }) => age)].map(
    ([age, its]) => `Not refreshed: ${its.map(({ name }) => name).join(', ')} ${age}`,
  )
}
