// Handlers that create leads, one or many, read one and change one. list.ts has the list.
import { accessTo, granted, type KeyedExchange, keyAccessOf } from '../../base/access/granted.ts'
import { type Answer, success, successOf } from '../../base/http/envelope.ts'
import { ApiError, invalidField } from '../../base/http/errors.ts'
import { isKnown, versionsOf } from '../../base/http/if-match.ts'
import { timed } from '../../base/http/request-record.ts'
import { parseBody, readBodyOf, readQueryOf } from '../../base/http/validate.ts'
import { hashesOf } from '../../base/ledger/suppression/number-hash.ts'
import { limits } from '../../base/limits.ts'
import { readChange } from './change-input.ts'
import { type ItemReading, readBulk, readCreate } from './create-input.ts'
import type { NewLead } from './fields.ts'
import { originOfIntake } from './idempotency.ts'
import { invalidImportName, readImportName } from './origin/origin.ts'
import { bulkQuery, createQuery, hasInclude, leadQuery } from './query-input.ts'
import { endTurn, takeTurn } from './store/bulk-turns.ts'
import { changeLead } from './store/change.ts'
import { createLead } from './store/create.ts'
import { createLeads, type LeadResult } from './store/create-bulk.ts'
import type { Origin } from './store/intake.ts'
import { findLead, type LeadFound } from './store/read.ts'

const readLeadBody = readBodyOf(limits.leadBodyMaxBytes)
const readChangeBody = readBodyOf(limits.leadBodyMaxBytes, ['If-Match'])
const readBulkBody = readBodyOf(limits.bulkBodyMaxBytes)
const readCreateQuery = readQueryOf(createQuery)
const readLeadQuery = readQueryOf(leadQuery)
const readBulkQuery = readQueryOf(bulkQuery)

export async function postLead(x: KeyedExchange): Promise<Answer> {
  const body = await readLeadBody(x)
  const { campaignId, lead, consent, ignored } = parseBody(body, readCreate)
  const { dryRun: isDryRun } = await readCreateQuery(x)
  const origin = originOfLeads(x, campaignId, body)
  if (isDryRun) return tryLead(x, origin, lead, ignored)
  const result = await granted(x, createLead(x.db, origin, lead, consent))
  if (result.kind === 'reused') throw new ApiError({ kind: 'idempotency_key_reused' })
  const { leadId } = result
  if (result.kind === 'exists') throw leadExists(leadId)
  Object.assign(x.record, { campaignId, leadsCreated: result.isReplay ? 0 : 1 })
  return success({ leadId }, 201, { Location: pathOf(leadId), ...replayed(result), ...ignoring(ignored) })
}

const pathOf = (leadId: string) => `/api/v1/leads/${leadId}`
const leadExists = (leadId: string) => new ApiError({ kind: 'lead_exists', location: pathOf(leadId) })

/** A bulk of one, which stores nothing. */
async function tryLead(x: KeyedExchange, origin: Origin, lead: NewLead, ignored: string | null) {
  const options = { withSkippedIds: true, isDryRun: true, invalid: 0 }
  const result = await granted(x, createLeads(x.db, origin, [lead], options))
  if (result.kind === 'reused') throw new ApiError({ kind: 'idempotency_key_reused' })
  const leadId = result.results[0]?.leadId ?? null
  if (leadId !== null) throw leadExists(leadId)
  x.record.campaignId = origin.campaignId
  return success({ leadId }, 200, ignoring(ignored))
}

/** It is in line with a body that is here: a slow client keeps nobody from their turn. */
export async function postBulk(x: KeyedExchange): Promise<Answer> {
  const body = await readBulkBody(x)
  const options = await readBulkQuery(x)
  const turn = takeTurn(x.c.req.raw.signal)
  const slot = turn instanceof Promise ? await timed(x.record, 'waitedMs', turn) : turn
  if (slot === null) {
    x.record.problems.push('too many bulks')
    throw new ApiError({ kind: 'service_unavailable' })
  }
  const storing = storeBulk(x, body, options).finally(() => endTurn(slot))
  // A client that leaves would take the slot with it.
  x.c.executionCtx.waitUntil(storing.catch(() => {}))
  return storing
}

type BulkOptions = Awaited<ReturnType<typeof readBulkQuery>>

