// Names of members and parameters that are almost ours: if one were ignored, a request would do something else than its
// sender meant. Which names these are is the areas' to say.

const echoedChars = 64

/** A name may hold any number of `-` and `_`: a long one is echoed without them, and cut. */
export const echoedName = (sent: string) =>
  sent.length <= echoedChars ? sent : plainNameOf(sent).slice(0, echoedChars)

/** Lower-cases ASCII only: no other letter may turn into an ASCII one. */
const plainNameOf = (name: string) =>
  name.replace(/[-_]/g, '').replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/**
 * Finds the known name that a sent one is taken for: it differs only by case, `-` or `_`, or is the beginning of that
 * name with at least `beginningChars` letters.
 */
export function almostKnownIn(names: readonly string[], beginningChars = Number.POSITIVE_INFINITY) {
  const exact = new Set(names)
  const shortest = Math.min(beginningChars, ...names.map((name) => name.length))
  const knownOf = new Map(names.map((known) => [plainNameOf(known), known]))
  const begunBy = (plain: string) => names.find((known) => plainNameOf(known).startsWith(plain))
  return (sent: string): { readonly sent: string; readonly known: string } | null => {
    if (exact.has(sent) || sent.length < shortest) return null
    const plain = plainNameOf(sent)
    const known = knownOf.get(plain) ?? (plain.length < beginningChars ? undefined : begunBy(plain))
    return known === undefined ? null : { sent: echoedName(sent), known }
  }
}

/** Finds the name that a sent one is, apart from case, `-`, `_` and one typing error. */
export function nearlyIn(names: readonly string[]) {
  const plainNames = names.map((name) => [plainNameOf(name), name] as const)
  const longest = Math.max(...names.map((name) => name.length)) + 1
  return (sent: string): string | null => {
    const plain = plainNameOf(sent)
    if (plain.length > longest) return null
    return plainNames.find(([name]) => name === plain || isOneChange(plain, name))?.[1] ?? null
  }
}

/** `isNo`: of a name that says do-not-call, whether a value makes it one. */
type Wrong = {
  readonly place: number
  readonly message: string
  readonly isNo?: (value: unknown) => boolean
}

/** Names that are not ours, but mean one of ours. Case, `-` and `_` do not matter. */
type MeantNames = {
  /** By member, what other systems call it. */
  readonly others: Readonly<Record<string, readonly string[]>>
  /** Members that one typing error still means. */
  readonly oneChange: readonly string[]
}

/** Null: the name says nothing of calls. Else whether a value under it says do-not-call. */
type MemberSays = (name: string) => ((value: unknown) => boolean) | null

/** The leads of a bulk repeat the same few names a thousand times; more, and longer ones, are read anew. */
const rememberedNames = 1000
const rememberedChars = 100

/**
 * Finds what is wrong with the name of a member, if anything. `place`: that of the member it is taken for among `names`
 * (D9); a do-not-call stands behind them all.
 */
export function memberJudge(names: readonly string[], meant: MeantNames, says: MemberSays) {
  const read = nameReader(names, meant, says)
  const remembered = new Map<string, Wrong | null>()
  return (sent: string, value: unknown): Wrong | null => {
    let wrong = remembered.get(sent)
    if (wrong === undefined) {
      wrong = read(sent)
      if (remembered.size === rememberedNames) remembered.clear()
      if (sent.length <= rememberedChars) remembered.set(sent, wrong)
    }
    return wrong?.isNo?.(value) === false ? null : wrong
  }
}

/** `sent`: the name of a member, or in metadata. */
export const saysDoNotCall = (sent: string) =>
  `${echoedName(sent)} is not a member: suppress the number at /api/v1/suppressions`

function nameReader(names: readonly string[], { others, oneChange }: MeantNames, says: MemberSays) {
  const almostKnown = almostKnownIn(names)
  const knownOf = new Map(
    Object.entries(others).flatMap(([known, names]) =>
      names.map((other) => [plainNameOf(other), known] as const),
    ),
  )
  const close = oneChange.map((known) => [plainNameOf(known), known] as const)
  const longest = Math.max(...close.map(([plain]) => plain.length)) + 1

  return (sent: string): Wrong | null => {
    if (names.includes(sent)) return null
    const plain = plainNameOf(sent)
    const known =
      almostKnown(sent)?.known ??
      knownOf.get(plain) ??
      (plain.length > longest ? undefined : close.find(([name]) => isOneChange(plain, name))?.[1])
    if (known !== undefined && names.includes(known))
      return { place: names.indexOf(known), message: `${echoedName(sent)} is not a member: use ${known}` }
    const isNo = says(sent)
    return isNo && { place: names.length, message: saysDoNotCall(sent), isNo }
  }
}

/** Whether one insertion, removal, replacement or swap of neighbours makes one text of the other. */
function isOneChange(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1 || one === other) return false
  let at = 0
  while (one[at] === other[at]) at++
  if (one.length !== other.length) {
    const [short, long] = one.length < other.length ? [one, other] : [other, one]
    return short.slice(at) === long.slice(at + 1)
  }
  if (one.slice(at + 1) === other.slice(at + 1)) return true
  const isSwap = one[at] === other[at + 1] && one[at + 1] === other[at]
  return isSwap && one.slice(at + 2) === other.slice(at + 2)
}
