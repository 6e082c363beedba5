// What the hours of a campaign add up to, beside what there is in its tables: both must be the same whatever was done.
import { countedOutcomes } from '../../../src/base/ledger/hours/counts.ts'
import { companyDb } from '../database/store.ts'

type Counts = Readonly<Record<string, number>>

const statuses = ['raw', 'attempting', 'exhausted', 'concluded']

const summed = [...statuses.map((status) => `d_${status}`), 'claimed', ...countedOutcomes]
const hours = `select ${summed.map((column) => `coalesce(sum(h.${column}), 0) as ${column}`).join()}
  from campaign_hours as h where h.campaign_number = ?1`

const tables = `select ${[
  ...statuses.map(
    (status) => `(select count(*) from leads as l where l.campaign_number = ?1
    and l.erased_at_ms is null and l.status = '${status}') as d_${status}`,
  ),
  '(select count(*) from calls as k where k.seq >> 32 = ?1) as claimed',
  ...countedOutcomes.map(
    (outcome) => `(select count(*) from calls as k where k.seq >> 32 = ?1
    and k.outcome = '${outcome}') as ${outcome}`,
  ),
].join()}`

/** By the hours, and by the tables themselves. */
export async function countBoth(campaignNumber: number): Promise<readonly [hours: Counts, tables: Counts]> {
  const [byHours, byTables] = await companyDb.batch<Counts>(
    [hours, tables].map((query) => companyDb.prepare(query).bind(campaignNumber)),
  )
  return [byHours?.results[0] as Counts, byTables?.results[0] as Counts]
}

/** How many leads of a campaign were picked up within a second, 5 s, 30 s, 5 min, an hour, and later. */
export async function countPickUps(campaignNumber: number): Promise<number[]> {
  const columns = ['pick_up_1s', 'pick_up_5s', 'pick_up_30s', 'pick_up_5min', 'pick_up_1h', 'pick_up_later']
  const rows = await readHours(campaignNumber)
  return columns.map((column) => rows.reduce((sum, row) => sum + (row[column] ?? 0), 0))
}

/** All hours of a campaign, oldest first, without what is zero. */
export async function readHours(campaignNumber: number): Promise<Record<string, number>[]> {
  const { results } = await companyDb
    .prepare('select * from campaign_hours where campaign_number = ?1 order by hour')
    .bind(campaignNumber)
    .all<Record<string, number>>()
  return results.map(({ campaign_number: _, writes: __, ...row }) =>
    Object.fromEntries(Object.entries(row).filter(([, n]) => n !== 0)),
  )
}
