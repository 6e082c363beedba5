// The condition that a client puts to a change: the versions of what it has read.

/**
 * Of which the resource must have one; null: whichever it has. A tag that is weak, or was never ours, is of no version
 * (RFC 9110, 13.1.1). An empty header is none: workerd leaves it out, so no answer could depend on it.
 */
export function versionsOf(ifMatch: string | undefined): readonly number[] | null {
  if (!ifMatch?.trim() || ifMatch.trim() === '*') return null
  const versions = ifMatch.split(',').map((tag) => /^"([1-9]\d{0,14})"$/.exec(tag.trim())?.[1])
  return versions.flatMap((version) => (version === undefined ? [] : Number(version)))
}
