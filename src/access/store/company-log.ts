// What a company's row says about its log: since when somebody listens, and the epochs that restores began. Other areas run
// these statements in their own batches.
import { type SQL, sql } from 'drizzle-orm'
import { companies } from './tables.ts'

/** From now on leads and calls are logged too. `companyIds` is a select of ids. Placeholder `nowMs`. */
export const startListening = (companyIds: SQL) => sql`update ${companies}
  set listens_since_ms = ${sql.placeholder('nowMs')}
  where ${companies.id} in (${companyIds}) and ${companies.listensSinceMs} is null`

/** `begun` is a table expression with `company_id` and `epoch`, JSON text. */
export const appendEpoch = (begun: SQL, condition: SQL) => sql`update ${companies}
  set log_epochs = json_insert(${companies.logEpochs}, '$[#]', json(begun.epoch))
  from ${begun} as begun
  where begun.company_id = ${companies.id} and ${condition}`
