// Parses and checks the bodies and queries of requests about webhooks.
import * as z from 'zod/mini'
import { judge, type Reading } from '../../base/http/reading.ts'
import {
  boolean,
  isAbsent,
  isObject,
  members,
  oneOf,
  pageSize,
  problem,
  query,
  requiredText,
  timestamp,
  withoutEmpty,
} from '../../base/http/schemas.ts'
import { eventTypes } from '../../base/ledger/log/event-types.ts'
import { limits } from '../../base/limits.ts'
import { isTimestamp, parseTimestampMs } from '../../base/timestamp.ts'
import { campaignId, emptyCampaignId } from '../../queue/leads/fields.ts'
import {
  alertTypes,
  type Format,
  type FormatSecrets,
  findFormatProblem,
  formats,
  pagerdutyUrl,
} from './format.ts'
import type { WebhookChange } from './store/change-endpoint.ts'
import { includable, type NewWebhook } from './store/endpoints.ts'
import { findUrlProblem, type Server } from './webhook-url.ts'

const missingUrl = 'url is required'
const invalidUrl = `url must be a string of at most ${limits.webhookUrlMaxChars} characters`
const url = requiredText(missingUrl, invalidUrl).check(z.maxLength(limits.webhookUrlMaxChars, invalidUrl))

/** A list of some of these values, each at most once. */
function someOf<const Value extends string>(name: string, values: readonly Value[], minLength: 0 | 1) {
  const invalid = `${name} must be ${minLength === 0 ? 'an' : 'a non-empty'} array of ${values.join(', ')}`
  return z.array(z.enum(values, invalid), invalid).check(
    problem((list) => {
      if (list.length < minLength) return invalid
      return new Set(list).size === list.length ? null : `${name} must not repeat a value`
    }),
  )
}

/** Null: every type. */
const types = z.nullish(someOf('types', eventTypes, 1))
const include = z.nullish(someOf('include', includable, 0))
const ofCampaign = z.nullish(campaignId(emptyCampaignId))

const invalidKey = 'secrets.routingKey must be 32 letters and digits'
/** Of PagerDuty: that of an integration for Events v2. */
const secrets = members(
  {
    routingKey: requiredText('secrets.routingKey is required', invalidKey).check(
      z.regex(/^[0-9A-Za-z]{32}$/, invalidKey),
    ),
  },
  { name: 'secrets' },
)

/** Without a `url` only with the format pagerduty. */
export const createWebhookBody = members({
  url: z.optional(url),
  types,
  campaignId: ofCampaign,
  include,
  format: z.nullish(oneOf('format', formats)),
  secrets: z.nullish(secrets),
})
export const changeWebhookBody = members({
  url: z.optional(url),
  types,
  campaignId: ofCampaign,
  include,
  secrets: z.optional(secrets),
  disabled: z.optional(boolean('disabled')),
})
export const rotateBody = members({ previousExpiresAt: z.nullish(timestamp('previousExpiresAt')) })
const invalidTime = 'since must be an ISO 8601 timestamp with a UTC offset'
export const replayBody = members({
  since: requiredText('since is required', invalidTime).check(
    problem((text) => (isTimestamp(text) ? null : invalidTime)),
  ),
})

type CreateWebhookInput = Omit<NewWebhook, 'webhookId' | 'sealedSecrets'> & {
  readonly campaignId: string | null
  readonly secrets: FormatSecrets | null
}

const refuse = (message: string) => ({ isValid: false, message }) as const

export function readCreateWebhook(json: string, server: Server): Reading<CreateWebhookInput> {
  const body = withoutEmpty(JSON.parse(json), ['campaignId'])
  if (isObject(body) && isAbsent(body.url)) {
    if (body.format !== 'pagerduty') return refuse(missingUrl)
    body.url = pagerdutyUrl
  }
  const reading = judge(createWebhookBody, body)
  if (!reading.isValid) return reading
  const {
    url = pagerdutyUrl,
    types,
    campaignId = null,
    include,
    format = null,
    secrets = null,
  } = reading.value
  const found =
    findUrlProblem(url, server) ??
    (format && findFormatProblem(format, { types: types ?? null, include: include ?? [] })) ??
    findSecretsProblem(format, secrets)
  if (found !== null) return refuse(found)
  const wanted = types ?? (format === null ? null : alertTypes)
  return { isValid: true, value: { url, types: wanted, campaignId, include: include ?? [], format, secrets } }
}

function findSecretsProblem(format: Format | null, secrets: FormatSecrets | null): string | null {
  if (format === 'pagerduty')
    return secrets === null ? 'secrets.routingKey is required with the format pagerduty' : null
  return secrets === null ? null : 'secrets are only for the format pagerduty'
}

/** The message for a change that the format of the webhook does not allow, or null. */
export function findChangeProblem(
  { format, url }: Pick<NewWebhook, 'format' | 'url'>,
  change: GivenChange,
): string | null {
  // Who sends them elsewhere has to know them.
  if (
    format === 'pagerduty' &&
    change.url !== undefined &&
    change.url !== url &&
    change.secrets === undefined
  )
    return 'secrets.routingKey is required with a new url'
  if (format !== 'pagerduty' && change.secrets !== undefined)
    return 'secrets are only for the format pagerduty'
  return format && findFormatProblem(format, change)
}

export type GivenChange = Omit<WebhookChange, 'sealedSecrets'> & {
  readonly secrets?: FormatSecrets | undefined
}

/** `null` clears what may be absent. */
export function readChangeWebhook(json: string, server: Server): Reading<GivenChange> {
  const reading = judge(changeWebhookBody, JSON.parse(json))
  if (!reading.isValid) return reading
  const { disabled, include: included, ...rest } = reading.value
  const found = rest.url === undefined ? null : findUrlProblem(rest.url, server)
  if (found !== null) return { isValid: false, message: found }
  const change = {
    ...rest,
    ...(included !== undefined && { include: included ?? [] }),
    ...(disabled !== undefined && { isDisabled: disabled }),
  }
  return { isValid: true, value: change as GivenChange }
}

const { dayMs } = limits
const defaultGraceDays = 1
const invalidGrace = `previousExpiresAt must be between now and ${limits.secretOverlapMaxDays} days from now`

/** When the previous secret ends, in Unix ms. */
export function readRotate(json: string, nowMs: number): Reading<number> {
  const reading = judge(rotateBody, JSON.parse(json))
  if (!reading.isValid) return reading
  const { previousExpiresAt } = reading.value
  if (isAbsent(previousExpiresAt)) return { isValid: true, value: nowMs + defaultGraceDays * dayMs }
  const endsAtMs = parseTimestampMs(previousExpiresAt as string)
  const isValid = endsAtMs >= nowMs - clockSkewMs && endsAtMs <= nowMs + limits.secretOverlapMaxDays * dayMs
  return isValid ? { isValid, value: endsAtMs } : { isValid, message: invalidGrace }
}

/** The client's "now" may be by another clock. */
const clockSkewMs = 60_000

const invalidSince = `since must be in the last ${limits.eventsKeptDays} days`

/** In Unix ms. */
export function readReplay(json: string, nowMs: number): Reading<number> {
  const reading = judge(replayBody, JSON.parse(json))
  if (!reading.isValid) return reading
  const sinceMs = parseTimestampMs(reading.value.since)
  const isValid = sinceMs >= nowMs - limits.eventsKeptDays * dayMs && sinceMs <= nowMs + clockSkewMs
  return isValid ? { isValid, value: sinceMs } : { isValid, message: invalidSince }
}

export const deliveriesQuery = query({ limit: pageSize(limits.deliveriesKept) })
