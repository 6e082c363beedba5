// A campaign with a dialer, a provider that the test plays, and a clock that goes from round to round.
import { makeKey } from '../../../src/base/access/api-key.ts'
import { randomBase62 } from '../../../src/base/base62.ts'
import type { Provider } from '../../../src/channels/dialers/provider.ts'
import type { Send } from '../../../src/channels/dialers/provider-request.ts'
import { findDialer, removeDialer, writeDialer } from '../../../src/channels/dialers/store/set-dialer.ts'
import { claimCalls } from '../../../src/queue/calling/store/claim.ts'
import type { SettingsChange } from '../../../src/queue/campaigns/settings.ts'
import { hashesIn } from '../access/actor.ts'
import { noonMs, openSettings, seedCallingWorld } from '../calling/calling.ts'
import { companyDb } from '../database/store.ts'
import { type FakeProvider, type Fate, fakeTemplate, openProvider, plainFate } from './fake-provider.ts'
import { type Fatality, simulateDialer } from './simulated-dialer.ts'

/** With nothing to wait for in between. */
const mostRoundsAtOnce = 300

type Options = {
  readonly settings?: SettingsChange
  readonly dialer?: Partial<WrittenDialer>
  readonly fateOf?: (phoneNumber: string, callId: string) => Fate
  readonly fatality?: () => Fatality
  readonly through?: (provider: Provider) => Provider
  readonly faultMs?: number
  /** Of the dialer alone. */
  readonly db?: D1Database
  /** Another provider in the place of the usual one. */
  readonly sendWith?: (now: () => number) => Send
}

type WrittenDialer = Parameters<typeof writeDialer>[2]

export type DiallingWorld = Awaited<ReturnType<typeof seedDialling>>

export async function seedDialling({
  settings = openSettings,
  dialer = {},
  fateOf,
  fatality,
  faultMs,
  through,
  db = companyDb,
  sendWith,
}: Options = {}) {
  const world = await seedCallingWorld(settings)
  const clock = { ms: noonMs }
  const now = () => clock.ms
  const others = new Map<string, FakeProvider>()
  const provider = openProvider({ now, ...(fateOf && { fateOf }), ...(faultMs && { faultMs }) })
  const { companyId, number } = { companyId: world.companyId, number: world.campaign.number }
  const campaign = { companyId, number }
  const hashes = hashesIn(companyId)
  const sendUsual = sendWith?.(now) ?? provider.send
  let latencyOf = (_: RequestInit): number => 0
  /** Requests that are sent at the same time are answered at the same time. */
  const send: Send = async (url, init) => {
    const latencyMs = latencyOf(init)
    const doneAtMs = clock.ms + latencyMs
    if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, 0))
    clock.ms = Math.max(clock.ms, doneAtMs)
    return (others.get(new URL(url).host)?.send ?? sendUsual)(url, init)
  }
  const simulated = simulateDialer({
    ...{ db, campaign, hashes, now, send, ...(fatality && { fatality }), ...(through && { through }) },
  })

  /** As a PUT does. */
  async function set(change: Partial<WrittenDialer> = {}) {
    const before = await findDialer(companyDb, world.access(world.manageKeyId, now()))
    const version = before.kind === 'found' ? before.version + 1 : 1
    const wasEnabled = before.kind === 'found' && before.dialer?.isEnabled === true
    const { id: newKeyId, hash } = makeKey().material
    const written = await writeDialer(companyDb, world.access(world.manageKeyId, now()), {
      ...{ isEnabled: true, maxLive: 5, preset: 'custom', template: fakeTemplate, variables: {} },
      ...{ wasEnabled, hasSameSecrets: true },
      ...{ sealedSecrets: '', origin: 'https://service.example.com', version, newKeyId, hash },
      ...dialer,
      ...change,
    })
    if (written.kind !== 'found') throw new Error(written.kind)
    simulated.wake()
  }
  await set()

  async function remove() {
    await removeDialer(companyDb, world.access(world.manageKeyId, now()))
    simulated.wake()
  }

  let nextMs: number | null = noonMs
  return {
    ...world,
    clock,
    provider,
    simulated,
    set,
    remove,
    /** How long each request takes from now on. */
    slowDown(latency: number | ((init: RequestInit) => number)) {
      latencyOf = typeof latency === 'number' ? () => latency : latency
    },
    /** Another provider, at a host of its own, whose ids of calls are the same. */
    openOther(host: string, fateOf: (phoneNumber: string, callId: string) => Fate) {
      const other = openProvider({ now, fateOf, ...(faultMs && { faultMs }) })
      others.set(host, other)
      return other
    },
    /** Of the dialer's key. */
    async revokeKey() {
      await companyDb
        .prepare(
          `update api_keys set revoked_at_ms = ?2
           where id = (select key_id from dialers where campaign_number = ?1)`,
        )
        .bind(number, now())
        .run()
    },
    /** A lead, of which the dialer is told. */
    async lead(lead: Parameters<typeof world.add>[0] = {}) {
      const added = await world.add(lead, now())
      simulated.wake()
      nextMs = now()
      return added
    },
    wake() {
      simulated.wake()
      nextMs = now()
    },
    /** Runs the rounds that are due in this time, and moves the clock to its end. */
    async pass(seconds: number): Promise<void> {
      const endMs = clock.ms + seconds * 1000
      let rounds = 0
      while (nextMs !== null && nextMs <= endMs) {
        rounds = nextMs > clock.ms ? 0 : rounds + 1
        if (rounds > mostRoundsAtOnce) throw new Error('The dialer never sleeps')
        clock.ms = Math.max(clock.ms, nextMs)
        nextMs = await simulated.alarm()
      }
      clock.ms = Math.max(clock.ms, endMs)
    },
    /** The calls of this number, as the service has them. */
    async callsOf(phoneNumber: string) {
      const { results } = await companyDb
        .prepare(
          `select outcome, attempt, is_late as "isLate", do_not_call as "doNotCall", duration_seconds as "seconds",
             provider_call_id as "providerCallId", dialled_at_ms as "dialledAtMs" from calls
           where company_id = ?1 and phone_number = ?2 order by claimed_at_ms`,
        )
        .bind(companyId, phoneNumber)
        .run<{
          outcome: string | null
          attempt: number
          isLate: number
          doNotCall: number
          seconds: number | null
          providerCallId: string | null
          dialledAtMs: number | null
        }>()
      return results
    },
    /** A claim of which the dialer has lost the answer. */
    async claimAsDialer() {
      const { results } = await companyDb
        .prepare('select key_id as "keyId" from dialers where campaign_number = ?1')
        .bind(number)
        .run<{ keyId: string }>()
      const access = world.access(results[0]?.keyId ?? '', now())
      const origin = { ...access, requestKey: null, requestToken: randomBase62(11), hashes }
      return claimCalls(companyDb, origin, { maxCalls: 5, leaseSeconds: 600, agent: 'dialer' })
    },
    async outcomesOf(phoneNumber: string) {
      return (await this.callsOf(phoneNumber)).map(({ outcome }) => outcome)
    },
  }
}

/** One fault, and the rest as it should be. */
export const withFate = (fate: Partial<Fate>): Fate => ({ ...plainFate, ...fate })