async function storeBulk(x: KeyedExchange, body: ArrayBuffer, query: BulkOptions): Promise<Answer> {
  const { results: isRequested, onInvalid, dryRun: isDryRun } = query
  const { campaignId, items, ignored } = parseBody(body, readBulk)
  const mayBeInvalid = onInvalid === 'skip'
  if (!mayBeInvalid) failOnInvalid(items)
  const sent = items.flatMap((item) => (item.isValid ? [item.value] : []))
  const valid = sent.map(({ lead }) => lead)
  // Each lead that is not stored is reported (D35).
  const withResults = isRequested || mayBeInvalid

  const origin = originOfLeads(x, campaignId, body)
  const options = {
    withSkippedIds: withResults,
    isDryRun,
    invalid: items.length - valid.length,
    consents: sent.flatMap(({ consent }) => consent ?? []),
  }
  const result = await granted(x, createLeads(x.db, origin, valid, options))
  if (result.kind === 'reused') throw new ApiError({ kind: 'idempotency_key_reused' })

  const { results, isReplay } = result
  const created = results.filter((result) => result.status === 'created')
  const skipped = valid.filter((_, index) => results[index]?.status === 'skipped')
  Object.assign(x.record, {
    campaignId,
    leadsCreated: isReplay || isDryRun ? 0 : created.length,
    leadsSkipped: skipped.length,
  })
  const data = {
    created: created.length,
    skipped: skipped.length,
    ...(mayBeInvalid && { invalid: items.length - valid.length }),
    createdIds: created.flatMap(({ leadId }) => leadId ?? []),
    skippedPhones: skipped.map((lead) => lead.phoneNumber),
    ...(withResults && { results: describeResults(items, results) }),
  }
  return success(data, 200, { ...replayed(result), ...ignoring(ignored) })
}

export async function getLead(x: KeyedExchange): Promise<Answer> {
  const withOrigin = hasInclude((await readLeadQuery(x)).include, 'origin')
  const leadId = x.c.req.param('leadId') ?? ''
  const result = await granted(x, findLead(x.db, x.apiKey.id, leadId, Date.now(), withOrigin))
  if (result.kind !== 'found') throw new ApiError({ kind: 'lead_not_found' })
  const answer = answerLead(result)
  if (!isKnown(result.version, x.c.req.header('if-none-match'))) return answer
  return { status: 304, headers: { ETag: answer.headers.ETag as string }, body: null }
}

export async function patchLead(x: KeyedExchange): Promise<Answer> {
  const change = parseBody(await readChangeBody(x), readChange)
  const leadId = x.c.req.param('leadId') ?? ''
  const versions = versionsOf(x.c.req.header('if-match'))
  const result = await granted(x, changeLead(x.db, keyAccessOf(x), leadId, change, versions))
  if (result.kind === 'changed_since') throw new ApiError({ kind: 'precondition_failed' })
  if (result.kind !== 'found') throw new ApiError({ kind: 'lead_not_found' })
  return answerLead(result)
}

const answerLead = ({ json, version }: LeadFound) =>
  successOf(`{"lead":${json}}`, 200, { ETag: `"${version}"` })

function originOfLeads(x: KeyedExchange, campaignId: string, body: ArrayBuffer): Origin {
  const isLogged = x.apiKey.isLogRead === 1
  const importName = readImportName(x.c.req.header('x-import-name'))
  if (importName === undefined) throw invalidField(invalidImportName)
  return { ...accessTo(x, campaignId), ...originOfIntake(x, body), isLogged, importName, hashes: hashesOf(x) }
}

const ignoring = (ignored: string | null) => (ignored === null ? {} : { 'X-Ignored-Members': ignored })

const replayed = ({ isReplay }: { readonly isReplay: boolean }) =>
  isReplay ? { 'Idempotent-Replayed': 'true' } : {}

/** One invalid item fails the whole bulk (D14). */
function failOnInvalid(items: readonly ItemReading[]): void {
  const index = items.findIndex((item) => !item.isValid)
  const item = items[index]
  if (item?.isValid === false) {
    throw new ApiError({ kind: 'invalid_field', message: `leads[${index}].${item.message}` })
  }
}

/** One entry per item of the request; `results` are those of the valid items. */
function describeResults(items: readonly ItemReading[], results: readonly LeadResult[]) {
  const ofValid = results.values()
  return items.map((item, index) =>
    item.isValid ? { index, ...ofValid.next().value } : { index, status: 'invalid', error: item.message },
  )
}
