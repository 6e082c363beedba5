// Phone numbers that must not be called, in a company or one campaign: conditions and statements for other areas'
// transactions, and the list. src/queue/suppression/store/suppress.ts has the effect on queue and calls.
import { type SQL, sql } from 'drizzle-orm'
import {
  type AccessNames,
  type KeyAccess,
  type ScopeRefusal,
  scopeRefusalOf,
  scopeVerdict,
  type Verdict,
} from '../../access/store/rights.ts'
import { campaigns } from '../../access/store/tables.ts'
import { pageOf, param, runBatch, statement } from '../../database/database.ts'
import { isOfGate } from './gate-mark.ts'
import { withoutZeroLeftIn } from './spellings-sql.ts'
import { suppressions } from './tables.ts'

/** The number must not be called in the campaign. The plus keeps SQLite from splitting one index search into two. */
export const isSuppressed = (companyId: SQL, phoneNumber: SQL, campaignNumber: SQL) => sql`exists (
  select 1 from ${suppressions}
  where ${suppressions.companyId} = ${companyId}
    and ${suppressions.phoneNumber} = ${phoneNumber} and +${suppressions.campaignNumber} in (0, ${campaignNumber}))`

/** The company suppresses any number. */
export const hasNumbers = (companyId: SQL) => sql`exists (select 1 from ${suppressions}
  where ${suppressions.companyId} = ${companyId})`

const wasOfGate = isOfGate(sql`${suppressions}`)

/** `numbers` selects all columns but the time, in their order. A person's no takes the place of a gate's. */
export const insertNumbers = (numbers: SQL) => sql`insert into ${suppressions}
  (company_id, phone_number, campaign_number, reason, token, leads_removed, created_at_ms)
  select numbers.*, ${param('nowMs')} from (${numbers}) as numbers
  where true
  on conflict do update set reason = excluded.reason, token = excluded.token, created_at_ms = excluded.created_at_ms
    where ${wasOfGate}`

/** For a gate: what is suppressed stays as it is. */
export const insertGateNumbers = (numbers: SQL) => sql`insert into ${suppressions}
  (company_id, phone_number, campaign_number, reason, token, leads_removed, created_at_ms)
  select numbers.*, 0, ${param('nowMs')} from (${numbers}) as numbers
  where true
  on conflict do nothing`

/** The same, with the places of leads, which are noted also of a number that is suppressed already. */
export const insertNumbersWithLeads = (numbers: SQL) => sql`insert into ${suppressions}
  (company_id, phone_number, campaign_number, reason, token, lead_seqs, leads_removed, created_at_ms)
  select numbers.*, coalesce(json_array_length(numbers.lead_seqs), 0), ${param('nowMs')} from (${numbers}
    limit -1) as numbers
  where true
  on conflict do update set lead_seqs = coalesce(excluded.lead_seqs, lead_seqs),
    reason = iif(${wasOfGate}, excluded.reason, reason), token = iif(${wasOfGate}, excluded.token, token),
    created_at_ms = iif(${wasOfGate}, excluded.created_at_ms, created_at_ms)
  where excluded.lead_seqs is not null or ${wasOfGate}`

/** In the place of a number: the row that notePlaces writes. No batch leaves it. */
const notes = sql.raw(`'places'`)
const isNote = (companyId: SQL) => sql`noted.company_id = ${companyId} and noted.phone_number = ${notes}
  and noted.campaign_number = 0`

/**
 * Notes places of leads for the statements of a batch behind it, in a row of the company. `places` selects company and
 * places, JSON.
 */
export const notePlaces = (places: SQL) => sql`insert into ${suppressions}
  (company_id, phone_number, campaign_number, token, leads_removed, created_at_ms, lead_seqs)
  select places.company_id, ${notes}, 0, '', 0, 0, places.seqs from (${places}) as places
  where true
  on conflict do update set lead_seqs = excluded.lead_seqs`

/** A table expression: `value` is a place that the batch has noted. */
export const notedPlaces = (companyId: SQL) => sql`${suppressions} as noted on ${isNote(companyId)}
  cross join json_each(noted.lead_seqs) as place`

/** Last in the batch. `companies` selects ids. */
export const forgetPlaces = (companies: SQL) => sql`delete from ${suppressions}
  where company_id in (${companies}) and phone_number = ${notes} and campaign_number = 0`

/** Removes suppressions of exactly this company or campaign. `numbers` selects the three columns of the primary key. */
export const deleteNumbers = (numbers: SQL) => sql`delete from ${suppressions}
  where (company_id, phone_number, campaign_number) in (${numbers})
  returning phone_number as "phoneNumber"`

