// What the log says of a call that has ended: facts of that moment, from which its events are told whenever somebody
// asks (log-page.ts reads them). When an entry is written is decided by the statements that end calls.
import { type SQL, sql } from 'drizzle-orm'
import { leads } from '../../../leads/store/tables.ts'
import { entryColumns } from '../../../ledger/log/append.ts'

type EndOfCall = 'call.reported' | 'call.expired' | 'call.released'

/**
 * An entry for each row of `told`: with the columns of callFacts, and `status` as the call leaves the lead, `is_end` when
 * it has ended it, `is_last_attempt` and `do_not_call`.
 */
export const callEntry = (type: EndOfCall) =>
  entryColumns({
    type,
    companyId: sql`told.company_id`,
    campaignNumber: sql`told.campaign_number`,
    leadSeq: sql`told.seq`,
    data: sql`json_object('claimedAtMs', told.claimed_at_ms, 'token', told.token, 'outcome', told.outcome,
      'status', told.status, 'attempts', told.attempts, 'isLastAttempt', told.is_last_attempt, 'isEnd', told.is_end,
      'doNotCall', told.do_not_call)`,
  })

/** With `k` the call, and the lead under the name of its table. */
export const callFacts = (outcome: SQL) => sql`k.company_id, ${leads.campaignNumber} as campaign_number,
  ${leads.seq} as seq, k.claimed_at_ms, k.token, ${outcome} as outcome, ${leads.attempts} as attempts`
