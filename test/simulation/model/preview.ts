// The preview of a campaign, beside the explanations of its leads.

export type Explained = {
  readonly leadId: string
  readonly callable: boolean
  readonly blockers: readonly { readonly code: string; readonly until: string | null }[]
}

type Preview = { readonly [Name in 'callableNow' | 'laterToday' | 'withoutConsent' | 'counted']: number } & {
  readonly blocked: Readonly<Record<string, number>>
}

/** They wait for no call, or are in one. */
const away: ReadonlySet<string> = new Set(['final', 'suppressed', 'leased'])

/** Null: it counts them as they are explained. It takes no campaign for paused. */
export function judgePreview(preview: Preview, explained: readonly Explained[]): string | null {
  const { callableNow, laterToday, withoutConsent, counted, blocked } = preview
  const sum = Object.values(blocked).reduce((all, count) => all + count, callableNow + laterToday)
  if (sum !== counted)
    return `the preview counts ${counted} leads, and says of ${sum} when they may be called`
  const waiting = explained.filter(({ blockers }) => !blockers.some(({ code }) => away.has(code)))
  if (counted < waiting.length) return `the preview counts ${counted} leads, and ${waiting.length} wait`
  const without = waiting.filter(({ blockers }) =>
    blockers.some(({ code, until }) => code === 'no_consent' && until === null),
  )
  if (withoutConsent < without.length)
    return `the preview says that ${withoutConsent} leads have no consent, and ${without.length} have none`
  const callable = explained.filter((one) => one.callable).length
  const isPaused = explained.some(({ blockers }) => blockers.some(({ code }) => code === 'paused'))
  return isPaused || callableNow === callable
    ? null
    : `the preview says that ${callableNow} leads may be called, and ${callable} may as they are explained`
}
