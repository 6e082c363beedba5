// How people see who did something: a member by name or e-mail address, as it is now.
import { type SQL, sql } from 'drizzle-orm'
import { members } from './tables.ts'

const formerMember = 'former member'

/** `actor` is the id of a member, or of anything else: null then. */
export const actorName = (actor: SQL) => sql`iif(substr(${actor}, 1, 4) = 'mem_', coalesce((
    select coalesce(named.name, named.email) from ${members} as named
    where named.id = ${actor} and named.removed_at_ms is null), '${sql.raw(formerMember)}'), null)`
