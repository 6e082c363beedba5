// The headers about versions: If-Match, those that a client allows a change to overwrite, and If-None-Match, those that
// it has already.

/**
 * Null: any version. A tag that is weak, or not one of ours, matches no version (RFC 9110, 13.1.1), nor does an empty
 * header where the runtime keeps it: workerd drops it from what comes over the network.
 */
export function versionsOf(ifMatch: string | undefined): readonly number[] | null {
  if (ifMatch === undefined || ifMatch.trim() === '*') return null
  const versions = ifMatch.split(',').map((tag) => /^"([1-9]\d{0,14})"$/.exec(tag.trim())?.[1])
  return versions.flatMap((version) => (version === undefined ? [] : Number(version)))
}

/** Whether the client has this version. Weak tags count (RFC 9110, 13.1.2). */
export const isKnown = (version: number, ifNoneMatch: string | undefined) =>
  ifNoneMatch
    ?.split(',')
    .some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === `"${version}"`) === true
