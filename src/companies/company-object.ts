// A company's own store: a Durable Object with the tables of D1, which runs the same statements. It does by its alarm
// what the cron does for D1. What it is asked for arrives as batches (database/company-store.ts).
import { DurableObject } from 'cloudflare:workers'
import { databaseOf, type SentStatement, type StatementResult } from '../database/company-store.ts'
import { runJobs } from '../database/cron-jobs.ts'
import { storeNotMigrated } from '../database/database.ts'
import { changesOf, runInTransaction } from '../database/object-database.ts'
import { lastApplied, migrateObject } from '../database/object-migrations.ts'
import { limits } from '../limits.ts'
import { type Restore, tendCompany } from './carry-out.ts'
import { workByTheMinute } from './jobs.ts'
import { restoreStore } from './restore-store.ts'
import { nextWorkMs } from './store/next-work.ts'
import { countLeads, noteState } from './store/states.ts'

/** When it last noted its state in D1, and which migration. */
type Noted = { readonly atMs: number; readonly lastMigration: string }
const notedKey = 'noted'

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
    await runJobs({ noting: () => this.#noteByTheHour() })
  }

  /** For the cron (tend-stores.ts): carries out what the operator requests, and notes its state. */
  async tend(companyId: string): Promise<void> {
    this.#migrate()
    const { DB: directory } = this.env
    const own = databaseOf((statements) => this.batch(statements))
    const restore: Restore = (pending) => restoreStore(this.ctx, directory, pending)
    await tendCompany({ directory, own, store: this.ctx.id.name ?? null, restore }, companyId)
    await this.#noteState()
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

  /** At most once an hour, unless it has migrated. */
  async #noteByTheHour(): Promise<void> {
    const noted = this.ctx.storage.kv.get<Noted>(notedKey)
    const isRecent = noted !== undefined && Date.now() < noted.atMs + limits.hourMs
    if (!isRecent || noted.lastMigration !== lastApplied(this.ctx.storage)) await this.#noteState()
  }

  async #noteState(): Promise<void> {
    const { storage, id } = this.ctx
    const [atMs, lastMigration] = [Date.now(), lastApplied(storage)]
    const state = {
      sizeBytes: storage.sql.databaseSize,
      leads: await countLeads(this.#env().DB),
      lastMigration,
    }
    await noteState(this.env.DB, id.name ?? '', state, atMs)
    storage.kv.put<Noted>(notedKey, { atMs, lastMigration })
  }

  async #wakeBy(atMs: number): Promise<void> {
    this.#alarmAtMs ??= await this.ctx.storage.getAlarm()
    if (this.#alarmAtMs !== null && this.#alarmAtMs <= atMs) return
    this.#alarmAtMs = atMs
    await this.ctx.storage.setAlarm(atMs)
  }
}
