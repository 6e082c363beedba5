// Calls a lead again whose person has posted again, once it has ended: not after a no or a wrong number, nor within a
// day of its end.
import { sql } from 'drizzle-orm'
import {
  type Access,
  type AccessNames,
  grantedCampaign,
  isTakingLeads,
} from '../../../base/access/store/rights.ts'
import { number, param, runBatch, statement } from '../../../base/database/database.ts'
import { calls } from '../../../base/ledger/calls/tables.ts'
import { type ActorNames, appendAlways } from '../../../base/ledger/log/append.ts'
import { hasHashes, isHashed, isPepperLost } from '../../../base/ledger/suppression/hashed-numbers.ts'
import type { NumberHashes } from '../../../base/ledger/suppression/number-hash.ts'
import { isSuppressed } from '../../../base/ledger/suppression/numbers.ts'
import { limits } from '../../../base/limits.ts'
import { requeueSteps } from '../../../queue/calling/store/requeue.ts'
import { notifyWaiting } from '../../../queue/campaigns/store/waiting.ts'
import { isFinal } from '../../../queue/leads/store/lead-status.ts'
import { isErased } from '../../../queue/leads/store/row.ts'
import { leads } from '../../../queue/leads/store/tables.ts'

const company = sql`granted.company_id`

const ended = sql`${grantedCampaign('write', isTakingLeads)} as granted
  cross join ${leads} on ${leads.campaignNumber} = granted.number
    and ${leads.phoneNumber} = ${param('phoneNumber')}
  where ${isFinal} and not ${isErased} and ${leads.leaseExpiresAtMs} is null
    and ${leads.finishedAtMs} <= ${param('nowMs')} - ${number(limits.dayMs)}
    and not exists (select 1 from ${calls} as k
      where k.company_id = granted.company_id and k.phone_number = ${leads.phoneNumber} and k.seq = ${leads.seq}
        and (k.outcome in ('not_interested', 'do_not_call', 'wrong_number') or k.do_not_call))
    and not ${isSuppressed(company, sql`${leads.phoneNumber}`, sql`granted.number`)}
    and not ${isHashed(company, sql`${param('numberHash')}`, sql`granted.number`)}
    and (not ${hasHashes(company)} or not ${isPepperLost(company)})`

const steps = [
  ...requeueSteps(ended, appendAlways),
  sql`select ${notifyWaiting(company, sql`granted.number`)} from ${grantedCampaign('write', isTakingLeads)} as granted`,
].map(statement<AccessNames | ActorNames | 'phoneNumber' | 'numberHash' | 'pepperCheck'>)

/** `guard`: before the rest of its batch. False: the source's key has no right any more. Throws DatabaseUnavailable. */
export async function requeueEnded(
  db: D1Database,
  access: Access,
  phoneNumber: string,
  hashes: NumberHashes,
  guard: D1PreparedStatement,
): Promise<boolean> {
  const { pepperCheck } = hashes
  const values = { ...access, phoneNumber, numberHash: hashes.of(phoneNumber), pepperCheck }
  const { rows } = await runBatch(db, [guard, ...steps.map((step) => step(db, values))])
  // The campaign's, which only a key with its right reads.
  return rows.at(-1)?.length === 1
}
