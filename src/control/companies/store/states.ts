// What each company's own store last reported, in D1; and which stores the cron tends.
import { sql } from 'drizzle-orm'
import { lastCampaignNumber } from '../../../base/access/store/campaign-row.ts'
import { keepNumbers } from '../../../base/access/store/directory.ts'
import { campaigns, companies } from '../../../base/access/store/tables.ts'
import { param, readRows, runBatch, statement } from '../../../base/database/database.ts'
import { statusesOf } from '../../../base/ledger/hours/counts.ts'
import { waits } from '../../../base/limits.ts'
import { isTurn } from '../../../channels/webhooks/store/sending.ts'
import { maxWoken } from '../../../channels/webhooks/wake-senders.ts'
import { storeStates } from './tables.ts'

/**
 * By the hours, since counting millions of leads would stop the store for seconds. What the nightly recount finds wrong
 * in them is never shown as less than none.
 */
const countsOfStore =
  statement(sql`select max(0, coalesce(sum(c.raw + c.attempting + c.exhausted + c.concluded), 0)) as leads,
    ${lastCampaignNumber} as "lastNumber"
  from (${statusesOf(sql`${campaigns}`)}) as c`)

// No-op once the company has left.
const writeState = statement<
  'sizeBytes' | 'leads' | 'lastMigration' | 'store' | 'nowMs'
>(sql`insert into ${storeStates}
    (company_id, size_bytes, leads, last_migration, noted_at_ms)
  select ${companies.id}, ${param('sizeBytes')}, ${param('leads')}, ${param('lastMigration')}, ${param('nowMs')}
  from ${companies}
  where ${companies.store} = ${param('store')}
  on conflict do update set size_bytes = excluded.size_bytes, leads = excluded.leads,
    last_migration = excluded.last_migration, noted_at_ms = excluded.noted_at_ms`)

type State = { readonly store: string; readonly sizeBytes: number; readonly lastMigration: string }

/** `own` is the store. Throws DatabaseUnavailable, as every function here. */
export async function noteState(
  directory: D1Database,
  own: D1Database,
  state: State,
  nowMs: number,
): Promise<void> {
  const [counted] = await readRows<{ leads: number; lastNumber: number }>(own, countsOfStore(own, {}))
  const { leads = 0, lastNumber = 0 } = counted ?? {}
  await runBatch(directory, [
    keepNumbers(directory, { lastNumber }),
    writeState(directory, { ...state, leads, nowMs }),
  ])
}

const forget = statement(sql`update ${storeStates} set last_migration = ''`)

/** So that the cron tends every store, some each minute, and each says anew what it is. */
export async function forgetStates(directory: D1Database): Promise<void> {
  await runBatch(directory, [forget(directory, {})], waits.administrationMs)
}

const isBehind = sql`coalesce(${storeStates.lastMigration}, '') < ${param('lastMigration')}`

/** In a minute. */
const mostBehind = 20

// At random, so that stores which fail hold up no others.
const toTend = statement<'lastMigration' | 'nowMs' | 'maxStores'>(sql`select ${companies.id} as "companyId",
    ${companies.store}, not ${isBehind} as "isLook"
  from ${companies}
  left join ${storeStates} on ${storeStates.companyId} = ${companies.id}
  where ${companies.store} is not null and (${isBehind} or ${isTurn(sql`${companies}.rowid`)})
  order by "isLook", random()
  limit ${param('maxStores')}`)

export type ToTend = { readonly companyId: string; readonly store: string; readonly isLook: boolean }

/** Some stores that have not applied this migration, and those whose turn it is to be looked at. */
export async function findStoresToTend(
  directory: D1Database,
  lastMigration: string,
  nowMs: number,
): Promise<readonly ToTend[]> {
  const select = toTend(directory, { lastMigration, nowMs, maxStores: maxWoken })
  const rows = await readRows<ToTend>(directory, select, waits.administrationMs)
  const found = rows.map((row) => ({ ...row, isLook: Boolean(row.isLook) }))
  return [
    ...found.filter(({ isLook }) => !isLook).slice(0, mostBehind),
    ...found.filter(({ isLook }) => isLook),
  ]
}
