// Makes a session of a member, in the store of the company: there alone it is known who is one.
import { sql } from 'drizzle-orm'
import type { KeyMaterial } from '../../../base/access/api-key.ts'
import { changeMembers, endOldest, insertSession } from '../../../base/access/store/sessions.ts'
import { apiKeys, companies, mayOperate, members } from '../../../base/access/store/tables.ts'
import { param, runSteps, statement } from '../../../base/database/database.ts'
import { logMember } from '../../keys/store/created-members.ts'

const member = sql`select m.* from ${companies}
  cross join ${members} as m on m.company_id = ${companies.id}
  where ${companies.id} = ${param('companyId')} and m.email = ${param('email')} and m.removed_at_ms is null
    and ${mayOperate}`

/** Once for a session, also when a try is repeated. */
const signedIn = sql`select m.* from (${member}) as m
  where not exists (select 1 from ${apiKeys} as made where made.id = ${param('keyId')})`

const steps = [
  logMember('member.signed_in', signedIn, sql``, {
    actor: sql`found.data ->> 'memberId'`,
    requestId: sql`null`,
  }),
  insertSession(member),
  endOldest(member),
  changeMembers(sql`signed_in_at_ms = ${param('nowMs')}`, member),
  sql`select m.id from (${member}) as m`,
].map(statement<'companyId' | 'email' | 'keyId' | 'hash' | 'nowMs' | 'endsAtMs'>)

type SignIn = {
  readonly companyId: string
  /** In lower case. */
  readonly email: string
  readonly nowMs: number
  readonly endsAtMs: number
}

/** False: the company has no such member. Throws DatabaseUnavailable. */
export async function signIn(
  db: D1Database,
  { id: keyId, hash }: Pick<KeyMaterial, 'id' | 'hash'>,
  wanted: SignIn,
): Promise<boolean> {
  const { rows } = await runSteps(db, steps, { ...wanted, keyId, hash })
  return rows.at(-1)?.length === 1
}
