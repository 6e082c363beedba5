// Does what a command requests of a company: at once for one in the database; for one with a store of its own, which no
// command can reach, writes the request to the database and waits until the store has carried it out.
import { setTimeout } from 'node:timers/promises'
import { enterKey, findCompany } from '../access/store/directory.ts'
import { randomBase62 } from '../base62.ts'
import { carryOut } from '../companies/carry-out.ts'
import type { OperatorRequest, RequestKind, RequestResult } from '../companies/request.ts'
import { addRequests, type CompanyRequest, findResult } from '../companies/store/requests.ts'
import { DatabaseUnavailable } from '../database/database.ts'
import { waits } from '../limits.ts'
import { onceUnlocked } from './database.ts'
import { logLine } from './text/print.ts'

/** The store has not carried it out in time, and will. */
type Pending = { readonly kind: 'pending' }

/** How a command says that. */
export const pendingText =
  'the company’s own store has not carried this out within 90 s: the request stays, and is carried out as soon as the service runs'

export async function carryOutOrWait<Kind extends Exclude<RequestKind, 'company.restore'>>(
  db: D1Database,
  request: OperatorRequest<Kind>,
): Promise<RequestResult<Kind> | Pending> {
  const company = request.companyId === null ? null : await findCompany(db, request.companyId)
  if (company === null || company.store === null) return carryOut({ own: db, directory: null }, request)
  return waitForStore(db, request)
}

export async function waitForStore<Kind extends RequestKind>(
  db: D1Database,
  request: OperatorRequest<Kind>,
): Promise<RequestResult<Kind> | Pending> {
  const [id] = await addAll(db, [request as CompanyRequest])
  const result = await waitForResult(db, id as string)
  return (result ?? { kind: 'pending' }) as RequestResult<Kind> | Pending
}

/** Returns the id of each. New keys are entered in the directory at once, so that they can be revoked before they work. */
export async function addAll(db: D1Database, requests: readonly CompanyRequest[]): Promise<string[]> {
  const createdAtMs = Date.now()
  const added = requests.map((request) => ({ id: `req_${randomBase62(16)}`, request, createdAtMs }))
  await onceUnlocked(async () => {
    for (const request of requests)
      if (request.kind === 'key.create' || request.kind === 'key.rotate') await enterKey(db, request)
    await addRequests(db, added)
  })
  return added.map(({ id }) => id)
}

const pollMs = 500
const silentMs = 2_000

/** Null: not in time. */
async function waitForResult(db: D1Database, id: string): Promise<RequestResult | null> {
  const startedAtMs = Date.now()
  let hasSaid = false
  while (Date.now() < startedAtMs + waits.operatorRequestMs) {
    const result = await tryToRead(db, id)
    if (result !== null) return result
    if (!hasSaid && Date.now() > startedAtMs + silentMs) {
      hasSaid = true
      logLine(
        'Waiting for the company’s own store, which carries this out within a minute. The service must run (npm start for a local one).',
      )
    }
    await setTimeout(pollMs)
  }
  return null
}

/** A database that does not answer is asked again: the request is in it. */
async function tryToRead(db: D1Database, id: string): Promise<RequestResult | null> {
  try {
    return await findResult(db, id)
  } catch (error) {
    if (error instanceof DatabaseUnavailable) return null
    throw error
  }
}
