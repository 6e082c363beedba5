// Carries out what the operator requests of a company: for one in D1 at once by the command line, for one with a store of
// its own by the store, from what the command line wrote to D1. Carried out twice, a request changes nothing more and
// gives the same result: ids, hashes and times are its own.
import {
  createCampaign,
  createCompany,
  createKey,
  findKeyTime,
  limitCampaigns,
  revokeKey,
  rotateKey,
} from '../access/store/administration.ts'
import { enterKey, findCompany, markKeysRevoked, reserveIn, skipNumbers } from '../access/store/directory.ts'
import { configureOnce } from '../campaigns/store/configure.ts'
import { listCreatedKeys, revokeCreatedKeys } from '../keys/store/revoke-key.ts'
import { logCampaignCreated, logKeyCreated, logKeyRevoked, logKeyRotated } from '../ledger/log/audit.ts'
import { disableWebhooksOfKey, listWebhooksOfKey } from '../webhooks/store/key-webhooks.ts'
import { openPaused } from './keep-rows.ts'
import type { OperatorRequest, RequestKind, RequestResult } from './request.ts'
import type { RestoreRequest, RestoreResult } from './restore-store.ts'
import { findPending, markDone, type PendingRequest } from './store/requests.ts'
import { forgetStates } from './store/states.ts'

/** Everything but a restore, which only the store itself can do. */
type Kind = Exclude<RequestKind, 'company.restore'>

/** `own` has the company's data. `directory` is D1 for a company with a store of its own, else null. */
export type Stores = { readonly own: D1Database; readonly directory: D1Database | null }

const actions: {
  readonly [Each in Kind]: (stores: Stores, request: OperatorRequest<Each>) => Promise<RequestResult<Each>>
} = {
  'campaign.create': createCampaignOf,
  'company.limit': ({ own }, { companyId, maxCampaigns }) => limitCampaigns(own, companyId, maxCampaigns),
  'key.create': createKeyOf,
  'key.rotate': rotateKeyOf,
  'key.revoke': revokeKeyOf,
  'event.restored': beginEpochs,
}

/** Throws DatabaseUnavailable. */
export function carryOut<Each extends Kind>(
  stores: Stores,
  request: OperatorRequest<Each>,
): Promise<RequestResult<Each>> {
  const act = actions[request.kind] as (
    stores: Stores,
    request: OperatorRequest<Each>,
  ) => Promise<RequestResult<Each>>
  return act(stores, request)
}

async function createCampaignOf(
  { own, directory }: Stores,
  { companyId, id, name, createdAtMs, settings }: OperatorRequest<'campaign.create'>,
) {
  const created = await createCampaign(
    own,
    { id, companyId, name, createdAtMs },
    logCampaignCreated,
    reserveIn(directory),
  )
  if (settings !== undefined && created.kind === 'created')
    await configureOnce(own, { companyId, campaignId: id }, settings)
  return created
}

/** The directory first: a key that its store has is always found. */
async function createKeyOf({ own, directory }: Stores, key: OperatorRequest<'key.create'>) {
  if (directory !== null) await enterKey(directory, key)
  return createKey(own, key, logKeyCreated)
}

async function rotateKeyOf({ own, directory }: Stores, request: OperatorRequest<'key.rotate'>) {
  const { companyId, id, oldId, graceMs, expiresAtMs, keepWebhooks } = request
  if (directory !== null && companyId !== null) await enterKey(directory, { ...request, companyId })
  const nowMs = (await findKeyTime(own, id)) ?? Date.now()
  const endsAtMs = nowMs + graceMs
  const endsNow = graceMs === 0
  const steps = endsNow && !keepWebhooks ? disableWebhooksOfKey : []
  const result = await rotateKey(
    own,
    { ...request, oldId, endsAtMs, expiresAtMs, nowMs },
    logKeyRotated,
    steps,
  )
  if (result.kind !== 'rotated') return result
  const webhooks = endsNow ? await listWebhooksOfKey(own, oldId, nowMs) : []
  return { ...result, isCutShort: result.oldExpiresAtMs < endsAtMs, webhooks }
}

