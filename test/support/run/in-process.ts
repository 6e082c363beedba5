// What tests find in the place of workerd's modules when all that they need of it is a database: SQLite in this
// process, which is ten times as fast. Anything else of workerd is missing, and fails.
import { createFastDatabase } from '../database/fast-database.ts'

const fail = () => {
  throw new Error('There is no workerd in this process')
}

export const env = {
  DB: createFastDatabase(':memory:').db,
  TEST_STORE: 'shared',
  RATE_LIMITER: { getByName: fail },
}
