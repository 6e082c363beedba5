// Stores consents alone, without leads, and withdraws them. What both mean for calls is in base/ledger/consent.
import { type SQL, sql } from 'drizzle-orm'
import {
  grantedKey,
  type KeyAccess,
  type KeyNames,
  type PepperLost,
} from '../../../base/access/store/rights.ts'
import { param, runBatch, runSteps, statement } from '../../../base/database/database.ts'
import {
  consentsToStore,
  idsOfConsents,
  insertTexts,
  type NewConsent,
} from '../../../base/ledger/consent/consents.ts'
import { everyPurpose, logOfNumbers, withdrawnAtMs } from '../../../base/ledger/consent/number-log.ts'
import { numberLog, consents as table } from '../../../base/ledger/consent/tables.ts'
import { type ActorNames, appendAlways, entryColumns, isUnlogged } from '../../../base/ledger/log/append.ts'
import { isPepperLost } from '../../../base/ledger/suppression/hashed-numbers.ts'
import type { NumberHashes } from '../../../base/ledger/suppression/number-hash.ts'
import { spellingsOf } from '../../../base/ledger/suppression/spellings.ts'
import { consentSteps, giverOf, reachesNumber, storingConsents } from '../../leads/store/store-consents.ts'

type KeyRefused = { readonly kind: 'key_refused' }

/** `campaign_number` is 0 for a key of the company. */
const writer = sql`(select own.company_id, coalesce(own.campaign_number, 0) as campaign_number
  from ${grantedKey('write')} as own)`

const giver = giverOf(
  sql`(select own.* from ${writer} as own where not ${isPepperLost(sql`own.company_id`)})`,
)

type StoreNames = KeyNames | 'pepperCheck'
const storeAlone = storingConsents<StoreNames>(
  statement<StoreNames | 'texts'>(insertTexts(giver)),
  consentSteps(giver).map(statement<StoreNames | 'consents'>),
)
/** How many of them are new. A repeated try finds the same, and logs them once. */
const logStored = statement<StoreNames | ActorNames | 'consents'>(
  appendAlways(sql`select ${entryColumns({
    type: 'consent.recorded',
    companyId: sql`own.company_id`,
    campaignNumber: sql`nullif(own.campaign_number, 0)`,
    data: sql`json_object('count', own.made)`,
  })} from (select own.*, (select count(*) from (${idsOfConsents(giver)}) as stored
      cross join json_each(${param('consents')}) as sent on sent.key = stored."index"
        and sent.value ->> 4 = stored.id) as made
    from ${writer} as own) as own
    where own.made > 0 and ${isUnlogged('consent.recorded', sql`own.company_id`)}`),
)
const readIds = statement<StoreNames | 'consents'>(idsOfConsents(giver))

const verdict = statement<StoreNames>(sql`select ${isPepperLost(sql`own.company_id`)} as "isPepperLost"
  from ${writer} as own`)

/** `existing`: the same consent was stored before. `ignored`: the number has no lead in the campaign of the key. */
type StoredConsent =
  | { readonly status: 'created' | 'existing'; readonly consentId: string }
  | { readonly status: 'ignored'; readonly consentId: null }

type StoreResult =
  | KeyRefused
  | PepperLost
  | { readonly kind: 'stored'; readonly results: readonly StoredConsent[] }

/** Results are in the order of `sent`. Throws DatabaseUnavailable, as every function here. */
export async function storeConsentsAlone(
  db: D1Database,
  access: KeyAccess,
  sent: readonly NewConsent[],
  hashes: NumberHashes,
): Promise<StoreResult> {
  const values = { ...access, pepperCheck: hashes.pepperCheck }
  const toStore = consentsToStore(sent, hashes)
  // What finds a row is the first four of its values; behind them is its id.
  const keys = toStore.rows.map((row) => row.slice(0, 5))
  const consents = JSON.stringify(keys)
  const { rows } = await runBatch(db, [
    ...storeAlone(db, values, toStore),
    logStored(db, { ...values, consents }),
    readIds(db, { ...values, consents }),
    verdict(db, values),
  ])
  const state = rows.at(-1)?.[0] as { readonly isPepperLost: number } | undefined
  if (state === undefined) return { kind: 'key_refused' }
  if (state.isPepperLost === 1) return { kind: 'pepper_lost' }
  const ids = new Map((rows.at(-2) as { index: number; id: string }[]).map(({ index, id }) => [index, id]))
  const seen = new Set<number>()
  const results = toStore.rowOf.map((place): StoredConsent => {
    const consentId = ids.get(place)
    if (consentId === undefined) return { status: 'ignored', consentId: null }
    const isNew = consentId === toStore.rows[place]?.[4] && !seen.has(place)
    seen.add(place)
    return { status: isNew ? 'created' : 'existing', consentId }
  })
  return { kind: 'stored', results }
}

