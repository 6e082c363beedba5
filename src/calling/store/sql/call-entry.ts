// What the log keeps of a call that has ended: facts of that moment, from which events are made when somebody reads
// the log (events/store/log-page.ts). The statements that end calls decide when an entry is written.
import { type SQL, sql } from 'drizzle-orm'
import { leads } from '../../../leads/store/tables.ts'
import { entryColumns } from '../../../ledger/log/append.ts'

type EndOfCall = 'call.reported' | 'call.expired' | 'call.released'

/**
 * An entry for each row of `ended`: the columns of callFacts, the `status` in which the call leaves the lead,
 * `is_end` when the call has ended the lead, `is_last_attempt` and `do_not_call`.
 */
export const callEntry = (type: EndOfCall) =>
  entryColumns({
    type,
    companyId: sql`ended.company_id`,
    campaignNumber: sql`ended.campaign_number`,
    leadSeq: sql`ended.seq`,
    data: sql`json_object(
      'claimedAtMs', ended.claimed_at_ms,
      'token', ended.token,
      'outcome', ended.outcome,
      'status', ended.status,
      'attempts', ended.attempts,
      'isLastAttempt', ended.is_last_attempt,
      'isEnd', ended.is_end,
      'doNotCall', ended.do_not_call)`,
  })

/** With `k` the call, and the lead under the name of its table. */
export const callFacts = (outcome: SQL) => sql`k.company_id, ${leads.campaignNumber} as campaign_number,
  ${leads.seq} as seq, k.claimed_at_ms, k.token, ${outcome} as outcome, ${leads.attempts} as attempts`
