// A company's own store: a Durable Object with the tables of D1, which runs the same statements. It does by its alarm
// what the cron does for D1. What it is asked for arrives as batches (base/database/company-store.ts).
import { DurableObject } from 'cloudflare:workers'
import { enterCompany } from '../../base/access/store/companies.ts'
import { findCompany } from '../../base/access/store/directory.ts'
import { armAlarm, dueSince, noteDone, replaceAlarm } from '../../base/alarm.ts'
import { bundledMigrations, type Migrations } from '../../base/database/bundled-migrations.ts'
import {
  databaseOf,
  nameBeside,
  type SentStatement,
  type StatementResult,
  storeStub,
} from '../../base/database/company-store.ts'
import { runJobs } from '../../base/database/cron-jobs.ts'
import {
  problemOf,
  storeBehind,
  storeFrozen,
  storeMoved,
  storeNotMigrated,
  storeRestoring,
} from '../../base/database/database.ts'
import { changesOf, runInTransaction } from '../../base/database/object-database.ts'
import { lastApplied, migrateObject } from '../../base/database/object-migrations.ts'
import { limits } from '../../base/limits.ts'
import { alertStalledStore } from '../alerts/alert-cron.ts'
import { enterMembersAgain } from '../members/enter-again.ts'
import { workByTheMinute } from './jobs.ts'
import type { KeptRows } from './keep-rows.ts'
import { heldBatches } from './move/held-batches.ts'
import { endIfStuck, type MovingStore, moveGoesOnMs, runMove, type StoreState } from './move/run-move.ts'
import {
  type Beside,
  isUnderWay,
  type Restorable,
  type RestoreRequest,
  type RestoreResult,
  type RestoreState,
  Restoring,
  storeRestored,
} from './restore-store.ts'
import { nextWorkMs } from './store/next-work.ts'
import { noteState } from './store/states.ts'

/** When it last noted its state in D1, and which migration. */
type Noted = { readonly atMs: number; readonly lastMigration: string }
const notedKey = 'noted'

/** The names of its values beside the tables. */
const stateKey = 'state'
const movingKey = 'moving'
const openSinceKey = 'openSince'
const retainingKey = 'retaining'
/** Those of an object beside a store. */
const restoreKey = 'restore'
const keptKeys = 'kept:'
/** From the last step on. A restore of a store continues by itself. */
const keptForD1Ms = 7 * 24 * limits.hourMs
const isOfD1 = ({ companyId }: RestoreState) => companyId === ''

/** How long one alarm runs. The next one follows at once. */
const moveRunMs = 20_000
const moveRetryMs = 2_000

export class CompanyStore extends DurableObject<Env> {
  /** The last migration that it has applied. Undefined: not looked yet. */
  #applied: string | undefined = undefined
  #state: StoreState | undefined = undefined
  readonly #held = heldBatches(this.ctx.storage, (statements) => this.#run(statements))
  #restoring = new Restoring(() => this.#asRestorable())

