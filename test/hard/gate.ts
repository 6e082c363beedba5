// Ten thousand leads behind a gate, ten calls a second: a gate that makes no sense of some at first, says no or later
// to others, and is asked once about each phone for as long as its answer holds. Runs the store on SQLite in this
// process, with a virtual clock.
import { join } from 'node:path'
import { randomBase62 } from '../../src/base/base62.ts'
import { collectNotices } from '../../src/base/database/notices.ts'
import { type GateSettings, gateDefaults } from '../../src/channels/dialers/gate/gate.ts'
import { firstMemory, type GateMemory, memoryOf } from '../../src/channels/dialers/gate/gate-memory.ts'
import { takeGateRound } from '../../src/channels/dialers/gate/take-gate-round.ts'
import { readGateToRun } from '../../src/channels/dialers/store/run-gate.ts'
import { writeGate } from '../../src/channels/dialers/store/set-gate.ts'
import { claimCalls } from '../../src/queue/calling/store/claim.ts'
import { reportCalls } from '../../src/queue/calling/store/report.ts'
import { changeCampaign } from '../../src/queue/campaigns/store/configure.ts'
import { createLeads } from '../../src/queue/leads/store/create-bulk.ts'
import { asKey, noHashes } from '../support/access/actor.ts'
import { createFastDatabase } from '../support/database/fast-database.ts'
import { newLead } from '../support/leads/new-lead.ts'
import { hash, hourMs, minuteMs } from './clock-world.ts'
import { createFindings, type Report } from './report.ts'
import { scratchDir } from './server.ts'

const beginsAtMs = Date.UTC(2026, 10, 30, 9)
const callsPerSecond = 10
/** Longer than from a lead’s first call to its second. */
const keepHours = 1
const allDay = [['00:00', '24:00']] as const
const always = Object.fromEntries(
  ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, allDay]),
)
const settings: GateSettings = {
  ask: { method: 'POST', url: 'https://gate.example.com/', body: { phone: '{{lead.phoneNumber}}' } },
  no: { pointer: '/no', equals: true },
  later: { pointer: '/later', equals: true },
  yes: { pointer: '/yes', equals: true },
  ...gateDefaults,
  keepHours,
  laterMinutes: 5,
}

type Fate = 'yes' | 'no' | 'later' | 'fails' | 'nonsense' | 'contradicts'
/** What the gate says of the phone at the request with this number, from 1. */
function fateOf(phoneNumber: string, nth: number): Fate {
  const draw = hash(phoneNumber) % 100
  if (draw < 10) return 'no'
  if (draw < 12) return 'contradicts'
  if (nth > 1) return 'yes'
  return draw < 15 ? 'later' : draw < 18 ? 'fails' : draw < 20 ? 'nonsense' : 'yes'
}
const bodies: Readonly<Record<Fate, object>> = {
  ...{ yes: { yes: true }, no: { no: true }, later: { later: true }, fails: { yes: true } },
  ...{ nonsense: { yes: 'perhaps' }, contradicts: { yes: true, later: true, no: true } },
}

