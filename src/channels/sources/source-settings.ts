// What a manager sets of a source. How it is read is in source-input.ts, what it does to a post in read-row.ts.
import { type LeadFieldName, plainNames } from '../../queue/leads/field-table.ts'

/** What a lead may get of a post, where the source names it. The rest of the post is its metadata. */
export const sourceFields = ['phoneNumber', ...plainNames] as const

export const existingRules = ['keep', 'requeue'] as const

/** What a no to being asked for a call does: the lead is kept without a consent, or its numbers are suppressed. */
export const permissionRules = ['keep', 'suppress'] as const

let regions: Intl.DisplayNames | undefined
function isRegion(code: string): boolean {
  // Made when it is needed: a start of the Worker should cost nothing for it.
  regions ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  return regions.of(code) !== undefined
}
/** Codes of no country, or not its code, though they have a name. */
export const noCountries = 'EU EZ QO UN XA XB ZZ AN BU CS DD DY FX HV NH RH SU TP UK VD YD YU ZR'.split(' ')
export const isCountry = (code: unknown) =>
  typeof code === 'string' && /^[A-Z]{2}$/.test(code) && !noCountries.includes(code) && isRegion(code)

/** In place of a zone. */
export const campaignClock = 'campaign'
/** How a country is called that has no answer: by the campaign's clock, or not at all. */
export const otherClocks = [campaignClock, 'refuse'] as const

export type SourceConsent = {
  readonly purpose: string
  readonly text: string
  /** Whose yes gives it. Null: every post does. */
  readonly field: string | null
  readonly expiresAfterDays: number | null
}

export type SourceSettings = {
  readonly name: string
  readonly countries: readonly string[]
  /** One of them, which reads national numbers. Null: each does, and what may be a number of two is refused. */
  readonly nationalCountry: string | null
  /**
   * By whose clock leads of a country are called: one of its zones, or the campaign's. `*`: what becomes of those of
   * another country with several clocks.
   */
  readonly timeZones: { readonly [country: string]: string }
  /** By the sender's names. Null: never taken. A number that is not named is guessed. */
  readonly fields: { readonly [Name in LeadFieldName]?: string | null }
  readonly ignored: readonly string[]
  /** Names under which nothing is heard, whatever they look like. */
  readonly notDoNotCall: readonly string[]
  readonly permissions: (typeof permissionRules)[number]
  readonly consent: SourceConsent | null
  /** What becomes of a lead that is there, and has ended. */
  readonly onExisting: (typeof existingRules)[number]
  readonly redirectUrl: string | null
  readonly enabled: boolean
}
