// One Durable Object for each campaign that has a dialer: works as an agent without a server. It is woken when a lead may have
// become callable, when its provider says that a call has changed, and each minute; between two rounds it sleeps until its
// alarm. The alarm never throws, since the platform gives up on one that does. A round is in rounds/take-round.ts.
import { DurableObject } from 'cloudflare:workers'
import { armAlarm, dueSince, noteDone, noteDue } from '../alarm.ts'
import { ringCampaigns } from '../calling/bell/ring-campaigns.ts'
import type { WaitedCampaign } from '../campaigns/waited-campaign.ts'
import { envOfStore } from '../database/company-env.ts'
import { problemOf } from '../database/database.ts'
import { collectNotices } from '../database/notices.ts'
import { numberHashes } from '../ledger/suppression/number-hash.ts'
import { withTimeLimit } from '../time-limit.ts'
import { troubleDelayMs } from '../webhooks/retry-schedule.ts'
import { wakeSenders } from '../webhooks/wake-senders.ts'
import { type DialerMemory, openDialerMemory, type Problem } from './dialer-memory.ts'
import { openSecrets } from './dialer-secrets.ts'
import { countLive, noteOf, type ShownState, showIn, shownProblem } from './dialer-status.ts'
import { locateDialer } from './locate-dialer.ts'
import { nudgeUrl } from './nudge.ts'
import { providerOf } from './provider.ts'
import { stopWithoutSecrets } from './rounds/call-steps.ts'
import { wellDialer } from './rounds/dialer-health.ts'
import { nextAskAtMs } from './rounds/follow-call.ts'
import { takeRound } from './rounds/take-round.ts'
import { type DialerToRun, deleteDialer, noteDialer } from './store/run-dialer.ts'
import { wakeDialers } from './wake-dialers.ts'

/** Moves are driven each minute. */
const heldMs = 60_000

/** Live calls wait so long for the answers to starts. */
const startsWaitMs = 2_000

export type DialerReport = ShownState & {
  readonly sinceMs: number
  readonly live: number
  readonly lastProblem: Problem | null
}

export class Dialer extends DurableObject<Env> {
  #opened: DialerMemory | null = null
  #isRunning = false
  #wasWoken = false
  #mustTidy = true