/** The number is suppressed in the company or any of its campaigns. */
export const isListed = (companyId: SQL, phoneNumber: SQL) => sql`exists (select 1 from ${suppressions}
  where ${suppressions.companyId} = ${companyId} and ${suppressions.phoneNumber} = ${phoneNumber})`

/** Reason and token of suppressions that last while an erased person has leads left. No request has this token. */
export const erasureMark = sql.raw(`'erasure'`)

/** Removes all suppressions of numbers, in company and campaigns. `numbers` selects company and number. */
export const deleteListed = (numbers: SQL, token?: SQL) => sql`delete from ${suppressions}
  where (company_id, phone_number) in (select listed.company_id, listed.phone_number from (${numbers}) as listed)
  ${token === undefined ? sql`` : sql`and token = ${token}`}`

type SuppressedNumber = {
  readonly phoneNumber: string
  /** Null: all campaigns of the company. */
  readonly campaignId: string | null
  readonly reason: string | null
  readonly createdAtMs: number
}

type NumberRange = {
  /** Null: suppressions of the company and of all its campaigns. */
  readonly campaignId: string | null
  readonly maxNumbers: number
  /** The entry after which the page begins; empty and 0: the first page. */
  readonly after: NumberPlace
}

export type NumberPlace = { readonly phoneNumber: string; readonly campaignNumber: number }

type NumberPage = {
  readonly kind: 'page'
  readonly numbers: readonly SuppressedNumber[]
  /** The last entry; null on the last page. */
  readonly end: NumberPlace | null
}

const scope = scopeVerdict('read')
const verdictOfScope = statement<AccessNames>(sql`select verdict.number from ${scope} as verdict`)

/** The spelling with a zero left in (spellings.ts) says nothing more beside the plain one. */
const isLeftOut = sql`exists (select 1 from ${suppressions} as plain
  where plain.company_id = ${suppressions.companyId} and plain.campaign_number = ${suppressions.campaignNumber}
    and plain.phone_number = nullif(${withoutZeroLeftIn(sql`${suppressions.phoneNumber}`)},
    ${suppressions.phoneNumber}))`

// A page is one index search in the order of the numbers: the primary key for a company, an index for one campaign.
const numbersIn = (reach: SQL) =>
  statement<AccessNames | 'phoneNumber' | 'campaignNumber' | 'maxRows'>(sql`
    select ${suppressions.phoneNumber} as "phoneNumber", ${campaigns.id} as "campaignId",
    ${suppressions.reason}, ${suppressions.createdAtMs} as "createdAtMs",
    ${suppressions.campaignNumber} as "campaignNumber"
  from ${scope} as verdict
  cross join ${suppressions} on ${reach} and not ${isLeftOut}
    and (${suppressions.phoneNumber}, ${suppressions.campaignNumber})
      > (${param('phoneNumber')}, ${param('campaignNumber')})
  left join ${campaigns} on ${campaigns.number} = ${suppressions.campaignNumber}
  order by ${suppressions.phoneNumber}, ${suppressions.campaignNumber}
  limit ${param('maxRows')}`)

const ofCompany = sql`verdict.number = 0 and ${suppressions.companyId} = verdict.company_id`

// SQLite uses a partial index only when the query repeats its condition.
const ofCampaign = sql`${suppressions.campaignNumber} = verdict.number and ${suppressions.campaignNumber} <> 0
  and ${suppressions.phoneNumber} >= ${param('phoneNumber')}`

const pages = { company: numbersIn(ofCompany), campaign: numbersIn(ofCampaign) }

/** A page of suppressed numbers, in their order. Throws DatabaseUnavailable. */
export async function listNumbers(
  db: D1Database,
  access: KeyAccess,
  { campaignId, maxNumbers, after }: NumberRange,
): Promise<ScopeRefusal | NumberPage> {
  const values = { ...access, campaignId, ...after, maxRows: maxNumbers + 1 }
  const pageOfRange = pages[campaignId === null ? 'company' : 'campaign']
  const { rows } = await runBatch(db, [verdictOfScope(db, values), pageOfRange(db, values)])
  const refusal = scopeRefusalOf(rows[0]?.[0] as Verdict | undefined, campaignId)
  if (refusal !== null) return refusal
  const { page, last } = pageOf(rows[1] as (SuppressedNumber & { campaignNumber: number })[], maxNumbers)
  return {
    kind: 'page',
    numbers: page.map(({ campaignNumber: _, ...number }) => number),
    end: last && { phoneNumber: last.phoneNumber, campaignNumber: last.campaignNumber },
  }
}
