// Fragments of SQL for the origin of a lead: as the API shows it, and the filter. Names are as they are now: that of
// the key of a source is the source's.
import { type SQL, sql } from 'drizzle-orm'
import { actorName } from '../../../../base/access/store/actor-name.ts'
import { apiKeys } from '../../../../base/access/store/tables.ts'
import { param } from '../../../../base/database/database.ts'
import { letterOf, originKinds } from '../origin.ts'

const kinds = sql.raw(originKinds.map((kind) => `when '${letterOf[kind]}' then '${kind}'`).join(' '))
const idOf = (origin: SQL) => sql`nullif(substr(${origin}, 2), '')`
/** Only where the id begins so. */
const idLike = (origin: SQL, start: string) =>
  sql`iif(substr(${origin}, 2, 3) = ${sql.raw(`'${start}'`)}, ${idOf(origin)}, null)`

/** Null: nothing has it. An id is of the lead's own company, as it was written with its lead. */
const nameOf = (origin: SQL) => sql`case substr(${origin}, 2, 3)
    when 'mem' then ${actorName(idOf(origin))}
    when 'src' then (select named.name from ${apiKeys} as named where named.source_id = ${idOf(origin)} limit 1)
    else (select named.name from ${apiKeys} as named where named.id = ${idOf(origin)}) end`

/** JSON text; null: unknown. Only members that it has. The arguments are columns. */
export const originJson = (origin: SQL, importName: SQL) => sql`iif(${origin} is null, null, json_patch('{}',
    json_object('kind', case substr(${origin}, 1, 1) ${kinds} end, 'sourceId', ${idLike(origin, 'src')},
      'keyId', ${idLike(origin, 'key')}, 'memberId', ${idLike(origin, 'mem')}, 'import', ${importName},
      'name', ${nameOf(origin)})))`

/** Placeholder `origin`, of filterOf; null: no condition. `origin` is a column. */
export const hasOrigin = (origin: SQL) => sql`(${param('origin')} is null
    or ${param('origin')} in (substr(${origin}, 1, 1), substr(${origin}, 2)))`
