// What a client may change in a campaign's settings: text goes in, a change or a message come out. How the change is
// applied is in settings.ts.
import * as z from 'zod/mini'
import { judge, type Reading } from '../../base/http/reading.ts'
import {
  boolean,
  cursor,
  flag,
  integer,
  isObject,
  members,
  oneOf,
  optional,
  pageSize,
  problem,
  query,
  requiredText,
  storable,
  timeZone,
  wholeNumber,
} from '../../base/http/schemas.ts'
import { limits } from '../../base/limits.ts'
import { findWindowsProblem, isDate, weekdays } from './calling-hours.ts'
import { outcomeClasses, outcomes } from './outcomes.ts'
import { type CallingSettings, purposeRule, settingRanges } from './settings.ts'
import type { CampaignChange } from './store/configure.ts'
import type { NewCampaign } from './store/create-campaign.ts'

const day = (name: string) =>
  z.optional(
    z.custom<readonly (readonly [string, string])[]>().check(
      problem((windows) => {
        const found = findWindowsProblem(windows)
        return found === null ? null : `${name} ${found}`
      }),
    ),
  )

const hours = (name: string) =>
  members(Object.fromEntries(weekdays.map((weekday) => [weekday, day(`${name}.${weekday}`)])), {
    name,
    unknown: 'is not a day: mon, tue, wed, thu, fri, sat, sun',
  })

const invalidDates = `closedDates must be an array of at most ${settingRanges.maxClosedDates} dates such as 2026-12-25`
const closedDates = z.array(z.unknown(), invalidDates).check(
  problem((dates) => {
    if (dates.length > settingRanges.maxClosedDates) return invalidDates
    const wrong = dates.findIndex((date) => typeof date !== 'string' || !isDate(date))
    return wrong === -1 ? null : `closedDates[${wrong}] must be a date such as 2026-12-25`
  }),
)

const numberLimits = members(
  {
    minGapMinutes: z.nullish(integer('numberLimits.minGapMinutes', settingRanges.minGapMinutes)),
    per24Hours: z.nullish(integer('numberLimits.per24Hours', settingRanges.callsPerNumber)),
    per7Days: z.nullish(integer('numberLimits.per7Days', settingRanges.callsPerNumber)),
  },
  { name: 'numberLimits', unknown: 'is not a limit: minGapMinutes, per24Hours, per7Days' },
)

const outcomeRule = (name: string) =>
  z.nullish(
    members(
      {
        class: z.optional(oneOf(`${name}.class`, outcomeClasses)),
        minutes: z.optional(integer(`${name}.minutes`, settingRanges.outcomeMinutes)),
      },
      { name, unknown: 'is not part of an outcome: class, minutes' },
    ),
  )

const outcomeRules = members(
  Object.fromEntries(outcomes.map((outcome) => [outcome, outcomeRule(`outcomes.${outcome}`)])),
  { name: 'outcomes', unknown: `is not an outcome: ${outcomes.join(', ')}` },
)

const invalidName = `name must be a string of at most ${limits.campaignNameMaxChars} characters`
export const displayName = requiredText('name is required', invalidName).check(
  storable('name', limits.campaignNameMaxChars, invalidName),
)

const newIdPattern = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,128}$/
const newIdRule = '1 to 128 of A-Z, a-z, 0-9, dot, underscore and hyphen, and neither . nor ..'

/** For a company or campaign: it needs no escaping in URLs, shells or spreadsheets. */
export const isNewId = (text: string) => newIdPattern.test(text)

const invalidId = `id must be ${newIdRule}`
/** The id of a new campaign or company. */
export const newId = requiredText('id is required', invalidId).check(
  problem((text) => (isNewId(text) ? null : invalidId)),
)

/** What a person consents to. */
export function purpose(name: string) {
  const [isPurpose, rule] = purposeRule
  const invalid = `${name} must be ${rule}`
  return requiredText(`${name} is required`, invalid).check(
    problem((text) => (isPurpose(text) ? null : invalid)),
  )
}

const requireConsent = members(
  {
    purpose: purpose('requireConsent.purpose'),
    maxAgeDays: z.nullish(integer('requireConsent.maxAgeDays', settingRanges.consentMaxAgeDays)),
  },
  { name: 'requireConsent' },
)

const settings = {
  archived: z.nullish(boolean('archived')),
  paused: z.nullish(boolean('paused')),
  timeZone: z.nullish(timeZone('timeZone')),
  callingHours: z.nullish(hours('callingHours')),
  appointmentHours: z.nullish(hours('appointmentHours')),
  closedDates: z.nullish(closedDates),
  maxAttempts: z.nullish(integer('maxAttempts', settingRanges.maxAttempts)),
  leaseSeconds: z.nullish(integer('leaseSeconds', settingRanges.leaseSeconds)),
  maxLiveCalls: z.nullish(integer('maxLiveCalls', settingRanges.maxLiveCalls)),
  callsPerMinute: z.nullish(integer('callsPerMinute', settingRanges.callsPerMinute)),
  numberLimits: z.nullish(numberLimits),
  outcomes: z.nullish(outcomeRules),
  retentionDays: z.nullish(integer('retentionDays', settingRanges.retentionDays)),
  retentionSuppresses: z.nullish(boolean('retentionSuppresses')),
  requireConsent: z.nullish(requireConsent),
  queue: z.optional(z.unknown()),
} satisfies Readonly<Record<'archived' | 'queue' | keyof CallingSettings, z.ZodMiniType>>

const unknown = { unknown: 'is not a setting' }

/** The members of a campaign's GET. `null` restores the default. */
const settingsBody = members(
  { id: z.optional(z.unknown()), name: z.optional(displayName), ...settings },
  unknown,
)
const newCampaignBody = members({ id: newId, name: displayName, ...settings }, unknown)

/** A campaign may be sent back as it was read: its id must match, and its queue is ignored. */
export function readCampaignChange(json: string, campaignId: string): Reading<CampaignChange> {
  const body: unknown = JSON.parse(json)
  if (isObject(body) && body.id !== undefined && body.id !== campaignId)
    return { isValid: false, message: 'id must be that of the campaign' }
  return judge(settingsBody, body) as Reading<CampaignChange>
}

/** Settings that are absent have their defaults. */
export const readNewCampaign = (json: string) =>
  judge(newCampaignBody, JSON.parse(json)) as Reading<NewCampaign>

export const campaignsQuery = query({
  archived: flag('archived'),
  include: optional(oneOf('include', ['overview'])),
  limit: pageSize(limits.campaignsPerPage),
  cursor: cursor(/^[0-9a-f]{6}$/),
})

export const previewQuery = query({
  consentPurpose: optional(purpose('consentPurpose')),
  consentMaxAgeDays: wholeNumber('consentMaxAgeDays', settingRanges.consentMaxAgeDays.max),
})

/** For a page with overviews. */
export const tooManyOverviews =
  `limit must be an integer between 1 and ${limits.overviewsPerPage} ` + `when include is overview`
