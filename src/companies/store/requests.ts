// The operator's requests in D1: the command line adds them, and reads what came of them; the company's store finds them and
// marks them done.
import { sql } from 'drizzle-orm'
import { param, runBatch, statement } from '../../database/database.ts'
import { waits } from '../../limits.ts'
import type { OperatorRequest, RequestKind, RequestResult } from '../request.ts'
import { operatorRequests } from './tables.ts'

type RowNames = 'id' | 'companyId' | 'kind' | 'data' | 'createdAtMs'

const insertRequest = statement<RowNames>(sql`insert into ${operatorRequests}
    (id, company_id, kind, data, created_at_ms)
  values (${param('id')}, ${param('companyId')}, ${param('kind')}, ${param('data')}, ${param('createdAtMs')})
  on conflict do nothing`)

/** A request of a company. */
export type CompanyRequest = OperatorRequest & { readonly companyId: string }

type New = { readonly id: string; readonly request: CompanyRequest; readonly createdAtMs: number }

function insertOf(directory: D1Database, { id, request, createdAtMs }: New): D1PreparedStatement {
  const { kind, companyId, ...data } = request
  return insertRequest(directory, { id, companyId, kind, data: JSON.stringify(data), createdAtMs })
}

/** Throws DatabaseUnavailable, as every function here. */
export async function addRequests(directory: D1Database, added: readonly New[]): Promise<void> {
  await runBatch(
    directory,
    added.map((one) => insertOf(directory, one)),
    waits.administrationMs,
  )
}

const resultOf = statement<'id'>(sql`select ${operatorRequests.result} from ${operatorRequests}
  where ${operatorRequests.id} = ${param('id')} and ${operatorRequests.doneAtMs} is not null`)

/** Null: not done yet. */
export async function findResult(directory: D1Database, id: string): Promise<RequestResult | null> {
  const { rows } = await runBatch(directory, [resultOf(directory, { id })], waits.administrationMs)
  const [row] = rows[0] as [{ result: string }?]
  return row === undefined ? null : JSON.parse(row.result)
}

export type PendingRequest<Kind extends RequestKind = RequestKind> = {
  readonly id: string
  readonly createdAtMs: number
  readonly request: OperatorRequest<Kind>
}

const pendingOf = statement<'companyId'>(sql`select ${operatorRequests.id}, ${operatorRequests.kind},
    ${operatorRequests.data}, ${operatorRequests.createdAtMs} as "createdAtMs"
  from ${operatorRequests}
  where ${operatorRequests.companyId} = ${param('companyId')} and ${operatorRequests.doneAtMs} is null
  order by ${operatorRequests.createdAtMs}, ${operatorRequests}.rowid`)

/** In the order in which they were added. */
export async function findPending(
  directory: D1Database,
  companyId: string,
): Promise<readonly PendingRequest[]> {
  const { rows } = await runBatch(directory, [pendingOf(directory, { companyId })], waits.administrationMs)
  type Row = { id: string; kind: string; data: string; createdAtMs: number }
  return (rows[0] as Row[]).map(({ id, kind, data, createdAtMs }) => ({
    id,
    createdAtMs,
    request: { ...JSON.parse(data), kind, companyId } as OperatorRequest,
  }))
}

const setDone = statement<'id' | 'result' | 'nowMs'>(sql`update ${operatorRequests}
  set done_at_ms = ${param('nowMs')}, result = ${param('result')}
  where ${operatorRequests.id} = ${param('id')} and ${operatorRequests.doneAtMs} is null`)

/** A result may hold the URL of a webhook. */
const keptDays = 7

const deleteOld = statement<'companyId' | 'nowMs'>(sql`delete from ${operatorRequests}
  where ${operatorRequests.companyId} = ${param('companyId')}
    and ${operatorRequests.doneAtMs} < ${param('nowMs')} - ${sql.raw(`${keptDays * 86_400_000}`)}`)

export async function markDone(
  directory: D1Database,
  { id, request }: PendingRequest,
  result: RequestResult,
): Promise<void> {
  const nowMs = Date.now()
  await runBatch(
    directory,
    [
      setDone(directory, { id, result: JSON.stringify(result), nowMs }),
      deleteOld(directory, { companyId: request.companyId, nowMs }),
    ],
    waits.administrationMs,
  )
}
