// Numbers as people read them: with the separators of the reader's language, shares, and lengths of time.

let language: string | undefined

/** Undefined: the browser's language. */
export function setLanguage(tag: string | undefined): void {
  language = tag
}

export function counted(count: number): string {
  return new Intl.NumberFormat(language).format(count)
}

/** A count that stops at 10,000 says that there are more. */
export function countedUpTo(count: number, isCapped: boolean): string {
  return isCapped && count >= 10_000 ? `${counted(count)}+` : counted(count)
}

export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${counted(count)} ${count === 1 ? one : many}`
}

/** Empty when the whole is 0. */
export function share(part: number, whole: number): string {
  if (whole <= 0) return ''
  return new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 }).format(part / whole)
}

/** Minutes and seconds of a countdown: 9:05. Never below zero. */
export function clock(remainingMs: number): string {
  const seconds = Math.max(0, Math.floor(remainingMs / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** A length of time, rounded. */
export function about(seconds: number): string {
  if (seconds < 60) return 'less than a minute'
  if (seconds < 5400) return `about ${countOf(Math.round(seconds / 60), 'minute')}`
  return `about ${countOf(Math.round(seconds / 3600), 'hour')}`
}

/** A length of time in whole minutes, at least one: 43 min. */
export const minutes = (seconds: number): string => `${counted(Math.max(1, Math.ceil(seconds / 60)))} min`

type GateCounts = Readonly<Record<'checked' | 'refused' | 'waiting', number>>

export const gateWords = ({ checked, refused, waiting }: GateCounts) =>
  `Checked ${counted(checked)}, refused ${counted(refused)}, waiting ${counted(waiting)}`
