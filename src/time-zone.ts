// Time zones: which names are taken, and how far a zone's clock is ahead of UTC. What is done by that clock is
// decided elsewhere. Pure.

/** Making one takes 90 µs. */
const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(timeZone: string): Intl.DateTimeFormat {
  let clock = clocks.get(timeZone)
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    clocks.set(timeZone, clock)
  }
  return clock
}

/** How far the zone's clock is ahead of UTC at a moment. Caller must pass what isTimeZone takes. */
export function offsetMsAt(timeZone: string, atMs: number): number {
  const shown: Record<string, number> = {}
  for (const { type, value } of clockOf(timeZone).formatToParts(atMs)) shown[type] = Number(value)
  const { year = 0, month = 0, day = 0, hour, minute, second } = shown
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(atMs / 1000) * 1000
}

/** Names that were taken before. There are no more of them than zones, so it needs no bound. */
const taken = new Set<string>()

/**
 * True for the name of a time zone in its own spelling (D60). `Intl` ignores case, and each variant would be a zone
 * of its own here. A name that `Intl` knows by another (`Europe/Kyiv` is its `Europe/Kiev`) counts when its words
 * are capitalised, for which there is one way, or when it is one of the few that are spelled otherwise. Old names
 * of one word (`Japan`, `EST`) are not taken.
 */
export function isTimeZone(name: string): boolean {
  if (taken.has(name)) return true
  if (!/^[A-Za-z]/.test(name) || name.length > 64) return false
  const resolved = resolveTimeZone(name)
  if (resolved === null || !isInItsSpelling(name, resolved)) return false
  taken.add(name)
  return true
}

function isInItsSpelling(name: string, resolved: string): boolean {
  const isLike = (other: string) => other.toLowerCase() === name.toLowerCase()
  const known = [resolved, ...spelledOtherwise].find(isLike)
  return known === undefined ? capitalisedName.test(name) : known === name
}

const capitalisedName = /^(?!Us\/)(?:US|[A-Z][a-z]+)(?:\/[A-Z][a-z]+(?:_[A-Z][a-z]+)*)+$/

const spelledOtherwise = [
  ...[
    'UTC',
    'Etc/UTC',
    'GMT',
    'Etc/GMT',
    'Etc/UCT',
    'US/East-Indiana',
    'US/Indiana-Starke',
    'America/Knox_IN',
  ],
  ...['Australia/ACT', 'Australia/LHI', 'Australia/NSW', 'Brazil/DeNoronha', 'Chile/EasterIsland'],
  ...['Mexico/BajaNorte', 'Mexico/BajaSur', 'America/Argentina/ComodRivadavia'],
]

function resolveTimeZone(name: string): string | null {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null
  }
}
