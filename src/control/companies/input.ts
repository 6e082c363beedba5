// Parses and checks the bodies and queries of the operator's requests about companies.
import * as z from 'zod/mini'
import { bySetting } from '../../base/access/company-settings.ts'
import type { CompanyChange } from '../../base/access/store/companies.ts'
import { type StorePlace, storeJurisdictions, storeLocations } from '../../base/database/company-store.ts'
import { judge, type Reading } from '../../base/http/reading.ts'
import { cursor, integer, members, oneOf, pageSize, query, text, timestamp } from '../../base/http/schemas.ts'
import { limits } from '../../base/limits.ts'
import { parseTimestampMs } from '../../base/timestamp.ts'
import { displayName, newId } from '../../queue/campaigns/settings-input.ts'
import { email } from '../members/input.ts'

export const storeKinds = ['shared', 'own'] as const
export type StoreKind = (typeof storeKinds)[number]

const place = {
  location: z.nullish(oneOf('location', storeLocations)),
  jurisdiction: z.nullish(oneOf('jurisdiction', storeJurisdictions)),
}

export const createCompanyBody = members({
  id: newId,
  name: displayName,
  store: z.nullish(oneOf('store', storeKinds)),
  ...place,
  manager: z.nullish(email),
})

export const changeCompanyBody = members({
  name: z.optional(displayName),
  ...bySetting((name, range) => z.nullish(integer(name, range))),
})

export const moveCompanyBody = members({ to: oneOf('to', storeKinds), ...place })

const isoTime = timestamp('to')

const unconfirmed = 'confirm must be the id of the company'

export const restoreCompanyBody = members({ confirm: z.string(unconfirmed), to: isoTime })

export const restoredBody = members({ to: isoTime })

export const keepBody = members({ to: isoTime, keepId: z.nullish(text('keepId', 64)) })

/** A cursor is the id of the last company before the page. */
export const companiesQuery = query({
  limit: pageSize(limits.companiesPerPage),
  cursor: cursor(/^[A-Za-z0-9._-]{1,128}$/),
})

/** A place for a store of its own; null: the shared database. */
type Wanted = { readonly place: StorePlace | null }

function withPlace<Value extends { location?: unknown; jurisdiction?: unknown }>(
  reading: Reading<Value>,
  kindOf: (value: Value) => StoreKind | null | undefined,
): Reading<Value & Wanted> {
  if (!reading.isValid) return reading
  const { location = null, jurisdiction = null } = reading.value as Partial<StorePlace>
  const isOwn = kindOf(reading.value) === 'own'
  const misplaced = location !== null ? 'location' : 'jurisdiction'
  if (!isOwn && (location ?? jurisdiction) !== null)
    return { isValid: false, message: `${misplaced} is for a store of its own` }
  return { isValid: true, value: { ...reading.value, place: isOwn ? { location, jurisdiction } : null } }
}

export const readCreateCompany = (json: string) =>
  withPlace(judge(createCompanyBody, JSON.parse(json)), ({ store }) => store)

export const readMoveCompany = (json: string) =>
  withPlace(judge(moveCompanyBody, JSON.parse(json)), ({ to }) => to)

export const readCompanyChange = (json: string) =>
  judge(changeCompanyBody, JSON.parse(json)) as Reading<CompanyChange>

/** The platform's. */
const restorableDays = 30

/** What a restore itself writes must be later. */
const restorableFromMs = limits.minuteMs

/** The time to restore to, Unix ms. */
export function readRestoreCompany(json: string, companyId: string, nowMs: number): Reading<number> {
  const reading = judge(restoreCompanyBody, JSON.parse(json))
  if (!reading.isValid) return reading
  if (reading.value.confirm !== companyId) return { isValid: false, message: unconfirmed }
  const toMs = parseTimestampMs(reading.value.to)
  if (toMs > nowMs - restorableFromMs) return { isValid: false, message: 'to must be at least a minute ago' }
  if (toMs < nowMs - restorableDays * 86_400_000)
    return { isValid: false, message: `to must be within the last ${restorableDays} days` }
  return { isValid: true, value: toMs }
}

/** The time that D1 is restored to, Unix ms. */
export const readRestored = (json: string, nowMs: number): Reading<number> =>
  readPast(judge(restoredBody, JSON.parse(json)), nowMs, (_, toMs) => toMs)

/** That, and what the answer before it gave; null: it is the first. */
export const readKeep = (json: string, nowMs: number) =>
  readPast(judge(keepBody, JSON.parse(json)), nowMs, ({ keepId = null }, toMs) => ({ toMs, keepId }))

function readPast<Value extends { to: string }, Result>(
  reading: Reading<Value>,
  nowMs: number,
  resultOf: (value: Value, toMs: number) => Result,
): Reading<Result> {
  if (!reading.isValid) return reading
  const toMs = parseTimestampMs(reading.value.to)
  if (toMs > nowMs) return { isValid: false, message: 'to must not be in the future' }
  return { isValid: true, value: resultOf(reading.value, toMs) }
}
