// What the end of a call writes: its row, and what the log keeps of it, facts of that moment, from which events are
// made when somebody reads the log (channels/events/store/log-page.ts). The statements that end calls decide when an
// entry is written.
import { type SQL, sql } from 'drizzle-orm'
import { calls } from '../../../../base/ledger/calls/tables.ts'
import { entryColumns } from '../../../../base/ledger/log/append.ts'
import { leads } from '../../../leads/store/tables.ts'
import { callDetails } from '../tables.ts'

type EndOfCall = 'call.reported' | 'call.expired' | 'call.released'

/**
 * An entry for each row of `ended`: the columns of callFacts, the `status` in which the call leaves the lead,
 * `is_end` when the call has ended the lead, `is_last_attempt` and `do_not_call`.
 */
export const callEntry = (type: EndOfCall) =>
  entryColumns({
    type: type === 'call.expired' ? sql`iif(ended.is_inbound, 'call.released', 'call.expired')` : type,
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
      'doNotCall', ended.do_not_call${
        type === 'call.reported' ? sql`, 'consentId', ended.consent_id, 'isInbound', ended.is_inbound` : sql``
      })`,
  })

/** With `k` the call, and the lead under the name of its table. */
export const callFacts = (
  outcome: SQL,
  attempts = sql`${leads.attempts}`,
) => sql`k.company_id, ${leads.campaignNumber} as campaign_number, ${leads.seq} as seq, k.claimed_at_ms, k.token,
  ${outcome} as outcome, ${attempts} as attempts, k.inbound is not null as is_inbound`

/** Sets columns of calls. `found` is a select of their keys, and of what `columns` sets from it as `found`. */
export const updateCalls = (columns: SQL, found: SQL) => sql`update ${calls}
  set ${columns}
  from (select * from (${found}) limit -1) as found
  where ${calls.companyId} = found.company_id
    and ${calls.phoneNumber} = found.phone_number
    and ${calls.claimedAtMs} = found.claimed_at_ms
    and ${calls.seq} = found.seq`

/** The key of a call, as `updateCalls` needs it. */
export const callKeyColumns = sql`k.company_id, k.phone_number, k.claimed_at_ms, k.seq`

/** Deletes those of erased leads. `seqs` is a select of their places. */
export const deleteDetails = (seqs: SQL) =>
  sql`delete from ${callDetails} where ${callDetails.seq} in (${seqs})`
