// Limits a page of leads by the bytes of its metadata (D20). pages.ts says which leads are `found`.
import { type SQL, sql } from 'drizzle-orm'
import { param } from '../../../../base/database/database.ts'
import { limits } from '../../../../base/limits.ts'
import { leads } from '../tables.ts'

/** Bytes of metadata. D1 answers in JSON, which doubles quotes, and one character outside Latin-1 doubles the text. */
const pageMaxBytes = 2 * 1024 * 1024
const maxBytes = sql.raw(`${pageMaxBytes}`)

/** So many fit into pageMaxBytes, however large each is. */
export const leadsOfAnySize = pageMaxBytes / limits.metadataMaxBytes

/** Number of leads up to one more than a page, and the bytes of their metadata, which is not read. */
function measured(found: SQL, inOrder: SQL): SQL {
  return sql`(select count(*) as leads, total(bytes) as bytes from (
  select octet_length(${leads.metadata}) as bytes from ${found} ${inOrder}
  limit ${param('maxLeads')} + 1))`
}

/** All leads when they fit one page; else `firstLeads`, at most leadsOfAnySize. `inOrder` is the list's order. */
export function unweighedSize(found: SQL, inOrder: SQL): SQL {
  return sql`case when ${param('firstLeads')} >= ${param('maxLeads')} then ${param('maxLeads')}
  else (select iif(bytes <= ${maxBytes} and leads <= ${param('maxLeads')}, ${param('maxLeads')}, ${param('firstLeads')})
    from ${measured(found, inOrder)}) end`
}

/**
 * As many leads as fit pageMaxBytes. Apart from unweighedSize, because a window function costs SQLite 0.1 ms even where
 * it does not run.
 */
export function weighedSize(found: SQL, inOrder: SQL): SQL {
  return sql`(select iif(bytes <= ${maxBytes}, ${param('maxLeads')}, (
    select max(place) from (
      select row_number() over up_to as place, total(octet_length(${leads.metadata})) over up_to as bytes
      from ${found} window up_to as (${inOrder} rows unbounded preceding)
      limit ${param('maxLeads')}
    ) where bytes <= ${maxBytes} or place = 1))
  from ${measured(found, inOrder)})`
}
