// Dates and times that a person picks, in a time zone that need not be the browser's.

const minuteMs = 60_000
const formats = new Map<string, Intl.DateTimeFormat>()

/** As a date picker has it: 2026-11-20T09:15. */
export function pickerTime(timeMs: number, zone: string): string {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    })
  formats.set(zone, format)
  return format.format(timeMs).replace(' ', 'T')
}

const asUtc = (picked: string) => Date.parse(`${picked}:00Z`)

/** The first moment at which the zone's clocks show this time; null: none, such as in the hour that spring skips. */
export function momentOf(picked: string, zone: string): number | null {
  const wallMs = asUtc(picked)
  if (Number.isNaN(wallMs)) return null
  // The offsets around that day are the two that can hold.
  const offsets = [-1, 1].map((days) => {
    const nearMs = wallMs + days * 24 * 60 * minuteMs
    return asUtc(pickerTime(nearMs, zone)) - nearMs
  })
  const moments = offsets.map((offset) => wallMs - offset).toSorted((one, other) => one - other)
  return moments.find((momentMs) => pickerTime(momentMs, zone) === picked.slice(0, 16)) ?? null
}