const number = sql`${param('phoneNumber')}`
const spelling = sql`spelling.value`
const isReached = reachesNumber(sql`granted`, number)
/** By a lead of any spelling: it is the same phone (D70). */
const mayWithdraw = sql`exists (select 1 from json_each(${param('spellings')}) as item
  where ${reachesNumber(sql`granted`, sql`item.value`)})`
const atMs = (phoneNumber: SQL) =>
  sql`coalesce(${param('withdrawnAtMs')}, ${withdrawnAtMs(sql`granted.company_id`, phoneNumber)})`

const withdrawSteps = [
  logOfNumbers({
    kind: 'withdrawal',
    entries: sql`select granted.company_id, ${spelling} as phone_number,
        coalesce(${param('purpose')}, ${everyPurpose}) as withdraws, ${atMs(spelling)} as at_ms, 0 as campaign_number,
        ${param('reason')} as reason
      from ${writer} as granted
      cross join json_each(${param('spellings')}) as spelling
      where ${mayWithdraw}`,
  }),
  appendAlways(sql`select ${entryColumns({
    type: 'consent.withdrawn',
    companyId: sql`granted.company_id`,
    campaignNumber: sql`nullif(granted.campaign_number, 0)`,
    data: sql`json_object('purpose', ${param('purpose')})`,
  })} from ${writer} as granted
    where ${mayWithdraw} and ${isUnlogged('consent.withdrawn', sql`granted.company_id`)}`),
  // The answer is of the number itself. Of one out of reach it says nothing but what was sent, also where a lead of
  // another spelling let the key withdraw.
  sql`select coalesce(said.at_ms, ${param('withdrawnAtMs')}, ${param('nowMs')}) as "withdrawnAtMs",
      (select count(*) from ${table} as consent
      where consent.company_id = said.company_id and consent.phone_number = said.phone_number
        and said.withdraws in ('*', consent.purpose) and consent.given_at_ms <= said.at_ms) as consents
    from ${writer} as granted
    left join ${numberLog} as said on ${isReached} and said.company_id = granted.company_id
      and said.phone_number = ${number} and said.withdraws = coalesce(${param('purpose')}, ${everyPurpose})
      and said.at_ms = cast(${atMs(number)} as integer)`,
].map(statement<KeyNames | ActorNames | 'phoneNumber' | 'spellings' | 'purpose' | 'withdrawnAtMs' | 'reason'>)

export type Withdrawal = {
  readonly phoneNumber: string
  /** Null: consents of every purpose. */
  readonly purpose: string | null
  /** Null: now. */
  readonly withdrawnAtMs: number | null
  readonly reason: string | null
}

type WithdrawResult =
  | KeyRefused
  /** How many stored consents it covers, those that were withdrawn before included. */
  | { readonly kind: 'withdrawn'; readonly withdrawnAtMs: number; readonly consents: number }

/** Withdraws all consents of a number, in every spelling, that were given until then. */
export async function withdrawConsents(
  db: D1Database,
  access: KeyAccess,
  withdrawal: Withdrawal,
): Promise<WithdrawResult> {
  const spellings = JSON.stringify(spellingsOf(withdrawal.phoneNumber))
  const { rows } = await runSteps(db, withdrawSteps, { ...access, ...withdrawal, spellings })
  const row = rows.at(-1)?.[0] as { withdrawnAtMs: number; consents: number } | undefined
  return row === undefined ? { kind: 'key_refused' } : { kind: 'withdrawn', ...row }
}
