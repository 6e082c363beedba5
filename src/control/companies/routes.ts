// The operator's endpoints of companies. Those of their keys are in control/keys/routes.ts and base/access/routes.ts,
// those of moves in move/routes.ts, those of restores in restore-routes.ts.

import { bySetting } from '../../base/access/company-settings.ts'
import { granted, type KeyedExchange, managerAccessOf } from '../../base/access/granted.ts'
import { digestsOf } from '../../base/access/idempotency-key.ts'
import { directoryOf } from '../../base/access/in-directory.ts'
import { changeCompany, createCompanyOnce, enterCompany } from '../../base/access/store/companies.ts'
import { digestBase62, randomBase62 } from '../../base/base62.ts'
import { envOfStore } from '../../base/database/company-env.ts'
import {
  canPlaceStore,
  newStoreName,
  placeOfStore,
  type StorePlace,
} from '../../base/database/company-store.ts'
import { pageOf } from '../../base/database/database.ts'
import { type Answer, success } from '../../base/http/envelope.ts'
import { ApiError, invalidField } from '../../base/http/errors.ts'
import { timed } from '../../base/http/request-record.ts'
import { parseBody, readQueryOf, readSmallBody, refuseUnknownParameters } from '../../base/http/validate.ts'
import { limits } from '../../base/limits.ts'
import { formatTimestamp } from '../../base/timestamp.ts'
import { lowerEmail } from '../members/email.ts'
import { enterMember, memberIdOf } from '../members/routes.ts'
import { companiesQuery, readCompanyChange, readCreateCompany } from './input.ts'
import { type ListedCompany, listCompanies, readCompany } from './store/list-companies.ts'

const readPage = readQueryOf(companiesQuery)

export async function postCompany(x: KeyedExchange): Promise<Answer> {
  const body = await readSmallBody(x)
  const { id, name, place, manager } = parseBody(body, readCreateCompany)
  const store = newStoreIn(x, id, place)
  const request = requestOf(x, body)
  const wanted = { id, name, store, createdAtMs: Date.now(), ...request }
  const created = await timed(x.record, 'databaseMs', createCompanyOnce(x.db, wanted))
  if (created.kind !== 'created') throw new ApiError({ kind: created.kind })
  x.record.companyId = id
  const { createdAtMs, isReplay } = created
  // Else its store could hold nothing that refers to it. After a crash before this the cron does it (tend-stores.ts).
  if (created.store !== null)
    await enterCompany(envOfStore(x.c.env, created.store).DB, { id, name, createdAtMs })
  const email = manager ? lowerEmail(manager) : null
  if (email !== null)
    await enterManager(x, { companyId: id, store: created.store }, memberIdOf(request.requestKey), email)
  const data = { companyId: id, ...(email !== null && { manager: email }) }
  return success(data, 201, isReplay ? { 'Idempotent-Replayed': 'true' } : {})
}

type Created = { readonly companyId: string; readonly store: string | null }

/** So that the first one exists. A repeated request has the same id: one who was removed since does not come back. */
async function enterManager(
  x: KeyedExchange,
  { companyId, store }: Created,
  memberId: string,
  email: string,
): Promise<void> {
  const env = envOfStore(x.c.env, store)
  const own = { ...x, env, db: env.DB, apiKey: { ...x.apiKey, companyId } }
  try {
    await enterMember(own, { email, scope: 'manage', campaignId: null, name: null }, memberId)
  } catch (error) {
    if (!(error instanceof ApiError) || error.problem.kind !== 'member_exists') throw error
  }
}

/**
 * The name of a new store at this place, or null: D1. Throws ApiError, before anything is written, where none can be.
 */
export function newStoreIn(x: KeyedExchange, companyId: string, place: StorePlace | null): string | null {
  if (place === null) return null
  if (!canPlaceStore(x.c.env, place)) throw invalidField('jurisdiction is not available in a local service')
  return newStoreName(companyId, place)
}

const digestChars = 22

/** What a repeated request is recognised by; also without an Idempotency-Key, when the database loses an answer. */
function requestOf(x: KeyedExchange, body: ArrayBuffer) {
  const digests = digestsOf(x, body)
  const requestKey = digests ? digestBase62(digests.key, digestChars) : randomBase62(digestChars)
  return {
    requestKey,
    requestToken: requestKey + (digests ? digestBase62(digests.request, digestChars) : ''),
  }
}

export async function getCompanies(x: KeyedExchange): Promise<Answer> {
  const { limit, cursor } = await readPage(x)
  refuseUnknownParameters(x)
  const size = limit ?? limits.companiesPerPage
  const found = await timed(x.record, 'databaseMs', listCompanies(x.c.env.DB, cursor ?? '', size + 1))
  const { page, last } = pageOf(found, size)
  return success({ companies: page.map(companyJson), nextCursor: last?.id ?? null })
}

export async function getCompany(x: KeyedExchange): Promise<Answer> {
  return success(companyJson(await companyOf(x)))
}

/** Answers like GET after the change. */
export async function patchCompany(x: KeyedExchange): Promise<Answer> {
  const change = parseBody(await readSmallBody(x), readCompanyChange)
  await granted(x, changeCompany(x.db, directoryOf(x), managerAccessOf(x), change))
  return getCompany(x)
}

/** The company of the path. Throws ApiError when there is none. */
export async function companyOf(x: KeyedExchange): Promise<ListedCompany> {
  refuseUnknownParameters(x)
  const company = await timed(x.record, 'databaseMs', readCompany(x.c.env.DB, x.apiKey.companyId))
  if (company === null) throw new ApiError({ kind: 'company_not_found' })
  x.record.companyId = company.id
  return company
}

function companyJson({ id, store, createdAtMs, ...rest }: ListedCompany) {
  const place = store === null ? { location: null, jurisdiction: null } : placeOfStore(store)
  return {
    companyId: id,
    ...rest,
    createdAt: formatTimestamp(createdAtMs),
    ...bySetting((name, rule) => rest[name] ?? rule.default),
    store: store === null ? 'shared' : 'own',
    ...place,
  }
}