  get #memory(): DialerMemory {
    this.#opened ??= openDialerMemory(this.ctx.storage.kv)
    return this.#opened
  }

  /** There may be a lead to call, or the settings were changed. Returns since when its work is due; null: it is done. */
  async wake(campaign: WaitedCampaign, storeName: string | null): Promise<number | null> {
    const hasMoved = storeName !== this.#memory.state.storeName
    this.#memory.change({
      campaign,
      storeName,
      wantsStart: true,
      waiting: null,
      ...(hasMoved && { heldUntilMs: 0 }),
    })
    this.#wasWoken = true
    if (!this.#isRunning) await this.#wakeAt(Date.now())
    return dueSince(this.ctx.storage)
  }

  /** A move of the company is wished: nothing is claimed until it has frozen the company, or a minute is over. */
  async hold(): Promise<void> {
    const heldUntilMs = Date.now() + heldMs
    this.#memory.change({ heldUntilMs, wantsStart: true, waiting: null })
    if (!this.#isRunning) await this.#wakeAt(heldUntilMs)
  }

  /** A call may have changed. Null: any. */
  async nudge(callId: string | null): Promise<void> {
    const nowMs = Date.now()
    for (const call of this.#memory.calls) {
      if (callId !== null && call.callId !== callId) continue
      const nudged = { ...call, nudgedAtMs: nowMs }
      this.#memory.setCall(nudged)
      const atMs = nextAskAtMs(nudged)
      if (atMs !== null && !this.#isRunning) await this.#wakeAt(Math.max(atMs, nowMs))
    }
  }

  /** `version`: of the settings; newer ones end a rest and a stop, though no round has seen them yet. */
  async readState(isEnabled: boolean, version: number): Promise<DialerReport> {
    const nowMs = Date.now()
    if (version > this.#memory.state.version) this.#takeOver(version)
    const shown = showIn(this.#memory, isEnabled, nowMs)
    const { state, calls } = this.#memory
    return { ...shown, live: countLive(calls, nowMs), lastProblem: shownProblem(state, nowMs) }
  }

  override async alarm(): Promise<void> {
    const { campaign } = this.#memory.state
    if (campaign === null) return
    this.#isRunning = true
    this.#wasWoken = false
    try {
      await this.#run(campaign)
      noteDone(this.ctx.storage)
    } catch (error) {
      await this.#backOff(error)
    } finally {
      this.#isRunning = false
    }
  }

  async #run(campaign: WaitedCampaign): Promise<void> {
    const dialer = await this.#findDialer(campaign)
    if (dialer === null) return
    const memory = this.#memory
    const { storeName } = memory.state
    const env = envOfStore(this.env, storeName)
    this.#takeOver(dialer.version)
    const owner = { companyId: campaign.companyId, campaignId: dialer.campaignId }
    const secrets = openSecrets(env.WEBHOOK_ROOT, { ...dialer, ...owner }, dialer.sealedSecrets)
    if (secrets === null) stopWithoutSecrets(memory, Date.now())
    const [listeners, waiting] = [new Set<string>(), new Set<string>()]
    let nextMs: number | null
    try {
      nextMs = await takeRound({
        memory,
        campaign,
        dialer,
        db: collectNotices(env.DB, { listeners, waiting }),
        provider: providerOf(dialer, secrets ?? {}, (url, init) => fetch(url, init)),
        hashes: numberHashes(env.SUPPRESSION_PEPPER, campaign.companyId),
        now: Date.now,
        endUrl: (callId) => nudgeUrl(env.WEBHOOK_ROOT, dialer.origin, { ...campaign, callId }),
        mustTidy: this.#mustTidy,
        waitForStarts: (starts) => this.#waitForStarts(starts),
      })
      this.#mustTidy = false
    } finally {
      const notices = [...waiting]
      this.ctx.waitUntil(wakeSenders(env, [...listeners]))
      this.ctx.waitUntil(ringCampaigns(env, notices))
      this.ctx.waitUntil(wakeDialers(env, notices, campaign.number))
    }
    await this.#noteHealth(campaign, dialer, env.DB)
    if (memory.state.troubles > 0) memory.change({ troubles: 0 })
    showIn(memory, dialer.isEnabled, Date.now())
    if (dialer.isRemoved && memory.calls.length === 0) {
      await deleteDialer(env.DB, campaign, Date.now())
      return this.#forget()
    }
    if (this.#wasWoken) memory.change({ wantsStart: true, waiting: null })
    if (this.#wasWoken || nextMs !== null) await this.#wakeAt(this.#wasWoken ? Date.now() : (nextMs ?? 0))
  }

  async #waitForStarts(starts: Promise<unknown>): Promise<void> {
    let isLate = false
    const answered = starts.then(async () => {
      if (isLate && !this.#isRunning) await this.#wakeAt(Date.now())
      else if (isLate) this.#wasWoken = true
    })
    this.ctx.waitUntil(answered)
    await withTimeLimit(answered, startsWaitMs, () => new Error('late')).catch(() => {
      isLate = true
    })
  }

  /** Null: there is none here, or another round follows at once. */
  async #findDialer(campaign: WaitedCampaign): Promise<DialerToRun | null> {
    const { storeName } = this.#memory.state
    const found = await locateDialer(this.env, campaign, storeName)
    if (found.kind === 'here') return found.dialer
    if (found.kind === 'gone') await this.#forget()
    else if (found.storeName !== storeName) {
      this.#memory.change({ storeName: found.storeName, heldUntilMs: 0 })
      await this.#wakeAt(Date.now())
    }
    return null
  }

  /** Changed settings end a rest and a stop. */
  #takeOver(version: number): void {
    if (this.#memory.state.version === version) return
    const well = { health: wellDialer, healthSinceMs: null, unmapped: null, noted: '' }
    this.#memory.change({ version, ...well, wantsStart: true, waiting: null })
  }

  /** For alerts, when it has changed. */
  async #noteHealth(campaign: WaitedCampaign, { version }: DialerToRun, db: D1Database): Promise<void> {
    const { noted } = this.#memory.state
    const note = noteOf(this.#memory.state, Date.now())
    const text = JSON.stringify(note)
    if (text === noted || (noted === '' && Object.values(note).every((value) => value === null))) return
    await noteDialer(db, campaign, version, note)
    this.#memory.change({ noted: text })
  }

  /** After a problem of ours. */
  async #backOff(error: unknown): Promise<void> {
    this.#mustTidy = true
    const { troubles, campaign } = this.#memory.state
    console.error({ event: 'dialer_failed', ...campaign, problem: problemOf(error) })
    this.#memory.change({ troubles: troubles + 1 })
    noteDue(this.ctx.storage, Date.now())
    await this.#wakeAt(Date.now() + troubleDelayMs(troubles, Math.random()))
  }

  async #forget(): Promise<void> {
    this.#opened = null
    await this.ctx.storage.deleteAll()
  }

  #wakeAt(atMs: number): Promise<void> {
    return armAlarm(this.ctx.storage, atMs)
  }
}
