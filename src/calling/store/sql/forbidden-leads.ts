// The leads of numbers that a report forbids to call. A report is never refused, so what it does is bounded here: the
// suppression holds from its commit on, and a claim dequeues what is left in the queue when it comes to it.
import { type SQL, sql } from 'drizzle-orm'
import { campaigns } from '../../../access/store/tables.ts'
import { leads } from '../../../leads/store/tables.ts'
import { limits } from '../../../limits.ts'
import { calls } from '../tables.ts'

const maxPlaces = sql.raw(`${limits.numbersTimesCampaigns}`)

const said = (numbers: SQL) =>
  sql`with said(company_id, phone_number) as materialized (select distinct * from (${numbers}))`

const called = sql`select k.seq from said
  cross join ${calls} as k on k.company_id = said.company_id and k.phone_number = said.phone_number`

/**
 * A select of `seq`: the leads that were ever called, the only ones whose status a suppression changes. `numbers` is a
 * select of `company_id` and `phone_number`.
 */
export const calledLeads = (numbers: SQL) => sql`${said(numbers)} ${called}`

/** A select of `seq`: those, and as many of the others as are found within the bound of one suppression (D57). */
export const forbiddenLeads = (numbers: SQL) => sql`${said(numbers)} ${called}
  union all
  select l.seq from (select said.phone_number, c.number from said
    cross join ${campaigns} as c on c.company_id = said.company_id limit ${maxPlaces}) as place
  cross join ${leads} as l on l.campaign_number = place.number and l.phone_number = place.phone_number`
