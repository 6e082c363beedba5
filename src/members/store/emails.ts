// The addresses of the members of a company's own store, for the directory in D1.

import { sql } from 'drizzle-orm'
import { members } from '../../access/store/tables.ts'
import { readRows, statement } from '../../database/database.ts'
import { waits } from '../../limits.ts'

const emails = statement(
  sql`select m.id, iif(m.removed_at_ms is null, m.email, null) as email from ${members} as m`,
)

/** Null: of a member that was removed. Throws DatabaseUnavailable. */
export const listEmails = (own: D1Database) =>
  readRows<{ readonly id: string; readonly email: string | null }>(
    own,
    emails(own, {}),
    waits.administrationMs,
  )
