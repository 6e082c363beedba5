// Finds a time in the log. Numbers have no gaps and times never fall, so a binary search finds the first entry in a log
// of any length.
import { type SQL, sql } from 'drizzle-orm'
import { events } from './tables.ts'

/**
 * A table expression: `company_id` and the `number` of the first entry for which `isBefore` does not hold; after the
 * last one when it holds for all. `companies` has `company_id`, `isBefore` is a condition on the time of the entry `e`.
 */
export const firstEntries = (
  companies: SQL,
  isBefore: SQL,
) => sql`(with recursive search(company_id, low, high) as (
    select c.company_id,
      coalesce((select min(e.number) from ${events} as e where e.company_id = c.company_id), 1),
      coalesce((select max(e.number) + 1 from ${events} as e where e.company_id = c.company_id), 1)
    from ${companies} as c
    union all
    select s.company_id, iif(${isBefore}, e.number + 1, s.low), iif(${isBefore}, s.high, e.number)
    from search as s
    cross join ${events} as e on e.company_id = s.company_id and e.number = (s.low + s.high) / 2
    where s.low < s.high)
  select search.company_id, search.low as number from search
  where search.low = search.high)`
