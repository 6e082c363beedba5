import { limits } from '../../base/limits.ts'
import { maxWindowsPerDay, weekdays } from '../../queue/campaigns/calling-hours.ts'
import { outcomeClasses, outcomes } from '../../queue/campaigns/outcomes.ts'
import { type CallingSettings, settingRanges } from '../../queue/campaigns/settings.ts'
import * as s from '../openapi/json-schema.ts'
import { prose } from '../openapi/prose.ts'
import { consentFields } from './consent-fields.ts'
import { fields as leadFields } from './lead-fields.ts'

type Range = { readonly min: number; readonly max: number }
const integer = ({ min, max }: Range) => s.described({ type: 'integer', minimum: min, maximum: max })
const integerOrNull = ({ min, max }: Range) =>
  s.described({ type: ['integer', 'null'], minimum: min, maximum: max })

const day: s.JsonSchema = {
  type: 'array',
  maxItems: maxWindowsPerDay,
  items: {
    type: 'array',
    minItems: 2,
    maxItems: 2,
    items: { type: 'string', pattern: '^(?:(?:[01]\\d|2[0-3]):[0-5]\\d|24:00)$' },
  },
}
const hours = s.described(s.exactObject(Object.fromEntries(weekdays.map((weekday) => [weekday, day]))))
const outcomeRule = s.exactObject({
  class: { type: 'string', enum: outcomeClasses },
  minutes: integer(settingRanges.outcomeMinutes)`How long to wait before the retry.`,
})

export const settings: Readonly<Record<'id' | 'name' | 'archived' | keyof CallingSettings, s.JsonSchema>> = {
  id: { type: 'string', description: 'Unique within the company.', examples: ['demo'] },
  name: {
    type: 'string',
    minLength: 1,
    maxLength: limits.campaignNameMaxChars,
    description: 'The display name.',
  },
  archived: s.flag`True: claims return no calls (\`paused\`), new leads are refused, and lists of campaigns leave it
    out. Its leads stay readable, and its id stays taken.`,
  paused: s.flag('True: claims return no calls. Reports are still accepted.'),
  timeZone: {
    type: ['string', 'null'],
    pattern: leadFields.timeZone?.pattern,
    description:
      'The exact name of an IANA time zone, for leads without their own. Null: claims return no calls.',
  },
  callingHours: hours`The windows of each day, in the lead’s time zone. They must not overlap, and end at
    \`24:00\` at the latest. An empty array means closed.`,
  appointmentHours: hours`The same for appointments: leads that are due by \`scheduledFor\`, and agreed callbacks.`,
  closedDates: {
    type: 'array',
    maxItems: settingRanges.maxClosedDates,
    items: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$' },
    description: 'Days without any calls, including appointments.',
  },
  maxAttempts: integer(settingRanges.maxAttempts)`Attempts per lead, counted since it was last requeued.`,
  leaseSeconds: integer(settingRanges.leaseSeconds)`How long a claim leases a lead by default.`,
  maxLiveCalls: integerOrNull(settingRanges.maxLiveCalls)`How many leads may be leased at once. A lease
    counts until it is reported, released, or settled after it expired. Null (the default): no limit.`,
  callsPerMinute: integerOrNull(settingRanges.callsPerMinute)`How many leads claims may lease in a minute:
    60 is one at once and one each second, 600 is ten at once. Released and expired leases count. Null (the default):
    no limit.`,
  retentionDays: integerOrNull(settingRanges.retentionDays)`After how many days an exhausted or concluded
    lead is erased, with its calls. Null (the default): never.`,
  retentionSuppresses: s.flag`True (the default): when retention erases a lead that ended \`not_interested\` or with
    an outcome of class \`dead\`, its number stays suppressed in the campaign, as a hash. A new lead with this number
    is stored but not queued, until you remove the suppression with this \`campaignId\`. False: retention suppresses
    no further numbers; existing suppressions stay. Numbers with \`do_not_call\` are suppressed in the company in any
    case.`,
  requireConsent: s.orNull({
    ...s.exactObject({
      purpose: { type: 'string', pattern: consentFields.purpose?.pattern, description: 'The purpose.' },
      maxAgeDays: integerOrNull(settingRanges.consentMaxAgeDays)`A consent that is older does not count.
        Null: of any age.`,
    }),
    description: prose`Nobody is called without a valid consent of this purpose. Leads without one leave the queue
      (\`no_consent\`) and return with a consent, or within minutes when this setting changes: up to 1,000 a minute.
      A change replaces it as a whole. Null (the default): none is required.`,
  }),
  numberLimits: {
    ...s.exactObject({
      minGapMinutes: integerOrNull(settingRanges.minGapMinutes)`Minimum time between two calls. Appointments
        are exempt.`,
      per24Hours: integerOrNull(settingRanges.callsPerNumber)`Maximum calls in any 24 hours.`,
      per7Days: integerOrNull(settingRanges.callsPerNumber)`Maximum calls in any 7 days.`,
    }),
    description: prose`Limits per phone, across all calls of the company to it, in whichever spelling of its
      number. Null: no limit.`,
  },
  outcomes: {
    ...s.exactObject(Object.fromEntries(outcomes.map((outcome) => [outcome, outcomeRule]))),
    description: prose`What each outcome does. \`done\`: concludes the lead. \`dead\`: exhausts it. \`retry\`:
      calls again after \`minutes\`. \`appointment\`: calls back at the agreed time. \`do_not_call\` always
      suppresses the number, whatever its class.`,
  },
}
