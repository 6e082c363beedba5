// The leads of numbers that a report suppresses. A report is never refused, so its work is bounded here: the
// suppression holds from its commit on, and a later claim dequeues the leads that are left in the queue.
import { type SQL, sql } from 'drizzle-orm'
import { campaigns } from '../../../../base/access/store/tables.ts'
import { calls } from '../../../../base/ledger/calls/tables.ts'
import { limits } from '../../../../base/limits.ts'
import { leads } from '../../../leads/store/tables.ts'

const maxPlaces = sql.raw(`${limits.numbersTimesCampaigns}`)

const forbidden = (numbers: SQL) =>
  sql`with forbidden(company_id, phone_number) as materialized (select distinct * from (${numbers}))`

const called = sql`select k.seq from forbidden
  cross join ${calls} as k on k.company_id = forbidden.company_id and k.phone_number = forbidden.phone_number`

/**
 * A select of `seq`: the leads that were ever called, the only ones whose status a suppression changes. `numbers` is
 * a select of `company_id` and `phone_number`.
 */
export const calledLeads = (numbers: SQL) => sql`${forbidden(numbers)} ${called}`

/** A select of `seq`: those, and as many others as one suppression may look at (D57). */
export const forbiddenLeads = (numbers: SQL) => sql`${forbidden(numbers)} ${called}
  union all
  select l.seq from (select forbidden.phone_number, c.number from forbidden
    cross join ${campaigns} as c on c.company_id = forbidden.company_id
    limit ${maxPlaces}) as place
  cross join ${leads} as l on l.campaign_number = place.number and l.phone_number = place.phone_number`
