// Looks into the tables of a company, wherever it is stored.
import type { Service } from '../platform/service.ts'
import type { Sqlite } from '../platform/sqlite.ts'
import { type Kept, keptIn } from './kept-rows.ts'

export type LeadRow = {
  readonly seq: number
  readonly campaign: string
  readonly phoneNumber: string
  readonly externalId: string | null
  readonly status: string
  readonly attempts: number
  readonly erasedAtMs: number | null
  readonly leaseExpiresAtMs: number | null
}
export type SuppressionRow = { readonly phoneNumber: string; readonly campaign: string | null }

export type Rows = {
  readonly leads: readonly LeadRow[]
  readonly suppressions: readonly SuppressionRow[]
  /** Numbers that are suppressed by their hash, with the campaign: null, in the company. */
  readonly hashes: readonly { readonly hash: string; readonly campaign: string | null }[]
  /** When all consents of a number were withdrawn. */
  readonly withdrawals: readonly { readonly phoneNumber: string; readonly atMs: number }[]
  /** Of leads by campaign and status, as its hours add up. */
  readonly counts: readonly ({ readonly campaign: string } & Readonly<Record<string, number>>)[]
  /** What was counted in each hour. */
  readonly hours: readonly ({ readonly campaign: string; readonly hour: number } & Readonly<
    Record<string, number | string>
  >)[]
  /** The numbers of its log. */
  readonly events: readonly number[]
  /** Of all companies in its store. */
  readonly canaries: ReadonlySet<string>
  /** In the memory of any object. */
  readonly remembered: () => ReadonlySet<string>
  /** What people have set. */
  readonly kept: Kept
  readonly moment: number
}

/** Of an hour: the column, and the name by which the API tells of it. */
const counters = [
  ...['claimed', 'inbound', 'answered', 'not_interested', 'wrong_number', 'invalid_number', 'do_not_call'],
  ...['no_answer', 'busy', 'voicemail', 'failed', 'abandoned', 'callback_requested', 'unknown', 'released'],
  ...['pick_up_1s', 'pick_up_5s', 'pick_up_30s', 'pick_up_5min', 'pick_up_1h', 'pick_up_later'],
].map((column) => [column, column.replace('pick_up_', 'pickUp').replace('Uplater', 'UpLater')] as const)

/** What is sent with a lead, and with no other. */
const canary = /canary\d+(x\d+)?/g

/** Where the company is now: in D1, or in a store of its own. Null: it is between two states. */
export function storeOf(service: Service, companyId: string): Sqlite | null {
  const [row] = service.sqlite.rows('select store from companies where id = ?1', companyId)
  if (row === undefined) return null
  if (row.store === null) return service.sqlite
  const name = String(row.store)
  const { storage } = service.objects.objectOf('CompanyStore', name)
  // While it is restored it answers nobody: what it must not take back is written again first.
  return storage.isDirty() || service.isRestoring(name) ? null : storage.sqlite()
}

/** The companies that are there. Null: in D1. */
export const companiesAt = ({ sqlite }: Service, store: string | null): ReadonlySet<unknown> =>
  new Set(sqlite.rows('select id from companies where store is ?1', store).map(({ id }) => id))

export function rowsOf(sqlite: Sqlite, companyId: string, { agenda, objects }: Service): Rows {
  const leads = sqlite.rows(
    `select l.seq, c.id as campaign, l.phone_number as "phoneNumber", l.external_id as "externalId", l.status,
       l.attempts, l.erased_at_ms as "erasedAtMs", l.lease_expires_at_ms as "leaseExpiresAtMs"
     from leads as l join campaigns as c on c.number = l.campaign_number where c.company_id = ?1 order by l.seq`,
    companyId,
  )
  const suppressions = sqlite.rows(
    `select s.phone_number as "phoneNumber", c.id as campaign
     from suppressions as s left join campaigns as c on c.number = s.campaign_number where s.company_id = ?1`,
    companyId,
  )
  const hashes = sqlite.rows(
    `select number_hash as hash, null as campaign from suppressed_hashes where company_id = ?1
     union all select r.number_hash, c.id from retained_hashes as r
       join campaigns as c on c.number = r.campaign_number where r.company_id = ?1`,
    companyId,
  )
  const withdrawals = sqlite.rows(
    `select phone_number as "phoneNumber", at_ms as "atMs" from number_log where company_id = ?1 and withdraws = '*'`,
    companyId,
  )
  const numbers = sqlite.rows(
    'select e.number from events as e where e.company_id = ?1 order by 1',
    companyId,
  )
  const counts = sqlite.rows(
    `select c.id as campaign, sum(h.d_raw) as raw, sum(h.d_attempting) as attempting, sum(h.d_exhausted) as exhausted,
       sum(h.d_concluded) as concluded
     from campaigns as c join campaign_hours as h on h.campaign_number = c.number where c.company_id = ?1
       group by c.id`,
    companyId,
  )
  const hours = sqlite.rows(
    `select c.id as campaign, h.hour, ${counters.map(([column, name]) => `h.${column} as "${name}"`).join()}
     from campaigns as c join campaign_hours as h on h.campaign_number = c.number where c.company_id = ?1`,
    companyId,
  )
  const events = numbers.map(({ number }) => Number(number))
  const [canaries, kept] = [canariesIn(sqlite), keptIn(sqlite, companyId)]
  const [moment, remembered] = [agenda.moment(), () => canariesOf(objects)]
  return {
    leads,
    suppressions,
    hashes,
    withdrawals,
    counts,
    hours,
    events,
    canaries,
    remembered,
    kept,
    moment,
  } as unknown as Rows
}

/** In any row of any table. */
function canariesIn(sqlite: Sqlite): ReadonlySet<string> {
  const tables = sqlite.rows(
    "select name from sqlite_master where type = 'table' and name not like 'lead_search%'",
  )
  const found = tables.flatMap(
    ({ name }) => JSON.stringify(sqlite.rows(`select * from ${name}`)).match(canary) ?? [],
  )
  return new Set(found)
}

/** What the stores of companies have is in `canaries`. */
function canariesOf({ all }: Service['objects']): ReadonlySet<string> {
  const found = [...all.values()]
    .filter(({ className }) => className !== 'CompanyStore')
    .flatMap(({ storage }) => {
      const database = storage.sqlite()
      const values = JSON.stringify([...storage.values()]).match(canary) ?? []
      return database === null ? values : [...values, ...canariesIn(database)]
    })
  return new Set(found)
}
