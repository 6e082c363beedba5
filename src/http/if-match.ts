// The If-Match header: the versions that a client allows a change to overwrite.

/**
 * Null: any version. A tag that is weak, or not one of ours, matches no version (RFC 9110, 13.1.1). An empty header
 * counts as absent, because workerd drops it.
 */
export function versionsOf(ifMatch: string | undefined): readonly number[] | null {
  if (!ifMatch?.trim() || ifMatch.trim() === '*') return null
  const versions = ifMatch.split(',').map((tag) => /^"([1-9]\d{0,14})"$/.exec(tag.trim())?.[1])
  return versions.flatMap((version) => (version === undefined ? [] : Number(version)))
}
