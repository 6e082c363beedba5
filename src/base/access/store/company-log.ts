// Statements on the log's columns of a company: since when somebody listens, and its epochs. Other areas run them in
// their own batches.
import { type SQL, sql } from 'drizzle-orm'
import { param } from '../../database/database.ts'
import { companies, frozen, refuseAs } from './tables.ts'

/** Somebody reads the company's log, so leads and calls are logged. */
export const isListenedTo = sql`${companies.listensSinceMs} is not null`

/** The same of the company with this id. */
export const isLogRead = (companyId: SQL) => sql`exists (select 1 from ${companies}
  where ${companies.id} = ${companyId} and ${isListenedTo})`

/**
 * Starts logging leads and calls, and fails where a move has frozen a company whose log was not read before: it would
 * miss what follows the answer. `companyIds` selects ids. Placeholder `nowMs`.
 */
export const startListening = (companyIds: SQL) => sql`update ${companies}
  set listens_since_ms = ${param('nowMs')}
  where ${companies.id} in (${companyIds})
    and iif(${isListenedTo}, 0, iif(${companies.frozenAtMs} is null, 1, ${refuseAs(frozen)}))`

/** `begun` is a table expression with `company_id` and `epoch`, JSON text. */
export const appendEpoch = (begun: SQL, condition: SQL) => sql`update ${companies}
  set log_epochs = json_insert(${companies.logEpochs}, '$[#]', json(begun.epoch))
  from ${begun} as begun
  where begun.company_id = ${companies.id} and ${condition}`
