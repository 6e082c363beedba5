// Enters the members of a store of its own in the directory, which a restore of D1 may have taken back.
import { enterMembers } from '../access/store/directory.ts'
import { hashEmail } from './email.ts'
import { listEmails } from './store/emails.ts'

/** Throws DatabaseUnavailable. */
export async function enterMembersAgain(env: Env, own: D1Database, companyId: string): Promise<void> {
  const found = await listEmails(own)
  if (found.length === 0 || !env.SUPPRESSION_PEPPER) return
  const entries = found.map(({ id, email }) => ({ id, emailHash: hashEmail(env.SUPPRESSION_PEPPER, email) }))
  await enterMembers(env.DB, companyId, entries)
}
