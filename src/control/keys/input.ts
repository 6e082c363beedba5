// Parses and checks the bodies and queries of requests about API keys.
import * as z from 'zod/mini'
import { keyScopes } from '../../base/access/scope.ts'
import { judge, mapReading, type Reading } from '../../base/http/reading.ts'
import {
  flag,
  integer,
  isAbsent,
  members,
  oneOf,
  query,
  timestamp,
  withoutEmpty,
} from '../../base/http/schemas.ts'
import { limits } from '../../base/limits.ts'
import { parseTimestampMs } from '../../base/timestamp.ts'
import { displayName } from '../../queue/campaigns/settings-input.ts'
import { campaignId, emptyCampaignId } from '../../queue/leads/fields.ts'
import type { NewKey } from './store/create-key.ts'

export const createKeyBody = members({
  name: displayName,
  scope: oneOf('scope', keyScopes),
  campaignId: z.nullish(campaignId(emptyCampaignId)),
  expiresAt: z.nullish(timestamp('expiresAt')),
})

const graceRange = { min: 0, max: limits.keyGraceMaxSeconds }
export const rotateKeyBody = members({ graceSeconds: z.nullish(integer('graceSeconds', graceRange)) })

export const withCreatedQuery = query({ withCreated: flag('withCreated') })

export function readCreateKey(json: string, nowMs: number): Reading<NewKey> {
  const reading = judge(createKeyBody, withoutEmpty(JSON.parse(json), ['campaignId']))
  if (!reading.isValid) return reading
  const { name, scope, campaignId: id, expiresAt } = reading.value
  const expiresAtMs = isAbsent(expiresAt) ? null : parseTimestampMs(expiresAt as string)
  if (expiresAtMs !== null && expiresAtMs <= nowMs)
    return { isValid: false, message: 'expiresAt must be in the future' }
  return { isValid: true, value: { name, scope, campaignId: id ?? null, expiresAtMs } }
}

const defaultGraceSeconds = 86_400

/** The grace period in seconds. */
export const readRotateKey = (json: string): Reading<number> =>
  mapReading(
    judge(rotateKeyBody, JSON.parse(json)),
    ({ graceSeconds }) => graceSeconds ?? defaultGraceSeconds,
  )