export async function gate(leadCount: number): Promise<Report> {
  const findings = createFindings()
  const { db: plain, close } = createFastDatabase(join(scratchDir, 'gate.sqlite'))
  const bare = (text: string) => plain.prepare(text).bind()
  await plain.batch([
    bare("insert into companies (id, name, created_at_ms) values ('hard', 'Hard', 0)"),
    bare("insert into campaigns (id, company_id, name, created_at_ms) values ('gated', 'hard', 'c', 0)"),
    bare(`insert into api_keys (id, company_id, scope, name, hash, hint, created_at_ms)
      values ('key', 'hard', 'manage', 'key', 'hash', 'lk_…', 0)`),
  ])
  const clock = { ms: beginsAtMs }
  const access = () => ({ ...asKey('key', clock.ms, 'hard'), campaignId: 'gated' })
  await changeCampaign(plain, access(), {
    ...{ timeZone: 'UTC', callingHours: always, appointmentHours: always, maxAttempts: 2 },
    ...{
      callsPerMinute: callsPerSecond * 60,
      numberLimits: { minGapMinutes: null, per24Hours: null, per7Days: null },
    },
    outcomes: { busy: { class: 'retry', minutes: 20 } },
  })
  const written = { ...settings, sealedSecrets: 'none', newVersion: 1, revision: 1 }
  await writeGate(plain, access(), written)

  const campaign = { companyId: 'hard', number: 1 }
  const [waiting, listeners] = [new Set<string>(), new Set<string>()]
  const db = collectNotices(plain, { waiting, listeners })
  let memory: GateMemory = firstMemory(campaign, null)
  let [requests, rounds, inFlight, mostInFlight] = [0, 0, 0, 0]
  const told = new Map<string, { nth: number; answers: number; fate: Fate; atMs: number }>()
  async function send(_: string, init: RequestInit): Promise<Response> {
    const { phone } = JSON.parse(String(init.body)) as { phone: string }
    requests++
    mostInFlight = Math.max(mostInFlight, ++inFlight)
    const { nth: before = 0, answers = 0 } = told.get(phone) ?? {}
    const [nth, fate] = [before + 1, fateOf(phone, before + 1)]
    const isAnswer = fate !== 'fails' && fate !== 'nonsense' && fate !== 'later'
    told.set(phone, { nth, fate, atMs: clock.ms, answers: answers + (isAnswer ? 1 : 0) })
    await Promise.resolve()
    inFlight--
    return Response.json(bodies[fate], { status: fate === 'fails' ? 503 : 200 })
  }
  async function takeRound(): Promise<number | null> {
    rounds++
    const found = await readGateToRun(db, campaign, clock.ms)
    if (found === null) throw new Error('the gate is lost')
    const round = { campaign, gate: found, secrets: {}, db, send, now: () => clock.ms, tell: () => {} }
    const save = (after: GateMemory) => {
      memory = after
    }
    return takeGateRound(
      { ...round, trace: { add: () => {} } as never, save },
      memoryOf(memory, found.version),
    )
  }

  const phones = Array.from({ length: leadCount }, (_, i) => `+49151${10_000_000 + i}`)
  for (let at = 0; at < leadCount; at += 1_000) {
    const some = phones.slice(at, at + 1_000).map((phoneNumber) => newLead({ phoneNumber }))
    const origin = { ...access(), token: randomBase62(11), requestKey: null, hashes: noHashes }
    await createLeads(db, origin, some, { withSkippedIds: false, isDryRun: false, invalid: 0 })
  }

  let nextMs: number | null = clock.ms
  let [called, idle, seconds, silentSeconds] = [0, 0, 0, 0]
  const calls = new Map<string, number>()
  for (; silentSeconds < 1_800; seconds++) {
    clock.ms += 1_000
    const isWoken = waiting.size > 0 || seconds % 60 === 0
    waiting.clear()
    if (isWoken || (nextMs !== null && nextMs <= clock.ms)) nextMs = await takeRound()
    const origin = { ...access(), requestKey: null, requestToken: `claim-${seconds}`, hashes: noHashes }
    const claimed = await claimCalls(db, origin, { maxCalls: callsPerSecond, leaseSeconds: 600, agent: null })
    if (claimed.kind !== 'claimed') throw new Error(claimed.kind)
    for (const call of claimed.calls) {
      const { phoneNumber } = JSON.parse(call.lead) as { phoneNumber: string }
      const last = told.get(phoneNumber)
      if (last?.fate !== 'yes' || clock.ms - last.atMs > keepHours * hourMs)
        findings.add('called without a fresh yes', `${phoneNumber} after ${last?.fate}`)
      calls.set(phoneNumber, (calls.get(phoneNumber) ?? 0) + 1)
    }
    const reports = claimed.calls.map(({ callId }) => ({
      ...{ callId, outcome: 'busy' as const, callbackAtMs: null, doNotCall: false },
      ...{ durationSeconds: null, providerCallId: null, details: null },
    }))
    if (reports.length > 0) await reportCalls(db, access(), reports)
    called += claimed.calls.length
    silentSeconds = claimed.calls.length === 0 ? silentSeconds + 1 : 0
    if (claimed.calls.length < callsPerSecond && called < leadCount / 2) idle++
  }
  close()

  const refused = phones.filter((phone) => ['no', 'contradicts'].includes(fateOf(phone, 1)))
  for (const phone of phones) {
    const { answers = 0, nth = 0 } = told.get(phone) ?? {}
    if (answers !== 1) findings.add('not answered once', `${phone}: ${answers} answers to ${nth} requests`)
    const wanted = refused.includes(phone) ? 0 : 2
    if ((calls.get(phone) ?? 0) !== wanted)
      findings.add('not called as it should be', `${phone}: ${calls.get(phone)}, ${wanted} expected`)
  }
  if (mostInFlight > 10) findings.add('asked too many at once', String(mostInFlight))
  // A minute until enough is answered.
  if (idle > 60) findings.add('agents waited', `${idle} s of the first half`)
  return {
    name: 'gate',
    figures: {
      leads: leadCount,
      requests,
      rounds,
      'refused leads': refused.length,
      'calls, each with a fresh yes': called,
      'seconds with fewer calls than the pace, of the first half': idle,
      'virtual minutes': Math.round((seconds * 1_000) / minuteMs),
    },
    broken: findings.all(),
  }
}
