// How many leads make a page, by the bytes of their metadata (D20): the limits of the statements of pages.ts, which say
// which leads are `found`.
import { type SQL, sql } from 'drizzle-orm'
import { limits } from '../../limits.ts'
import { leads } from './tables.ts'

const param = sql.placeholder

/** Of metadata. D1 answers in JSON, which doubles quotes, and one character outside of Latin-1 doubles the text. */
const pageMaxBytes = 2 * 1024 * 1024
const maxBytes = sql.raw(`${pageMaxBytes}`)

/** As many have no more than pageMaxBytes, however large each is. */
export const leadsOfAnySize = pageMaxBytes / limits.metadataMaxBytes

/** How many leads there are for a page and the next one, and the bytes of their metadata, which are not read. */
function measured(found: SQL, inOrder: SQL): SQL {
  return sql`(select count(*) as leads, total(bytes) as bytes from (
  select octet_length(${leads.metadata}) as bytes from ${found} ${inOrder} limit ${param('maxLeads')} + 1))`
}

/**
 * All leads there are when they make one page; else `firstLeads`, which must be few enough to be of any size. `inOrder` is
 * the list's order.
 */
export function unweighedSize(found: SQL, inOrder: SQL): SQL {
  return sql`case when ${param('firstLeads')} >= ${param('maxLeads')} then ${param('maxLeads')}
  else (select iif(bytes <= ${maxBytes} and leads <= ${param('maxLeads')}, ${param('maxLeads')}, ${param('firstLeads')})
    from ${measured(found, inOrder)}) end`
}

/**
 * As many leads as have no more than pageMaxBytes. A statement apart from the other one, since a window function costs
 * SQLite a tenth of a millisecond even where it is not run.
 */
export function weighedSize(found: SQL, inOrder: SQL): SQL {
  return sql`(select iif(bytes <= ${maxBytes}, ${param('maxLeads')}, (
    select max(place) from (
      select row_number() over up_to as place, total(octet_length(${leads.metadata})) over up_to as bytes
      from ${found} window up_to as (${inOrder} rows unbounded preceding) limit ${param('maxLeads')}
    ) where bytes <= ${maxBytes} or place = 1))
  from ${measured(found, inOrder)})`
}
