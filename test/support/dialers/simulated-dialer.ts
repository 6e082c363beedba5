// A dialer as its object runs it, with a clock of the test, and killed where the test says: a kill ends a life at an
// await, before or after what was awaited has taken effect. As on the platform, nothing leaves the object before its
// memory is durable, and what was written since may be lost with it.

import type { NumberHashes } from '../../../src/base/ledger/suppression/number-hash.ts'
import type { DialerCall } from '../../../src/channels/dialers/dialer-call.ts'
import { type CallSettings, openDialerMemory } from '../../../src/channels/dialers/dialer-memory.ts'
import { lostDialer } from '../../../src/channels/dialers/lost-dialer.ts'
import { type Provider, providerOf } from '../../../src/channels/dialers/provider.ts'
import type { Send } from '../../../src/channels/dialers/provider-request.ts'
import { stopStart } from '../../../src/channels/dialers/rounds/call-starting.ts'
import { wellDialer } from '../../../src/channels/dialers/rounds/dialer-health.ts'
import { gatherWrites } from '../../../src/channels/dialers/rounds/gathered-storage.ts'
import { takeRound } from '../../../src/channels/dialers/rounds/take-round.ts'
import { deleteDialer, readDialerToRun } from '../../../src/channels/dialers/store/run-dialer.ts'
import { openTests } from '../../../src/channels/dialers/test-memory.ts'
import type { WaitedCampaign } from '../../../src/queue/campaigns/waited-campaign.ts'

export class Killed extends Error {
  override readonly name = 'Killed'
}

/** Whether the object dies at this await, and before or after its effect. */
export type Fatality = 'before' | 'after' | null

type Options = {
  readonly db: D1Database
  readonly campaign: WaitedCampaign
  readonly hashes: NumberHashes
  readonly now: () => number
  readonly send: Send
  readonly fatality?: () => Fatality
  /** Changes what following a call does, such as to throw. */
  readonly through?: (provider: Provider) => Provider
}

export type SimulatedDialer = ReturnType<typeof simulateDialer>

export function simulateDialer({
  db,
  campaign,
  hashes,
  now,
  send,
  fatality = () => null,
  through = (provider) => provider,
}: Options) {
  const spy = { onList: () => {} }
  let stored = new Map<string, unknown>()
  let life = open()
  /** Whose start was under way when the object died: it may have rung, and nobody knows. */
  const interrupted = new Set<string>()
  const counts = { kills: 0, rounds: 0, statements: 0, requests: 0, mostInRound: 0 }

  function open(written = new Map(stored)) {
    const own = { isDead: false, written, mustRecover: true, stopped: new Set<string>() }
    const kv = {
      get: (key: string) => written.get(key),
      put: (key: string, value: unknown) => {
        if (!own.isDead) written.set(key, structuredClone(value))
      },
      delete: (key: string) => !own.isDead && written.delete(key),
      list: ({ prefix = '' } = {}) => {
        spy.onList()
        return [...written].filter(([key]) => key.startsWith(prefix))
      },
    } as unknown as SyncKvStorage
    const storage = gatherWrites(kv)
    const memory = openDialerMemory(storage)
    return Object.assign(own, { memory, tests: openTests(storage, memory.trace) })
  }

  function die(): never {
    counts.kills++
    // As far as it is durable: an answer may be lost with the object.
    for (const { state, callId } of [...stored.values()] as Partial<DialerCall>[])
      if (state === 'starting' && callId !== undefined) interrupted.add(callId)
    life.isDead = true
    throw new Killed()
  }

  /** What leaves the object. */
  function outward<Arguments extends unknown[], Result>(work: (...of: Arguments) => Promise<Result>) {
    return async (...of: Arguments): Promise<Result> => {
      const own = life
      if (own.isDead) throw new Killed()
      const fatal = fatality()
      if (fatal === 'before') die()
      stored = new Map(own.written)
      const result = work(...of)
      await result.catch(() => {})
      if (own.isDead) throw new Killed()
      if (fatal === 'after') die()
      return result
    }
  }

  const batch = outward(async (statements: D1PreparedStatement[]) => {
    counts.statements += statements.length
    return db.batch(statements)
  })
  const killable = { prepare: (text: string) => db.prepare(text), batch } as unknown as D1Database
  const killableSend = outward(async (url: string, init: RequestInit) => {
    counts.requests++
    return send(url, init)
  })

  /** As the object's alarm. Returns when the next is due; null: when it is woken. */
  async function round(): Promise<number | null> {
    const own = life
    const before = counts.statements + counts.requests
    counts.rounds++
    const beganAtMs = now()
    const row = await readDialerToRun(killable, campaign)
    const dialer = row ?? lostDialer(own.memory, own.tests.memory, campaign)
    if (dialer === null) {
      life = open(new Map())
      return null
    }
    if (own.memory.state.version !== dialer.version)
      own.memory.change({ version: dialer.version, health: wellDialer, wantsStart: true, waiting: null })
    // The secrets stand in the place of sealed ones.
    const providerWith = (settings: CallSettings) =>
      through(providerOf(settings, { apiKey: settings.sealedSecrets }, killableSend))
    const endUrl = (callId: string) => `https://service.example.com/dialer-events/${callId}`
    const { mustRecover, memory, tests, stopped } = own
    const nextMs = await takeRound({
      ...{
        db: killable,
        memory,
        campaign,
        dialer,
        hashes,
        now,
        beganAtMs,
        endUrl,
        mustRecover,
        tests,
        stopped,
      },
      providerOf: providerWith,
    })
    own.mustRecover = false
    stopped.clear()
    counts.mostInRound = Math.max(counts.mostInRound, counts.statements + counts.requests - before)
    if (dialer.isRemoved && memory.calls.length === 0) {
      await deleteDialer(killable, campaign, now())
      life = open(new Map())
      return null
    }
    return nextMs
  }

  return {
    counts,
    interrupted,
    get memory() {
      return life.memory
    },
    get tests() {
      return life.tests
    },
    /** What its storage holds, by the names of its entries. */
    get written(): ReadonlyMap<string, unknown> {
      return life.written
    },
    /** Whenever it lists entries of its storage. */
    set onList(onList: () => void) {
      spy.onList = onList
    },
    /** As an object that begins to live on this storage. */
    liveOn(written: ReadonlyMap<string, unknown>) {
      stored = new Map(written)
      life = open()
    },
    /** As the object is asked when the person rings. */
    stopStart: (callId: string) => stopStart(life.memory, life.stopped, callId),
    wake: () => life.memory.change({ wantsStart: true, waiting: null }),
    /** Never throws: as the platform, it is run again soon after it died, or after an error. */
    async alarm(): Promise<number | null> {
      try {
        const nextMs = await round()
        stored = new Map(life.written)
        return nextMs
      } catch {
        life.mustRecover = true
        if (life.isDead) life = open()
        return now() + 1_000
      }
    },
    round,
  }
}
