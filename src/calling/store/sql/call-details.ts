// Details of calls: written with their report, deleted when their lead is erased.
import { type SQL, sql } from 'drizzle-orm'
import { callDetails } from '../tables.ts'

/** `found` is a select of the three columns. */
export const insertDetails = (found: SQL) => sql`insert into ${callDetails} (seq, claimed_at_ms, details)
  ${found} on conflict do nothing`

/** `seqs` is a select of places of leads. */
export const deleteDetails = (seqs: SQL) =>
  sql`delete from ${callDetails}
  where ${callDetails.seq} in (${seqs})`
