// A company's own database: a Durable Object with the tables of D1.
import { DurableObject } from 'cloudflare:workers'
import { bundledMigrations } from '../database/bundled-migrations.ts'
import type { SentStatement, StatementResult } from '../database/company-store.ts'
import { runInTransaction } from '../database/object-database.ts'

export class CompanyStore extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    ctx.storage.sql.exec('create table if not exists d1_migrations (name text primary key)')
    const applied = new Set([...ctx.storage.sql.exec('select name from d1_migrations')].map((r) => r.name))
    for (const [name, text] of bundledMigrations) {
      if (applied.has(name)) continue
      ctx.storage.transactionSync(() => {
        ctx.storage.sql.exec(text)
        ctx.storage.sql.exec('insert into d1_migrations values (?)', name)
      })
    }
  }

  async batch(statements: readonly SentStatement[]): Promise<readonly StatementResult[]> {
    return runInTransaction(this.ctx.storage, statements)
  }
}
