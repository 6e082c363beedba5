// What a Worker sends to a company's own store, with the migrations that it needs. Node cannot load those: the command
// line imports nothing from here.
import { bundledMigrations, type Migrations } from './bundled-migrations.ts'
import { type CompanyEnv, type CompanyStore, databaseOf, type SendBatch, storeStub } from './company-store.ts'
import { storeBehind, storeFrozen } from './database.ts'

/**
 * After a deployment an object runs the version before for a while. The Worker brings it the migrations that its
 * statements need. `stub` makes one for each call, since one that has failed stays broken.
 */
export const sendTo = (
  stub: () => Pick<CompanyStore, 'batch' | 'migrate'>,
  migrations: Migrations = bundledMigrations,
): SendBatch => {
  const last = migrations.at(-1)?.[0]
  return async (statements) => {
    try {
      return await stub().batch(statements, last)
    } catch (error) {
      if (!(error as Error).message.includes(storeBehind)) throw error
      await stub().migrate(migrations)
      return stub().batch(statements, last)
    }
  }
}

/** What a store refuses because a move has frozen it, it holds until the move has ended: for revocations. */
export function dbThatHolds(env: Env, storeName: string): D1Database {
  const send = sendTo(() => storeStub(env, storeName))
  return databaseOf(async (statements) => {
    try {
      return await send(statements)
    } catch (error) {
      if (!(error as Error).message.includes(storeFrozen)) throw error
      return storeStub(env, storeName).hold(statements)
    }
  })
}

/** Null: the company is in D1 itself. */
export function envOfStore(env: Env, storeName: string | null): CompanyEnv {
  if (storeName === null) return env
  const DB = databaseOf(sendTo(() => storeStub(env, storeName)))
  return { ...env, DB, storeName }
}
