// Enters the members of a store of its own in the directory, and takes out those that were removed: a restore of D1 may
// have taken both back.
import { enterMembers, leaveDirectory } from '../../base/access/store/directory.ts'
import { hashEmail } from './email.ts'
import { listEmails } from './store/members.ts'

/** Throws DatabaseUnavailable. */
export async function enterMembersAgain(env: Env, own: D1Database, companyId: string): Promise<void> {
  const found = await listEmails(own)
  if (found.length === 0 || !env.SUPPRESSION_PEPPER) return
  const present = found.flatMap(({ id, email }) =>
    email === null ? [] : [{ id, emailHash: hashEmail(env.SUPPRESSION_PEPPER, email) }],
  )
  const removed = found.flatMap(({ id, email }) => (email === null ? [id] : []))
  await enterMembers(env.DB, companyId, present)
  await leaveDirectory(env.DB, companyId, removed)
}
