// The addresses of the members of a company's own store, for the directory in D1.

import { sql } from 'drizzle-orm'
import { members } from '../../access/store/tables.ts'
import { readRows, statement } from '../../database/database.ts'
import { waits } from '../../limits.ts'

const emails = statement(sql`select m.id, m.email from ${members} as m where m.removed_at_ms is null`)

/** Throws DatabaseUnavailable. */
export const listEmails = (own: D1Database) =>
  readRows<{ readonly id: string; readonly email: string }>(own, emails(own, {}), waits.administrationMs)
