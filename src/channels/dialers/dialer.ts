// One Durable Object for each campaign that has a dialer: works as an agent without a server. It is woken when a lead
// may have become callable, when its provider says that a call has changed, and each minute; between two rounds it
// sleeps until its alarm. The alarm never throws, since the platform gives up on one that does. A round is in
// rounds/take-round.ts.
import { DurableObject } from 'cloudflare:workers'
import { createHash } from 'node:crypto'
import { readInCompany } from '../../base/access/find-company.ts'
import { armAlarm, dueSince, noteDone, noteDue } from '../../base/alarm.ts'
import { envOfStore } from '../../base/database/company-env.ts'
import { problemOf } from '../../base/database/database.ts'
import { collectNotices } from '../../base/database/notices.ts'
import { numberHashes } from '../../base/ledger/suppression/number-hash.ts'
import type { WaitedCampaign } from '../../queue/campaigns/waited-campaign.ts'
import { troubleDelayMs } from '../webhooks/retry-schedule.ts'
import type { DialerCall } from './dialer-call.ts'
import {
  type CallSettings,
  type DialerMemory,
  openDialerMemory,
  type Problem,
  textOf,
} from './dialer-memory.ts'
import { openSecrets } from './dialer-secrets.ts'
import {
  countAside,
  countLive,
  type Heard,
  heardOf,
  noteOf,
  type ShownState,
  showIn,
  shownProblem,
} from './dialer-status.ts'
import { type GateKeeper, isGateKeeper, openGateKeeper } from './gate/gate-keeper.ts'
import { lostDialer } from './lost-dialer.ts'
import { nudgeUrl } from './nudge.ts'
import { providerOf } from './provider.ts'
import { stopStart } from './rounds/call-starting.ts'
import { wellDialer } from './rounds/dialer-health.ts'
import { stopWithoutSecrets } from './rounds/dialer-notes.ts'
import { nextAskAtMs } from './rounds/follow-call.ts'
import { type GatheredStorage, gatherWrites } from './rounds/gathered-storage.ts'
import { takeRound } from './rounds/take-round.ts'
import { type DialerToRun, deleteDialer, noteDialer, readDialerToRun } from './store/run-dialer.ts'
import { openTests, type Tested, type TestResult, type Tests } from './test-memory.ts'
import type { Exchange, Seen } from './trace.ts'
import { tellOthers } from './wake-dialers.ts'

/** Nudges in a row are written once in this time. */
const nudgeWriteMs = 5_000
/** A nudge for the whole campaign asks for so many calls sooner. */
const nudgedAtOnce = 5
/** A test call that is read has a round by then. */
const testWatchMs = 15_000
/** The request whose turn it is to start a test call has counted and logged it by then. */
const testTurnMs = 5_000

export type DialerReport = ShownState & {
  readonly sinceMs: number
  readonly live: number
  readonly aside: number
  readonly lastProblem: Problem | null
  /** What was heard in the last calls with talk. An object of an earlier version does not say. */
  readonly heard?: Heard
}

const lastHeardMs = ({ askedAtMs, startedAtMs }: DialerCall) => askedAtMs ?? startedAtMs

export class Dialer extends DurableObject<Env> {
  #openedStorage: GatheredStorage | null = null
  #opened: DialerMemory | null = null
  #openedTests: Tests | null = null
  #openedGate: GateKeeper | null = null
  #isRunning = false
  #wasWoken = false
  /** A test call is to be started. */
  #wasTested = false
  /** Until then somebody has the turn to start a test call. */
  #testTurnUntilMs = 0
  #mustRecover = true
  /** Calls that must not be started. What a claim brings of them is answered within its round. */
  #stopped = new Set<string>()
  #nudgeWrittenAtMs = 0

