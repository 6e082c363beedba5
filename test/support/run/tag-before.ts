// The version that is deployed when the present one comes: the last tag before it. Versions before 2.0 were never
// deployed.
import { execFileSync } from 'node:child_process'
import { projectDir } from './local-worker.ts'

/** As `v2.1.0` and `2.1.0` have it; null: no tag of the service. */
function versionOf(tag: string): readonly number[] | null {
  const parts = /^v?(\d+)\.(\d+)\.(\d+)$/.exec(tag)?.slice(1).map(Number)
  return parts !== undefined && (parts[0] as number) >= 2 ? parts : null
}

const compare = (one: readonly number[], other: readonly number[]) =>
  one.map((part, index) => part - (other[index] ?? 0)).find((difference) => difference !== 0) ?? 0

/** Of the tags from 2.0 on, the last one before `version`; null: there is none. */
export function tagBefore(tags: readonly string[], version: string): string | null {
  const present = versionOf(version)
  if (present === null) throw new Error(`${version} is no version from 2.0 on`)
  const earlier = tags.flatMap((tag) => {
    const parts = versionOf(tag)
    return parts !== null && compare(parts, present) < 0 ? [{ tag, parts }] : []
  })
  return earlier.toSorted((one, other) => compare(one.parts, other.parts)).at(-1)?.tag ?? null
}

/** None where there is no git. */
export function listTags(): readonly string[] {
  try {
    return execFileSync('git', ['tag', '--list'], { cwd: projectDir, encoding: 'utf8', stdio: 'pipe' })
      .split('\n')
      .filter(Boolean)
  } catch {
    return []
  }
}