  /** One transaction. Within a minute after a write, the alarm looks what there is to do. */
  async batch(statements: readonly SentStatement[], lastMigration = ''): Promise<readonly StatementResult[]> {
    if (await this.#restoring.isUnderWay()) {
      await this.#wakeBy(Date.now())
      throw new Error(storeRestoring)
    }
    const state = this.#readState()
    if (state === 'moved' || state === 'receiving') throw new Error(storeMoved)
    if (this.#migrate() < lastMigration) throw new Error(storeBehind)
    const results = state === 'frozen' ? this.#held.tryOut(statements) : this.#run(statements)
    if (changesOf(results) === 0) return results
    if (state === 'frozen') throw new Error(storeFrozen)
    await this.#wakeBy(Date.now() + limits.minuteMs)
    return results
  }

  async hold(statements: readonly SentStatement[]): Promise<readonly StatementResult[]> {
    if (this.#readState() !== 'frozen' || (await this.#restoring.isUnderWay())) return this.batch(statements)
    return this.#held.hold(statements)
  }

  /** Brings those that this version of the object does not know. */
  async migrate(migrations: Migrations): Promise<void> {
    this.#applied = undefined
    this.#migrate(migrations)
  }

  /** The platform gives up on an alarm that throws. */
  override async alarm(): Promise<void> {
    noteDone(this.ctx.storage)
    const beside = await this.readRestore()
    if (beside !== null) return this.#forgetKept(beside)
    if (!(await this.#hasRestored())) return
    await this.#move()
    if (this.#readState() !== 'open') return
    let nextMs: number | null = Date.now() + limits.minuteMs
    try {
      const { sql, kv } = this.ctx.storage
      const later = (work: Promise<void>) => this.ctx.waitUntil(work)
      const left = kv.get<number[]>(retainingKey) ?? []
      const isLeft = await workByTheMinute(this.#env(), later, sql.databaseSize, left)
      if (isLeft.length > 0 || left.length > 0) kv.put(retainingKey, isLeft)
      if (isLeft.length === 0) nextMs = await nextWorkMs(this.#env().DB, Date.now())
    } catch (error) {
      console.error({ event: 'company_alarm_failed', problem: (error as Error).name })
    }
    if (nextMs !== null) await this.#wakeBy(nextMs)
    await runJobs({ noting: () => this.#noteByTheHour() })
  }

  /**
   * For the cron (tend-stores.ts): enters its company, which D1 has, applies migrations, and notes its state. `isLook`:
   * sees only whether its alarm is as it should be.
   */
  async tend(companyId: string, isLook = false): Promise<void> {
    if (isLook) return this.#lookAtAlarm(companyId)
    if (!(await this.#restoring.goOn())) throw new Error(storeRestoring)
    this.#migrate()
    const company = await findCompany(this.env.DB, companyId)
    if (company === null || company.store !== this.ctx.id.name) return
    await enterCompany(this.#env().DB, company)
    await enterMembersAgain(this.env, this.#env().DB, companyId)
    await this.#noteState()
    // A restore may have lost it.
    await this.#wakeBy(Date.now() + limits.minuteMs)
  }

  /** A store that restores, or whose company moves, sets its alarm itself, so here it is only late. */
  async #lookAtAlarm(companyId: string): Promise<void> {
    const isBusy = (await this.#restoring.isUnderWay()) || this.#readState() !== 'open'
    const [nowMs, own] = [Date.now(), this.#env()]
    const nextMs = isBusy ? nowMs : await nextWorkMs(own.DB, nowMs)
    const atMs = nextMs ?? (await this.ctx.storage.getAlarm())
    if (atMs !== null) await this.#wakeBy(atMs)
    const sinceMs = dueSince(this.ctx.storage)
    if (sinceMs !== null && !isBusy) await alertStalledStore(own, companyId, sinceMs, nowMs)
  }

  /**
   * Ends the object once on its way, by an error with storeRestored, and fails with storeRestoring where it takes
   * longer: the same request continues with it.
   */
  async restore(request: RestoreRequest): Promise<RestoreResult> {
    if (!(await this.#restoring.goOn())) throw new Error(storeRestoring)
    const state = this.#readState()
    if (state !== 'open')
      throw new Error(state === 'moved' || state === 'receiving' ? storeMoved : storeFrozen)
    this.#migrate()
    const result = await this.#restoring.carryOut(request)
    // A restore may have lost it.
    await this.#wakeBy(Date.now() + limits.minuteMs)
    return result
  }

  /** As the object beside a store: `Beside`. */
  async readRestore(): Promise<RestoreState | null> {
    return this.ctx.storage.kv.get<RestoreState>(restoreKey) ?? null
  }

  async writeRestore(state: RestoreState, kept?: KeptRows): Promise<void> {
    const { kv } = this.ctx.storage
    kv.put(restoreKey, state)
    if (kept !== undefined) kv.put(`${keptKeys}${state.kept - 1}`, kept)
    if (isUnderWay(state)) {
      if (isOfD1(state)) await replaceAlarm(this.ctx.storage, Date.now() + keptForD1Ms)
      return
    }
    // Some at a time: all of a large company do not fit into memory.
    const some = () => [...kv.list({ prefix: keptKeys, limit: 16 })]
    for (let found = some(); found.length > 0; found = some()) for (const [key] of found) kv.delete(key)
  }

  async readKept(index: number): Promise<KeptRows> {
    return this.ctx.storage.kv.get<KeptRows>(`${keptKeys}${index}`) as KeptRows
  }

  /** Carries out the move of its company, by its alarm. */
  async move(companyId: string): Promise<void> {
    this.ctx.storage.kv.put(movingKey, companyId)
    await this.#wakeBy(Date.now())
  }

  /**
   * What was kept for a restore of D1 that nobody has made: it holds numbers of people who may be erased since. No
   * restore finds it any more, by whatever time.
   */
  async #forgetKept(state: RestoreState): Promise<void> {
    if (isOfD1(state) && isUnderWay(state))
      await this.writeRestore({ ...state, toMs: 0, phase: 'done', kept: 0, written: 0 })
  }

  #asRestorable(): Restorable {
    const { storage } = this.ctx
    return {
      beside: storeStub(this.env, nameBeside(this.ctx.id.name ?? '')) as unknown as Beside,
      own: this.#env().DB,
      pepper: this.env.SUPPRESSION_PEPPER,
      storage,
      abort: (reason) => this.ctx.abort(reason),
      openSinceMs: storage.kv.get<number>(openSinceKey) ?? null,
    }
  }

  /** False: a restore is not done yet, and the alarm continues it. Never throws. */
  async #hasRestored(): Promise<boolean> {
    try {
      if (await this.#restoring.goOn()) return true
      await this.#wakeBy(Date.now())
    } catch (error) {
      const { name, message } = error as Error
      if (!message.includes(storeRestored))
        console.error({ event: 'company_restore_failed', store: this.ctx.id.name, problem: name })
      await this.#wakeBy(Date.now() + moveRetryMs)
    }
    return false
  }

  async #move(): Promise<void> {
    const companyId = this.ctx.storage.kv.get<string>(movingKey)
    if (companyId === undefined) return
    await this.#wakeBy(Date.now() + moveGoesOnMs)
    const nextMs = await this.#runMove(companyId)
    if (nextMs === null) await this.ctx.storage.deleteAlarm()
    else await replaceAlarm(this.ctx.storage, nextMs)
  }

  /** Returns when to continue; null: it has ended. Never throws. */
  async #runMove(companyId: string): Promise<number | null> {
    try {
      const atMs = await runMove(this.env, this.#asMoving(), companyId, Date.now() + moveRunMs)
      if (atMs === null) this.ctx.storage.kv.delete(movingKey)
      return atMs
    } catch (error) {
      const problem = problemOf(error)
      console.error({ event: 'company_move_failed', store: this.ctx.id.name, problem })
      const reason = `it failed for ten minutes: ${problem}`
      await endIfStuck(this.env.DB, companyId, problem, reason).catch(() => {})
      return Date.now() + moveRetryMs
    }
  }

  #asMoving(): MovingStore {
    const { storage, id } = this.ctx
    return {
      name: id.name ?? '',
      db: this.#env().DB,
      state: () => this.#readState(),
      setState: (state) => {
        const hasArrived = this.#readState() === 'ready'
        storage.transactionSync(() => {
          storage.kv.put(stateKey, state)
          if (state !== 'open') return
          if (hasArrived) storage.kv.put(openSinceKey, Date.now())
          this.#held.carryOut()
        })
        this.#state = state
      },
      releaseTo: this.#held.releaseTo,
      clear: async () => {
        await storage.deleteAll()
        this.#state = undefined
        this.#applied = undefined
      },
    }
  }

  #readState(): StoreState {
    this.#state ??= this.ctx.storage.kv.get<StoreState>(stateKey) ?? 'open'
    return this.#state
  }

  #run(statements: readonly SentStatement[]): StatementResult[] {
    this.#migrate()
    return runInTransaction(this.ctx.storage, statements)
  }

  /**
   * At the start, so before the first statement, and outside of its transaction. Each call tries again: a deploy may
   * have repaired it. Returns the last one that is applied.
   */
  #migrate(migrations = bundledMigrations): string {
    try {
      this.#applied ??= migrateObject(this.ctx.storage, migrations)
      return this.#applied
    } catch (error) {
      // A migration holds no data of the company.
      console.error({
        event: 'company_not_migrated',
        store: this.ctx.id.name,
        problem: (error as Error).message,
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
    const state = { store: id.name ?? '', sizeBytes: storage.sql.databaseSize, lastMigration }
    await noteState(this.env.DB, this.#env().DB, state, atMs)
    storage.kv.put<Noted>(notedKey, { atMs, lastMigration })
  }

  #wakeBy(atMs: number): Promise<void> {
    return armAlarm(this.ctx.storage, atMs)
  }
}