  get #storage(): GatheredStorage {
    this.#openedStorage ??= gatherWrites(this.ctx.storage.kv)
    return this.#openedStorage
  }

  get #memory(): DialerMemory {
    this.#opened ??= openDialerMemory(this.#storage)
    return this.#opened
  }

  get #tests(): Tests {
    this.#openedTests ??= openTests(this.#storage, this.#memory.trace)
    return this.#openedTests
  }

  /**
   * There may be a lead to call, or the settings were changed. Returns since when its work is due; null: it is done.
   */
  async wake(campaign: WaitedCampaign, storeName: string | null): Promise<number | null> {
    this.#memory.change({ campaign, storeName, wantsStart: true, waiting: null })
    this.#wasWoken = true
    if (!this.#isRunning) await this.#wakeAt(Date.now())
    return dueSince(this.ctx.storage)
  }

  /** A call may have changed. Null: any of the live ones, of which those asked longest ago are asked. */
  async nudge(callId: string | null): Promise<void> {
    const nowMs = Date.now()
    const memories = [this.#memory, this.#tests.memory]
    const live = memories
      .flatMap(({ calls }) => calls)
      .filter(({ state }) => state === 'starting' || state === 'following')
    const nudged =
      callId === null
        ? live.toSorted((one, other) => lastHeardMs(one) - lastHeardMs(other)).slice(0, nudgedAtOnce)
        : live.filter((call) => call.callId === callId)
    if (nudged.length === 0) return
    const mustWrite = nowMs >= this.#nudgeWrittenAtMs + nudgeWriteMs
    if (mustWrite) this.#nudgeWrittenAtMs = nowMs
    for (const memory of memories)
      for (const call of nudged) memory.changeCall(call.callId, { nudgedAtMs: nowMs }, mustWrite)
    if (this.#isRunning) return
    const asks = nudged.flatMap((call) => nextAskAtMs({ ...call, nudgedAtMs: nowMs }) ?? [])
    if (asks.length > 0) await this.#wakeAt(Math.max(Math.min(...asks), nowMs))
  }

  /** `version`: of the settings; newer ones end a rest and a stop, though no round has taken them over yet. */
  async readState(isEnabled: boolean, version: number): Promise<DialerReport> {
    const nowMs = Date.now()
    const { state: before, calls } = this.#memory
    const state = version > before.version ? { ...before, health: wellDialer, waiting: null } : before
    const shown = showIn(this.#memory, isEnabled, nowMs, state)
    const [live, aside] = [countLive(calls, nowMs), countAside(calls)]
    return { ...shown, live, aside, lastProblem: shownProblem(state, nowMs), heard: heardOf(state) }
  }

  async stopStart(callId: string): Promise<boolean> {
    return stopStart(this.#memory, this.#stopped, callId)
  }

  /** Newest first. */
  async readTrace(): Promise<readonly Exchange[]> {
    this.#memory.trace.forgetOld(Date.now())
    return this.#memory.trace.list()
  }

  /** For leads that are erased. */
  async forgetLeads(leadIds: readonly string[]): Promise<void> {
    const erased = new Set(leadIds)
    this.#memory.trace.forgetLeads(erased)
    if (erased.has(this.#memory.state.problem?.leadId ?? '')) this.#memory.change({ problem: null })
  }

  async noteCheck(seen: Seen, isOk: boolean): Promise<void> {
    const ofNone = { callId: null, leadId: null, verdict: isOk ? 'taken' : 'refused' }
    this.#memory.trace.add({ atMs: Date.now(), step: 'check', ...ofNone, ...seen })
    this.#memory.trace.save()
  }

  /** The turn to start a test call, which is counted and logged first. False: another one is running, or begins. */
  async takeTestTurn(): Promise<boolean> {
    await this.#watchTests()
    const nowMs = Date.now()
    if (this.#tests.running.length > 0 || nowMs < this.#testTurnUntilMs) return false
    this.#testTurnUntilMs = nowMs + testTurnMs
    return true
  }

  /** Without a test call. */
  async endTestTurn(): Promise<void> {
    this.#testTurnUntilMs = 0
  }

  /** It is started soon, and its number is not stored. False: another one is running. */
  async startTest(campaign: WaitedCampaign, storeName: string | null, tested: Tested): Promise<boolean> {
    if (this.#tests.running.length > 0) return false
    const nowMs = Date.now()
    this.#testTurnUntilMs = 0
    this.#memory.change({ campaign, storeName })
    this.#tests.begin(tested, nowMs)
    this.#wasTested = true
    if (!this.#isRunning) await this.#wakeAt(nowMs)
    return true
  }

  async readTest(testId: string): Promise<TestResult | null> {
    await this.#watchTests()
    return this.#tests.find(testId)
  }

  /** The platform may have dropped the alarm, and nobody else wakes a dialer that has long been off. */
  async #watchTests(): Promise<void> {
    this.#tests.forgetOld(Date.now())
    if (this.#tests.running.length > 0 && !this.#isRunning) await this.#wakeAt(Date.now() + testWatchMs)
  }

  /** The object is that of a gate, which nobody else is by its name. */
  get #gate(): GateKeeper {
    this.#openedGate ??= openGateKeeper(this.ctx, this.env)
    return this.#openedGate
  }

  wakeGate(campaign: WaitedCampaign, storeName: string | null): Promise<void> {
    return this.#gate.wake(campaign, storeName)
  }

  async readGateTrace(): Promise<readonly Exchange[]> {
    return this.#gate.readTrace()
  }

  async forgetGateLeads(leadIds: readonly string[]): Promise<void> {
    this.#gate.forgetLeads(leadIds)
  }

  override async alarm(): Promise<void> {
    if (isGateKeeper(this.ctx)) return this.#gate.alarm()
    const { campaign } = this.#memory.state
    if (campaign === null) return
    this.#isRunning = true
    this.#wasWoken = false
    this.#wasTested = false
    try {
      await this.#run(campaign)
      noteDone(this.ctx.storage)
    } catch (error) {
      await this.#backOff(error)
    } finally {
      this.#isRunning = false
      this.#stopped.clear()
    }
  }

  async #run(campaign: WaitedCampaign): Promise<void> {
    const beganAtMs = Date.now()
    const dialer = await this.#findDialer(campaign)
    if (dialer === null) return
    const memory = this.#memory
    const { storeName } = memory.state
    const env = envOfStore(this.env, storeName)
    this.#takeOver(dialer.version)
    this.#forgetNoticesOfOthers(dialer)
    const owner = { companyId: campaign.companyId, campaignId: dialer.campaignId }
    const secretsOf = (settings: CallSettings) =>
      openSecrets(env.WEBHOOK_ROOT, { ...settings, ...owner }, settings.sealedSecrets)
    if (secretsOf(dialer) === null) stopWithoutSecrets(memory, Date.now())
    const [listeners, waiting] = [new Set<string>(), new Set<string>()]
    let nextMs: number | null
    try {
      nextMs = await takeRound({
        memory,
        campaign,
        dialer,
        db: collectNotices(env.DB, { listeners, waiting }),
        providerOf: (settings) =>
          providerOf(settings, secretsOf(settings) ?? {}, (url, init) => fetch(url, init)),
        hashes: numberHashes(env.SUPPRESSION_PEPPER, campaign.companyId),
        now: Date.now,
        beganAtMs,
        endUrl: (callId) => nudgeUrl(env.WEBHOOK_ROOT, dialer.origin, { ...campaign, callId }),
        mustRecover: this.#mustRecover,
        tests: this.#tests,
        stopped: this.#stopped,
      })
      this.#mustRecover = false
    } finally {
      tellOthers(this.ctx, env, listeners, waiting, campaign.number)
    }
    await this.#noteHealth(campaign, dialer, env.DB)
    if (memory.state.troubles > 0) memory.change({ troubles: 0 })
    showIn(memory, dialer.isEnabled, Date.now())
    if (dialer.isRemoved && memory.calls.length + this.#tests.memory.calls.length === 0) {
      await deleteDialer(env.DB, campaign, Date.now())
      // It may have been set again meanwhile.
      if (!this.#wasWoken) return this.#forget()
    }
    if (this.#wasWoken) memory.change({ wantsStart: true, waiting: null })
    const isNow = this.#wasWoken || this.#wasTested
    if (isNow || nextMs !== null) await this.#wakeAt(isNow ? Date.now() : (nextMs ?? 0))
  }

  /** Null: there is none. */
  async #findDialer(campaign: WaitedCampaign): Promise<DialerToRun | null> {
    const { storeName } = this.#memory.state
    const place = { companyId: campaign.companyId, storeName }
    const found = await readInCompany(this.env, place, (db) => readDialerToRun(db, campaign))
    if (found.storeName !== storeName) this.#memory.change({ storeName: found.storeName })
    const dialer = found.row ?? lostDialer(this.#memory, this.#tests.memory, campaign)
    if (dialer === null) await this.#forget()
    return dialer
  }

  /** Changed settings end a rest and a stop. */
  #takeOver(version: number): void {
    if (this.#memory.state.version === version) return
    const well = { health: wellDialer, healthSinceMs: null, noted: '' }
    this.#memory.change({ version, ...well, wantsStart: true, waiting: null })
  }

  /** What calls came to is said of the template by which they were made. */
  #forgetNoticesOfOthers(settings: CallSettings): void {
    const settingsDigest = createHash('sha256').update(textOf(settings)).digest('base64')
    const { settingsDigest: before } = this.#memory.state
    if (before === settingsDigest) return
    const nothing = { unmapped: null, failing: null, talked: 0, understood: '', deafSinceMs: null }
    this.#memory.change({ settingsDigest, ...(before !== '' && nothing) })
  }

  /** For alerts, when it has changed. */
  async #noteHealth(campaign: WaitedCampaign, { version }: DialerToRun, db: D1Database): Promise<void> {
    const { noted } = this.#memory.state
    const note = noteOf(this.#memory.state, Date.now())
    const text = JSON.stringify(note)
    if (text === noted || (noted === '' && Object.values(note).every((value) => value === null))) return
    if (await noteDialer(db, campaign, version, note)) this.#memory.change({ noted: text })
  }

  /** After a problem of ours. */
  async #backOff(error: unknown): Promise<void> {
    this.#mustRecover = true
    const { troubles, campaign } = this.#memory.state
    console.error({ event: 'dialer_failed', ...campaign, problem: problemOf(error) })
    this.#memory.change({ troubles: troubles + 1 })
    noteDue(this.ctx.storage, Date.now())
    await this.#wakeAt(Date.now() + troubleDelayMs(troubles, Math.random()))
  }

  async #forget(): Promise<void> {
    this.#openedStorage?.drop()
    this.#openedStorage = null
    this.#opened = null
    this.#openedTests = null
    await this.ctx.storage.deleteAll()
  }

  #wakeAt(atMs: number): Promise<void> {
    return armAlarm(this.ctx.storage, atMs)
  }
}
