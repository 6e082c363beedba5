// One Durable Object for each webhook: sends the events of its company's log, in order while the receiver is well, and
// those of one lead in order always. It is woken when something was logged, and by the cron when it lags. It sends at
// once, and has an alarm only for what is left: a sender that dies before has not passed what it sent, and is found by
// the cron. The alarm never throws, since the platform gives up on one that does. At least once: an event that was sent
// but not recorded is sent again, with the same id. The work itself is in sender-steps.ts.
import { DurableObject } from 'cloudflare:workers'
import { armAlarm, dueSince, noteDone, noteDue, replaceAlarm } from '../../base/alarm.ts'
import { envOfStore } from '../../base/database/company-env.ts'
import { problemOf } from '../../base/database/database.ts'
import { type LogEnd, newestEpoch } from '../../base/ledger/log/epochs.ts'
import { lastPart } from '../events/event.ts'
import { resetBackoff } from './follow-database.ts'
import { conditionOf, failingSince, maxAttempts, takesNew, troubleDelayMs } from './retry-schedule.ts'
import { firstState, type Memory, passedNumber, type SenderState } from './sender-state.ts'
import { type Step, takeStep } from './sender-steps.ts'
import type { WebhookPage } from './store/pending-events.ts'
import { type Delivery, openMemory } from './store/sender-memory.ts'
import { givenUpPerNote, noteSender } from './store/sending.ts'
import { wakeSenders } from './wake-senders.ts'

/** How long one alarm runs, which the platform ends after 15 minutes. The next alarm follows at once. */
const runMaxMs = 25_000
/** A sender that may not send checks at most this often whether its webhook was changed. */
const idleWakeMs = 10_000

export class WebhookSender extends DurableObject<Env> {
  #opened: Memory | null = null
  #running: Promise<void> | null = null
  #wasWoken = false
  #isOutdated = false
  #lastRunMs = 0
  readonly #pace = { nextMs: 0 }
  /** Raised by removal and replay: attempts under way are no longer recorded. */
  #generation = 0

