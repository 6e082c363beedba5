// Time zones: which names are valid, how far a zone's clock is ahead of UTC, and which moment a time on its clock
// means. Pure.

/** Cached, because making one takes 90 µs. */
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

/** How far the zone's clock is ahead of UTC. `timeZone` must be valid. */
export function offsetMsAt(timeZone: string, atMs: number): number {
  const shown: Record<string, number> = {}
  for (const { type, value } of clockOf(timeZone).formatToParts(atMs)) shown[type] = Number(value)
  const { year = 0, month = 0, day = 0, hour, minute, second } = shown
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(atMs / 1000) * 1000
}

const dayMs = 86_400_000

/**
 * The moment at which the zone's clock shows this time (of a day and hour, as if they were UTC). A time that the clock
 * skips is moved forward by what it skips, and one that it shows twice is the later: nobody is called before the agreed
 * time. Files ask instead (queue/leads/file/cells/date-cell.ts).
 */
export function momentOf(timeZone: string, wallMs: number): number {
  const around = [wallMs - dayMs, wallMs + dayMs].map((ms) => wallMs - offsetMsAt(timeZone, ms))
  const shown = around.filter((ms) => ms + offsetMsAt(timeZone, ms) === wallMs)
  return Math.max(...(shown.length > 0 ? shown : around))
}

/** What the zone's clock shows a day later. */
export const sameTimeNextDay = (timeZone: string, atMs: number): number =>
  momentOf(timeZone, atMs + offsetMsAt(timeZone, atMs) + dayMs)

/** ISO 8601 with the offset of the zone, to the second: `2026-12-01T10:00:00+01:00`. */
export function formatLocalTime(timeZone: string, atMs: number): string {
  const offsetMs = offsetMsAt(timeZone, atMs)
  const wall = (ms: number) => new Date(ms).toISOString()
  const size = wall(Math.abs(offsetMs)).slice('1970-01-01T'.length, '1970-01-01T00:00'.length)
  return `${wall(atMs + offsetMs).slice(0, '1970-01-01T00:00:00'.length)}${offsetMs < 0 ? '-' : '+'}${size}`
}

/** Valid names seen before. There are no more of them than zones, so the set needs no bound. */
const validNames = new Set<string>()

/**
 * True for a time zone's name in its exact spelling (D60): `Intl` ignores case, and each variant would be a zone of its
 * own here. A name that `Intl` resolves to another (`Europe/Kyiv` to `Europe/Kiev`) is valid when its words are
 * capitalised, or when it is one of the few with another spelling. Names that are of no place are not valid, although
 * some runtimes know them as zones: those of one word (`Japan`, `CET`, `Factory`), and System V's.
 */
export function isTimeZone(name: string): boolean {
  if (validNames.has(name)) return true
  if (!/^(?:UTC$|GMT$|(?!SystemV\/)[A-Za-z]+\/)/.test(name) || name.length > 64) return false
  const resolved = resolveTimeZone(name)
  if (resolved === null || !isExactSpelling(name, resolved)) return false
  validNames.add(name)
  return true
}

function isExactSpelling(name: string, resolved: string): boolean {
  const isLike = (other: string) => other.toLowerCase() === name.toLowerCase()
  const known = [resolved, ...otherSpellings].find(isLike)
  return known === undefined ? capitalisedName.test(name) : known === name
}

const capitalisedName = /^(?!Us\/)(?:US|[A-Z][a-z]+)(?:\/[A-Z][a-z]+(?:_[A-Z][a-z]+)*)+$/

const otherSpellings = [
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