async function revokeKeyOf({ own, directory }: Stores, request: OperatorRequest<'key.revoke'>) {
  const { id, nowMs, keepWebhooks, withCreated } = request
  const steps = [...(withCreated ? revokeCreatedKeys : []), ...(keepWebhooks ? [] : disableWebhooksOfKey)]
  const result = await revokeKey(own, id, nowMs, logKeyRevoked, steps)
  if (result.kind !== 'revoked') return result
  const webhooks = await listWebhooksOfKey(own, id, nowMs)
  const created = await listCreatedKeys(own, id, nowMs)
  if (directory !== null) {
    const ended = created.flatMap(({ keyId, revokedAtMs }) => (revokedAtMs === null ? [] : [keyId]))
    await markKeysRevoked(directory, [id, ...ended], nowMs)
  }
  return { ...result, webhooks, created }
}

async function beginEpochs(
  { own }: Stores,
  { companyId, restoredToMs, nowMs }: OperatorRequest<'event.restored'>,
) {
  if (companyId === null) {
    // Stores have campaigns that D1 has forgotten.
    await skipNumbers(own)
    await forgetStates(own)
  }
  return { kind: 'begun', ...(await openPaused(own, companyId, restoredToMs, nowMs)) } as const
}

/** Restores the store, which ends it once; returns when that is done, or when it cannot. */
export type Restore = (request: RestoreRequest) => Promise<RestoreResult>

type Tended = {
  readonly directory: D1Database
  readonly own: D1Database
  /** The name of the store; null: it is D1. */
  readonly store: string | null
  readonly restore: Restore
  /** While a move copies the company, nothing in it changes: its store refuses these keys instead. */
  readonly refuseKeys: (ids: readonly string[]) => void
}

/**
 * Enters the company in its store, and carries out what is requested of it. Does nothing for a company that has meanwhile
 * moved elsewhere; requests wait while a move copies it. Throws DatabaseUnavailable.
 */
export async function tendCompany(tended: Tended, companyId: string): Promise<void> {
  const { directory, own, store } = tended
  const company = await findCompany(directory, companyId)
  if (company === null || company.store !== store) return
  if (store !== null) await createCompany(own, company)
  // After a move its D1 row stays frozen.
  const here = store === null ? company : await findCompany(own, companyId)
  if (here?.frozenAtMs === null) await carryOutPending(tended, companyId)
  else if (here !== null && store !== null) await refuseRevoked(tended, companyId)
}

/** In order. After a crash before one is marked done, it is carried out again. */
async function carryOutPending({ directory, own, store, restore }: Tended, companyId: string): Promise<void> {
  const stores = { own, directory: store === null ? null : directory }
  for (const pending of await findPending(directory, companyId)) {
    const { request } = pending
    const result =
      request.kind === 'company.restore'
        ? await restoreInTime(restore, { ...pending, request })
        : await carryOut(stores, request)
    await markDone(directory, pending, result)
  }
}

/** A request from before would be carried out again when D1 itself is restored to that moment. */
const freshForMs = 3_600_000

async function restoreInTime(
  restore: Restore,
  { id, createdAtMs, request }: PendingRequest<'company.restore'>,
): Promise<RequestResult<'company.restore'>> {
  if (createdAtMs < Date.now() - freshForMs) return { kind: 'too_late' }
  return restore({ ...request, id })
}

/** The directory refuses them too: so the company arrives in D1 with these keys revoked. */
async function refuseRevoked({ directory, own, refuseKeys }: Tended, companyId: string): Promise<void> {
  const refused: string[] = []
  for (const { request } of await findPending(directory, companyId)) {
    if (request.kind !== 'key.revoke') continue
    const { id, nowMs, withCreated } = request
    const created = withCreated ? await listCreatedKeys(own, id, nowMs) : []
    refused.push(id, ...created.map(({ keyId }) => keyId))
  }
  if (refused.length === 0) return
  refuseKeys(refused)
  await markKeysRevoked(directory, refused, Date.now())
}
