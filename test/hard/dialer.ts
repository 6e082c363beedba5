// A simulated week of a dialer: two providers with the faults of real ones and the same ids, settings that change
// between them while calls are live, an account that runs empty, people who say no, and an object that dies at any
// await. What the provider knows to have happened decides what must stand in the service. Runs the store on SQLite in
// this process, as `days` does.
import { join } from 'node:path'
import { makeKey } from '../../src/base/access/api-key.ts'
import { randomBase62 } from '../../src/base/base62.ts'
import { collectNotices } from '../../src/base/database/notices.ts'
import type { Send } from '../../src/channels/dialers/provider-request.ts'
import { findDialer, removeDialer, writeDialer } from '../../src/channels/dialers/store/set-dialer.ts'
import { settleAll } from '../../src/queue/calling/store/settling/settle-all.ts'
import { isOpenAt, type WeeklyHours } from '../../src/queue/campaigns/calling-hours.ts'
import { changeCampaign } from '../../src/queue/campaigns/store/configure.ts'
import { readNotice } from '../../src/queue/campaigns/waited-campaign.ts'
import { createLeads } from '../../src/queue/leads/store/create-bulk.ts'
import { suppressNumbers } from '../../src/queue/suppression/store/suppress.ts'
import { asKey, noHashes } from '../support/access/actor.ts'
import { createFastDatabase } from '../support/database/fast-database.ts'
import { checkDialling } from '../support/dialers/check-dialling.ts'
import { type Fate, fakeTemplate, openProvider, templateOn } from '../support/dialers/fake-provider.ts'
import { type Fatality, simulateDialer } from '../support/dialers/simulated-dialer.ts'
import { newLead } from '../support/leads/new-lead.ts'
import { createAgenda } from './days-agenda.ts'
import { dayMs, hash, hourMs, minuteMs } from './days-world.ts'
import type { Report } from './report.ts'
import { scratchDir } from './server.ts'

/** A Monday, before the hours begin. Europe's clocks change on the Sunday. */
const beginsAtMs = Date.UTC(2026, 9, 19)
const weekMs = 7 * dayMs
const longestMs = 60 * dayMs
const maxLive = 40
const maxAttempts = 3

const working = [['09:00', '18:00']] as const
const hours = {
  ...Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri'].map((day) => [day, working])),
  ...{ sat: [['10:00', '14:00']], sun: [] },
} as unknown as WeeklyHours
const schedule = { timeZone: 'Europe/Berlin', hours, closedDates: [] }

const otherHost = 'other.example.com'
const changeEveryMs = 10 * minuteMs
/** What the owner chooses in turn. Nothing is pretended while it is chosen, since no provider would know of it. */
const choices: readonly Partial<Parameters<typeof writeDialer>[2]>[] = [
  {},
  { template: templateOn(otherHost), sealedSecrets: 'other' },
  { template: templateOn(otherHost), variables: { maxCallSeconds: '3500' }, sealedSecrets: 'another' },
  { preset: 'pretend', template: null, isEnabled: false },
  { sealedSecrets: 'rotated' },
]

/** Of a hundred starts, each by its call's id. The rest go well. */
const fates: readonly (readonly [share: number, fate: Partial<Fate>])[] = [
  [2, { start: 'late' }],
  [2, { start: 'fails_after_ringing' }],
  [2, { start: 'fails_before_ringing' }],
  [2, { start: 'no_id' }],
  [3, { start: 'busy' }],
  [1, { start: 'busy_without_time' }],
  [3, { start: 'refused' }],
  [3, { status: 'errors' }],
  [3, { status: 'missing' }],
  [2, { status: 'garbage' }],
  [3, { status: 'unfinished' }],
  [3, { status: 'no_analysis' }],
  [1, { status: 'never_ends' }],
  [10, { reason: 'busy', lengthMs: 5_000 }],
  [15, { reason: 'no-answer', lengthMs: 30_000 }],
  [2, { reason: 'crashed', lengthMs: 3_000 }],
  [1, { reason: 'nobody-knows-this', lengthMs: 3_000 }],
  [5, { outcome: 'not_interested' }],
  [4, { outcome: 'do_not_call' }],
  [4, { outcome: 'voicemail' }],
]