  get #memory(): Memory {
    this.#opened ??= openMemory(this.ctx.storage, firstState)
    return this.#opened
  }

  /** There may be something to send, unless the sender has passed `end`. Returns what `passed` does. */
  async wake(
    webhookId: string,
    end: LogEnd | null = null,
    storeName: string | null = null,
  ): Promise<number | null> {
    this.#follow(webhookId, storeName)
    const passed = end && (await this.passed(end))
    if (passed !== null && passed === end?.head) await this.#wakeForParked()
    else if (this.#isPlain()) this.#sendNow()
    else await this.#wakeForNew()
    return passed
  }

  #follow(webhookId: string, storeName: string | null): void {
    const { state } = this.#memory
    if (state.webhookId !== webhookId || state.storeName !== storeName) this.#note({ webhookId, storeName })
  }

  /** Nothing is left of earlier runs, which a sender that died would have to do. */
  #isPlain(): boolean {
    const { state } = this.#memory
    const isWell = conditionOf(state) === 'well' && state.pausedUntilMs <= Date.now() && state.troubles === 0
    return isWell && !state.isCatchingUp && !this.#memory.hasParked()
  }

  /** Nobody waits for it. */
  #sendNow(): void {
    this.#wasWoken = true
    if (this.#running === null) this.ctx.waitUntil(this.#work(false))
  }

  /** The last entry that the sender has passed. Null: it has not begun, or has not seen a restore yet. */
  async passed({ head, epoch }: LogEnd): Promise<number | null> {
    const { state } = this.#memory
    const passed = passedNumber(state)
    return passed === null || passed > head || newestEpoch(state.epochs) !== epoch ? null : passed
  }

  /** Since when its work is due; null: it is done, or waits for its time. */
  async dueSince(): Promise<number | null> {
    return dueSince(this.ctx.storage)
  }

  async #wakeForNew(): Promise<void> {
    this.#wasWoken = true
    if (this.#running !== null) return
    const nowMs = Date.now()
    const { state } = this.#memory
    const mayNotSend = !takesNew(state) || state.pausedUntilMs > nowMs
    await this.#wakeAt(mayNotSend ? Math.max(nowMs, this.#lastRunMs + idleWakeMs) : nowMs)
  }

  /** After a new URL, or when the webhook was enabled: sends now. */
  async resetBackoff(webhookId: string, storeName: string | null = null): Promise<void> {
    resetBackoff(this.#memory, Date.now())
    this.#follow(webhookId, storeName)
    await this.#wakeForNew()
  }

  /** What it has read may be no longer so: nothing more of it is sent. */
  async readAgain(): Promise<void> {
    this.#isOutdated = true
  }

  /** Moves the cursor back to before an entry, never forward. */
  async replay(webhookId: string, firstNumber: number, storeName: string | null = null): Promise<void> {
    const { cursor } = this.#memory.state
    this.#generation++
    // The replay sends the parked ones among them.
    this.#memory.unparkFrom(firstNumber)
    if (cursor === null || cursor.number >= firstNumber)
      this.#note({ webhookId, cursor: { number: firstNumber - 1, part: lastPart } })
    this.#follow(webhookId, storeName)
    await this.#wakeForNew()
  }

  /** The newest first. */
  listDeliveries(max: number): readonly Delivery[] {
    return this.#memory.listDeliveries(max)
  }

  async remove(): Promise<void> {
    this.#generation++
    this.#opened = null
    await this.ctx.storage.deleteAll()
  }

  override async alarm(): Promise<void> {
    while (this.#running !== null) await this.#running
    await this.#work(true)
  }

  /**
   * One at a time. The platform repeats an alarm that dies: any other run sets one in the write that leaves something.
   */
  #work(isAlarm: boolean): Promise<void> {
    this.#lastRunMs = Date.now()
    let hasAlarm = isAlarm
    const onLeft = (atMs: number) => {
      if (!hasAlarm) void replaceAlarm(this.ctx.storage, atMs)
      hasAlarm = true
    }
    this.#running = this.#run(this.#lastRunMs + runMaxMs, onLeft)
      .then(() => noteDone(this.ctx.storage))
      .catch((error: unknown) => this.#backOff(error))
      .finally(() => {
        this.#running = null
      })
    return this.#running
  }

  async #run(endsAtMs: number, onLeft: (atMs: number) => void): Promise<void> {
    if (!this.env.WEBHOOK_ROOT) throw new SecretMissing()
    let step: Step
    do {
      this.#wasWoken = false
      this.#isOutdated = false
      const generation = this.#generation
      const isStale = () => generation !== this.#generation
      const isOutdated = () => this.#isOutdated
      const run = { env: this.env, memory: this.#memory, isStale, isOutdated, endsAtMs, onLeft }
      step = await takeStep({ ...run, pace: this.#pace })
    } while ((step.kind === 'more' || this.#wasWoken) && Date.now() < endsAtMs)
    // Its company moves, or D1 was restored: only a DELETE removes what it remembers.
    if (step.kind === 'missing') return
    await this.#noteHealth(step.page)
    if (this.#memory.state.troubles > 0) this.#note({ troubles: 0 })
    if (step.kind === 'disabled') return
    if (step.kind === 'more' || this.#wasWoken) await this.#wakeAt(Date.now())
    else await this.#wakeForParked()
  }

  /** Saves what GET shows of the receiver's health, when it has changed. */
  async #noteHealth(page: WebhookPage): Promise<void> {
    const { state } = this.#memory
    const failingSinceMs = failingSince(state)
    let givenUp = this.#memory.listGivenUp(givenUpPerNote)
    if (givenUp.length === 0 && failingSinceMs === page.failingSinceMs) return
    do {
      const note = { webhookId: state.webhookId, failingSinceMs, givenUp }
      const env = envOfStore(this.env, state.storeName)
      await wakeSenders(env, await noteSender(env.DB, note, Date.now()))
      this.#memory.forgetGivenUp(givenUp.at(-1)?.id ?? 0)
      givenUp = this.#memory.listGivenUp(givenUpPerNote)
    } while (givenUp.length > 0)
  }

  async #wakeForParked(): Promise<void> {
    const { state } = this.#memory
    const isWell = conditionOf(state) === 'well'
    const dueAtMs = isWell ? this.#memory.nextDueAtMs() : (this.#memory.head(maxAttempts)?.dueAtMs ?? null)
    const isPaused = state.pausedUntilMs > Date.now()
    if (dueAtMs !== null || isPaused) await this.#wakeAt(Math.max(dueAtMs ?? 0, state.pausedUntilMs))
  }

  /** After a problem of ours. */
  async #backOff(error: unknown): Promise<void> {
    const { webhookId, troubles } = this.#memory.state
    console.error({ event: 'webhook_sender_failed', webhookId, problem: problemOf(error) })
    this.#note({ troubles: troubles + 1 })
    noteDue(this.ctx.storage, Date.now())
    await this.#wakeAt(Date.now() + troubleDelayMs(troubles, Math.random()))
  }

  #wakeAt(atMs: number): Promise<void> {
    return armAlarm(this.ctx.storage, atMs)
  }

  #note(change: Partial<SenderState>): void {
    this.#memory.setState({ ...this.#memory.state, ...change })
  }
}

class SecretMissing extends Error {
  override readonly name = 'SecretMissing'
}
