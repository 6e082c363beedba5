// A company's own store: a Durable Object with the tables of D1, which runs the same statements. It does by its alarm
// what the cron does for D1. What it is asked for arrives as batches (database/company-store.ts).
import { DurableObject } from 'cloudflare:workers'
import { databaseOf, type SentStatement, type StatementResult } from '../database/company-store.ts'
import { storeNotMigrated } from '../database/database.ts'
import { changesOf, runInTransaction } from '../database/object-database.ts'
import { migrateObject } from '../database/object-migrations.ts'
import { limits } from '../limits.ts'
import { workByTheMinute } from './jobs.ts'
import { nextWorkMs } from './store/next-work.ts'

export class CompanyStore extends DurableObject<Env> {
  #isMigrated = false
  /** When the alarm is set for; undefined: not read yet. */
  #alarmAtMs: number | null | undefined = undefined

  /** One transaction. Within a minute after a write, the alarm looks what there is to do. */
  async batch(statements: readonly SentStatement[]): Promise<readonly StatementResult[]> {
    const results = this.#run(statements)
    if (changesOf(results) > 0) await this.#wakeBy(Date.now() + limits.minuteMs)
    return results
  }

  /** The platform gives up on an alarm that throws. */
  override async alarm(): Promise<void> {
    this.#alarmAtMs = null
    let nextMs: number | null = Date.now() + limits.minuteMs
    try {
      const { databaseSize } = this.ctx.storage.sql
      await workByTheMinute(this.#env(), (work) => this.ctx.waitUntil(work), databaseSize)
      nextMs = await nextWorkMs(this.#env().DB, Date.now())
    } catch (error) {
      console.error({ event: 'company_alarm_failed', fault: (error as Error).name })
    }
    if (nextMs !== null) await this.#wakeBy(nextMs)
  }

  #run(statements: readonly SentStatement[]): StatementResult[] {
    this.#migrate()
    return runInTransaction(this.ctx.storage, statements)
  }

  /** At the start, so before the first statement. Each call tries again: a deploy may have repaired it. */
  #migrate(): void {
    if (this.#isMigrated) return
    try {
      migrateObject(this.ctx.storage)
      this.#isMigrated = true
    } catch (error) {
      // A migration holds no data of the company.
      console.error({
        event: 'company_not_migrated',
        store: this.ctx.id.name,
        fault: (error as Error).message,
      })
      throw new Error(storeNotMigrated)
    }
  }

  /** For work of its own: the statements do not leave the object. */
  #env() {
    const DB = databaseOf(async (statements) => this.#run(statements))
    return { ...this.env, DB, storeName: this.ctx.id.name ?? null }
  }

  async #wakeBy(atMs: number): Promise<void> {
    this.#alarmAtMs ??= await this.ctx.storage.getAlarm()
    if (this.#alarmAtMs !== null && this.#alarmAtMs <= atMs) return
    this.#alarmAtMs = atMs
    await this.ctx.storage.setAlarm(atMs)
  }
}