function fateOf(callId: string): Fate {
  const draw = hash(callId)
  const plain: Fate = {
    ...{ start: 'fine', status: 'fine', reason: 'answered', outcome: null },
    lengthMs: 20_000 + (draw % 300_000),
  }
  let left = (draw >>> 4) % 100
  for (const [share, fate] of fates) {
    if (left < share) return { ...plain, ...fate }
    left -= share
  }
  return plain
}

/** `deadliness`: of so many awaits, the object dies at one. */
export async function dialer(leadCount: number, deadliness: number): Promise<Report> {
  const { db: plain, close } = createFastDatabase(join(scratchDir, 'dialer.sqlite'))
  const bare = (text: string) => plain.prepare(text).bind()
  await plain.batch([
    bare("insert into companies (id, name, created_at_ms) values ('hard', 'Hard', 0)"),
    bare("insert into campaigns (id, company_id, name, created_at_ms) values ('week', 'hard', 'c', 0)"),
    bare(`insert into api_keys (id, company_id, scope, name, hash, hint, created_at_ms)
      values ('key', 'hard', 'manage', 'key', 'hash', 'lk_…', 0)`),
  ])
  const clock = { ms: beginsAtMs }
  const now = () => clock.ms
  const access = () => ({ ...asKey('key', clock.ms, 'hard'), campaignId: 'week' })
  const settings = { timeZone: schedule.timeZone, callingHours: hours, appointmentHours: hours, maxAttempts }
  await changeCampaign(plain, access(), settings)

  const suppressedAtMs = new Map<string, number>()
  const provider = openProvider({ now, fateOf: (_, callId) => fateOf(callId) })
  const other = openProvider({ now, fateOf: (_, callId) => fateOf(callId) })
  const send: Send = (url, init) => (new URL(url).host === otherHost ? other : provider).send(url, init)
  let draws = 0
  const fatality = (): Fatality => {
    const draw = hash(`await ${draws++}`)
    return draw % deadliness === 0 ? ((draw >>> 8) % 2 === 0 ? 'before' : 'after') : null
  }
  const campaign = { companyId: 'hard', number: 1 }
  const simulated = simulateDialer({
    ...{ db: plain, campaign, hashes: noHashes, now, send, fatality },
  })
  /** What others do wakes the dialer, as the Worker does after a commit. */
  const rings = new Set<string>()
  const db = collectNotices(plain, { waiting: rings })

  let chosen = 0
  async function set(): Promise<void> {
    const before = await findDialer(db, access())
    const version = before.kind === 'found' ? before.version + 1 : 1
    const wasEnabled = before.kind === 'found' && before.dialer?.isEnabled === true
    const { id: newKeyId, hash: keyHash } = makeKey().material
    const written = await writeDialer(db, access(), {
      ...{ isEnabled: true, maxLive, preset: 'custom', template: fakeTemplate, variables: {} },
      ...{ wasEnabled, hasSameSecrets: true },
      ...{ sealedSecrets: 'first', origin: 'https://service.example.com', version, newKeyId },
      ...choices[chosen % choices.length],
      hash: keyHash,
    })
    if (written.kind !== 'found') throw new Error(written.kind)
    simulated.wake()
  }

  /** Another provider, another account there, rotated secrets, calls that are pretended; at times by a removal. */
  async function change(): Promise<void> {
    chosen++
    if (chosen % 3 === 0) await removeDialer(db, access())
    await set()
  }

  const agenda = createAgenda()
  /** When the alarm of the object goes off. Null: when it is woken. */
  let alarmMs: number | null = null
  function alarmAt(atMs: number | null): void {
    if (atMs === null || (alarmMs !== null && alarmMs <= atMs)) return
    alarmMs = atMs
    agenda.add(atMs, async () => {
      if (alarmMs !== atMs) return
      alarmMs = null
      clock.ms = atMs
      alarmAt(await simulated.alarm())
    })
  }
  function at(atMs: number, act: () => Promise<void>): void {
    agenda.add(atMs, async () => {
      clock.ms = atMs
      await act()
      if ([...rings].some((ring) => readNotice(ring).hasDialer)) {
        simulated.wake()
        alarmAt(atMs)
      }
      rings.clear()
    })
  }
  const stops = new Map<string, number>()

  async function createSome(first: number, count: number): Promise<void> {
    const batch = Array.from({ length: count }, (_, i) =>
      newLead({ phoneNumber: `+49301${String(1_000_000 + first + i)}`, priority: (first + i) % 10 }),
    )
    const origin = { ...access(), token: randomBase62(11), requestKey: null, hashes: noHashes }
    await createLeads(db, origin, batch, { withSkippedIds: false, isDryRun: false, invalid: 0 })
  }

  /** Of those that have been called or will be. */
  async function suppressOne(index: number): Promise<void> {
    const phoneNumber = `+49301${String(1_000_000 + index)}`
    suppressedAtMs.set(phoneNumber, clock.ms)
    await suppressNumbers(db, asKey('key', clock.ms, 'hard'), {
      ...{ phoneNumbers: [phoneNumber], campaignId: null, reason: null },
    })
  }

  let isOver = false
  async function runCron(): Promise<void> {
    await settleAll(db, clock.ms)
    // The owner looks each hour: what has stopped is enabled again.
    const { stopped } = simulated.memory.state.health
    if (stopped !== null && clock.ms % hourMs === 0) {
      stops.set(stopped, (stops.get(stopped) ?? 0) + 1)
      await set()
    }
    // Lost wake-ups are repaired.
    simulated.wake()
    alarmAt(clock.ms)
    isOver = clock.ms > beginsAtMs + weekMs && (await isDone())
    if (!isOver) at(clock.ms + (isOpenAt(schedule, clock.ms) ? 5 : 20) * minuteMs, runCron)
  }

  await set()
  const perBatch = 50
  for (let first = 0; first < leadCount; first += perBatch) {
    const atMs = beginsAtMs + Math.floor((first / leadCount) * 5 * dayMs)
    at(atMs, () => createSome(first, Math.min(perBatch, leadCount - first)))
  }
  for (let index = 0; index < leadCount; index += 40) {
    const atMs = beginsAtMs + 9 * hourMs + (hash(`no ${index}`) % (6 * dayMs))
    at(atMs, () => suppressOne(index))
  }
  at(beginsAtMs + dayMs + 10 * hourMs, async () => {
    provider.state.hasCredit = false
  })
  at(beginsAtMs + dayMs + 12 * hourMs, async () => {
    provider.state.hasCredit = true
  })

  for (let atMs = beginsAtMs + 9 * hourMs; atMs < beginsAtMs + 6 * dayMs; atMs += changeEveryMs)
    at(atMs, change)

  async function isDone(): Promise<boolean> {
    const open = await plain
      .prepare(
        `select count(*) as n from leads as l where l.status in ('raw', 'attempting') and not exists
           (select 1 from suppressions as s where s.phone_number = l.phone_number)`,
      )
      .bind()
      .run<{ n: number }>()
    return open.results[0]?.n === 0 && simulated.memory.calls.length === 0
  }
  at(beginsAtMs, runCron)
  while (!isOver && clock.ms < beginsAtMs + longestMs) await agenda.next()
  await settleAll(plain, clock.ms + hourMs)

  const rung = [...provider.rung, ...other.rung]
  const requests = [...provider.requests, ...other.requests]
  const broken = await checkDialling(
    {
      ...{ db: plain, campaignNumber: 1, rung, suppressedAtMs, maxAttempts },
      isOpen: (atMs) => isOpenAt(schedule, atMs),
    },
    simulated.interrupted,
  )
  const unfinished = isOver ? [] : ['some leads never ended']
  close()
  const { counts } = simulated
  const twice = broken.filter((one) => one.includes('twice')).length
  return {
    name: 'dialer',
    figures: {
      leads: leadCount,
      'days until the last end': ((clock.ms - beginsAtMs) / dayMs).toFixed(1),
      'phones that rang': rung.length,
      'of these with a lost or broken answer': rung.filter(({ start }) => start !== 'fine').length,
      'of these with a faulty status': rung.filter(({ status }) => status !== 'fine').length,
      'changes of the settings': chosen,
      'numbers suppressed meanwhile': suppressedAtMs.size,
      'kills of the object': counts.kills,
      'stops that the owner ended': [...stops].map(([why, times]) => `${why} ${times}`).join(', '),
      rounds: counts.rounds,
      'statements; requests': `${counts.statements}; ${requests.length}`,
      'most statements and requests in a round': counts.mostInRound,
      'rang twice for one claim': twice,
      'ends lost, hours or do-not-call broken': broken.length - twice,
    },
    broken: [
      ...broken.slice(0, 20),
      ...unfinished,
      ...(counts.mostInRound > 40 ? ['a round sent more than 40 statements and requests'] : []),
    ],
  }
}
