// Parses and checks the bodies and queries of requests about webhooks.
import * as z from 'zod/mini'
import { judge, type Reading } from '../http/reading.ts'
import {
  boolean,
  isAbsent,
  members,
  pageSize,
  problem,
  query,
  requiredText,
  timestamp,
  withoutEmpty,
} from '../http/schemas.ts'
import { campaignId, emptyCampaignId } from '../leads/fields.ts'
import { eventTypes } from '../ledger/log/event-types.ts'
import { limits } from '../limits.ts'
import { isTimestamp, parseTimestampMs } from '../timestamp.ts'
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

export const createWebhookBody = members({ url, types, campaignId: ofCampaign, include })
export const changeWebhookBody = members({
  url: z.optional(url),
  types,
  campaignId: ofCampaign,
  include,
  disabled: z.optional(boolean('disabled')),
})
export const rotateBody = members({ previousExpiresAt: z.nullish(timestamp('previousExpiresAt')) })
const invalidTime = 'since must be an ISO 8601 timestamp with a UTC offset'
export const replayBody = members({
  since: requiredText('since is required', invalidTime).check(
    problem((text) => (isTimestamp(text) ? null : invalidTime)),
  ),
})

type CreateWebhookInput = Omit<NewWebhook, 'webhookId'> & { readonly campaignId: string | null }

export function readCreateWebhook(json: string, server: Server): Reading<CreateWebhookInput> {
  const reading = judge(createWebhookBody, withoutEmpty(JSON.parse(json), ['campaignId']))
  if (!reading.isValid) return reading
  const found = findUrlProblem(reading.value.url, server)
  if (found !== null) return { isValid: false, message: found }
  const { url, types, campaignId, include } = reading.value
  const value = { url, types: types ?? null, campaignId: campaignId ?? null, include: include ?? [] }
  return { isValid: true, value }
}

/** `null` clears what may be absent. */
export function readChangeWebhook(json: string, server: Server): Reading<WebhookChange> {
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
  return { isValid: true, value: change as WebhookChange }
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
