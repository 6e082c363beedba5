// Leads that a restore had taken, and that come back when it is undone. A person who was erased in between was erased
// without them, so they are erased now.
import { sql } from 'drizzle-orm'
import { campaigns } from '../../../base/access/store/tables.ts'
import { param, readRows, runSteps, statement } from '../../../base/database/database.ts'
import { numberLog } from '../../../base/ledger/consent/tables.ts'
import type { NumberHashes } from '../../../base/ledger/suppression/number-hash.ts'
import { waits } from '../../../base/limits.ts'
import { hashedSpellings } from '../../../queue/erasure/store/number-memory.ts'
import { leads } from '../../../queue/leads/store/tables.ts'
import { erasedLeads, erasedNumbers } from './kept-erasures.ts'

const leadsPerPage = 1_000

/** An erasure leaves the hash of each number of which no lead was left. */
const erasures = statement<
  'companyId' | 'sinceMs'
>(sql`select log.phone_number as "numberHash", max(log.stored_at_ms) as "erasedAtMs",
    max(log.reason is 'suppressed') as "isSuppressed"
  from ${numberLog} as log
  where log.company_id = ${param('companyId')} and log.kind = 'erasure' and log.stored_at_ms >= ${param('sinceMs')}
  group by log.phone_number`)

type Erasure = { readonly numberHash: string; readonly erasedAtMs: number; readonly isSuppressed: 0 | 1 }

const returned = statement<'companyId' | 'sinceMs' | 'after' | 'maxRows'>(sql`select l.seq, l.token,
    l.phone_number as "phoneNumber", l.created_at_ms as "createdAtMs"
  from ${leads} as l
  cross join ${campaigns} as c on c.number = l.campaign_number and c.company_id = ${param('companyId')}
  where l.seq > ${param('after')} and l.created_at_ms >= ${param('sinceMs')} and l.erased_at_ms is null
  order by l.seq
  limit ${param('maxRows')}`)

type Returned = {
  readonly seq: number
  readonly token: string
  readonly phoneNumber: string
  readonly createdAtMs: number
}

/** `sinceMs`: the time to which the restore had gone back. Throws DatabaseUnavailable. */
export async function eraseReturned(
  db: D1Database,
  { companyId, sinceMs }: { readonly companyId: string; readonly sinceMs: number },
  hashes: NumberHashes,
  nowMs: number,
): Promise<void> {
  const bound = erasures(db, { companyId, sinceMs })
  const found = await readRows<Erasure>(db, bound, waits.administrationMs)
  if (found.length === 0) return
  const erasedBy = new Map(found.map((erasure) => [erasure.numberHash, erasure]))
  const rowsOf = ({ seq, token, phoneNumber, createdAtMs }: Returned) => {
    const numberHash = hashes.of(phoneNumber)
    const { erasedAtMs = 0, isSuppressed = 0 } = erasedBy.get(numberHash) ?? {}
    if (createdAtMs >= erasedAtMs) return []
    const ofNumber = [phoneNumber, numberHash, hashes.pepperCheck, hashedSpellings(phoneNumber, hashes)]
    return [[seq, token, isSuppressed, erasedAtMs, ...ofNumber]]
  }
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page = returned(db, { companyId, sinceMs, after, maxRows: leadsPerPage })
    const some: readonly Returned[] = await readRows<Returned>(db, page, waits.administrationMs)
    const rows = JSON.stringify(some.flatMap(rowsOf))
    if (rows !== '[]') await runSteps(db, erasedLeads.write, { rows, nowMs }, waits.administrationMs)
    after = some.length < leadsPerPage ? undefined : some.at(-1)?.seq
  }
  // What stands of them in plain besides stayed while they did.
  const numbers = found.map(({ numberHash, erasedAtMs }) => [companyId, numberHash, erasedAtMs, erasedAtMs])
  const plain = await erasedNumbers.complete?.(db, numbers, () => hashes)
  await runSteps(db, erasedNumbers.write, { rows: JSON.stringify(plain), nowMs }, waits.administrationMs)
}
