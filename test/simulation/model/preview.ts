// What is told of a campaign before a claim: why each of its leads is not called, and its preview.
import type { Exchange } from '../observed.ts'
import type { Known } from './known.ts'

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

/** Null: it counts those that lack a consent, also after a claim that has passed them by. */
export function judgeConsents({ withoutConsent }: Preview, explained: readonly Explained[]): string | null {
  const without = explained.filter(
    ({ blockers }) =>
      !blockers.some(({ code }) => away.has(code)) &&
      blockers.some(({ code, until }) => code === 'no_consent' && until === null),
  )
  return without.length <= withoutConsent
    ? null
    : `the preview says that ${withoutConsent} leads have no consent, and ${without.length} have none`
}

/** Null: it counts them as they are explained. It takes no campaign for paused. */
export function judgePreview(preview: Preview, explained: readonly Explained[]): string | null {
  const { callableNow, laterToday, counted, blocked } = preview
  const sum = Object.values(blocked).reduce((all, count) => all + count, callableNow + laterToday)
  if (sum !== counted)
    return `the preview counts ${counted} leads, and says of ${sum} when they may be called`
  const waiting = explained.filter(({ blockers }) => !blockers.some(({ code }) => away.has(code)))
  if (counted > explained.length) return `the preview counts ${counted} leads of ${explained.length}`
  if (counted < waiting.length) return `the preview counts ${counted} leads, and ${waiting.length} wait`
  const consents = judgeConsents(preview, explained)
  if (consents !== null) return consents
  const callable = explained.filter((one) => one.callable).length
  const isPaused = explained.some(({ blockers }) => blockers.some(({ code }) => code === 'paused'))
  return isPaused || callableNow === callable
    ? null
    : `the preview says that ${callableNow} leads may be called, and ${callable} may as they are explained`
}

/** At the end, since the claim before it, which was for another campaign. */
export function toldBefore(claim: Exchange, { exchanges }: Known): readonly Exchange[] {
  const asked = exchanges.filter(({ who }) => who === 'inspector')
  const before = asked.findLastIndex((one) => one.operation === 'claimCalls' && one !== claim)
  // The first thing after a claim is the preview of its own campaign.
  return asked.slice(before + 2).filter(({ answer }) => answer?.status === 200)
}

export const explainedIn = (told: readonly Exchange[]): readonly Explained[] =>
  told
    .filter(({ operation }) => operation === 'explainLead')
    .map(({ path, answer }) => ({ leadId: path.split('/').at(-2), ...answer?.body.data }))
