// What the log says of a call that has ended: facts of that moment, from which its events are told whenever somebody
// asks (log-page.ts reads them). When an entry is written is decided by the statements that end calls.
import { type SQL, sql } from 'drizzle-orm'
import { entryColumns } from '../../events/store/log.ts'
import { leads } from '../../leads/store/tables.ts'

type EndOfCall = 'call.reported' | 'call.expired' | 'call.released'

/** An entry for each row of `told`, whose columns are callFacts. */
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

/** With `k` the call, `s` the settings, and the lead under the name of its table. `status`: as the call leaves it. */
export const callFacts = (facts: {
  outcome: SQL
  isEnd: SQL
  status?: SQL
  doNotCall?: SQL
}) => sql`k.company_id,
  ${leads.campaignNumber} as campaign_number, ${leads.seq} as seq, k.claimed_at_ms, k.token,
  ${facts.outcome} as outcome, ${facts.status ?? sql`${leads.status}`} as status, ${leads.attempts} as attempts,
  k.attempt - ${leads.attemptsForgiven} >= s.max_attempts as is_last_attempt,
  ${facts.isEnd} as is_end, ${facts.doNotCall ?? sql`0`} as do_not_call`
