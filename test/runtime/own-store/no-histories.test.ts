// Random histories of two companies with the same campaigns and the same two phones, each written in two ways: leads,
// calls by agents and by a dialer, reports at any time and of any order, what a provider tells late, erasures, restores
// and lifts. A do-not-call that a report or a provider's answer held is on the list of its company, and of no other,
// unless a person has lifted it later. The clock is years ahead, so that no alarm goes off but those that the test
// runs.
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { beforeEach, expect, it, vi } from 'vitest'
import { randomBase62 } from '../../../src/base/base62.ts'
import type { CompanyStore } from '../../../src/control/companies/company-object.ts'
import { openAtAllHours } from '../../support/calling/agent.ts'
import { type Kind, seedCompanyIn } from '../../support/companies/own-company.ts'
import { objectOf, openHistory } from '../../support/companies/restoring.ts'
import { newPhone } from '../../support/database/seed.ts'
import { secret, templateAt } from '../../support/dialers/dialer-world.ts'
import { openHost, type Sent } from '../../support/dialers/provider-host.ts'
import { api } from '../../support/http/api.ts'
import { isThorough } from '../../support/run/thorough.ts'

const [secondMs, minuteMs, hourMs, dayMs] = [1_000, 60_000, 3_600_000, 86_400_000]

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2036, 0, 16, 12) }))

/** Two phones, as they are written today and as until 2019, and with the 9 by which Argentina is called from abroad. */
const phones = [
  ['+525512345678', '+5215512345678'],
  ['+541123456789', '+5491123456789'],
] as const
const phoneOf = (number: string) => phones.findIndex((spellings) => spellings.some((one) => one === number))

/** By agents, and by the dialer. */
const [byAgents, byDialer] = [['calls', 'more'], 'dialled'] as const

const acts = {
  call: 5,
  'say no': 2,
  'say something': 4,
  'say no to the other company': 1,
  erase: 2,
  'delete the lead': 2,
  requeue: 2,
  lift: 2,
  'set the dialer': 2,
  dial: 4,
  'remove the dialer': 1,
  keep: 2,
  restore: 2,
  wait: 2,
} as const
type Act = keyof typeof acts
type Step = {
  readonly what: Act
  readonly who: 0 | 1
  readonly phone: 0 | 1
  readonly spelling: 0 | 1
  readonly pick: number
  readonly waitMs: number
}

/** What becomes of the next call of a dialer. `tellsAfterMs`: after its end; null: nobody says no in it. */
type Fate = {
  readonly lastsMs: number
  readonly tellsAfterMs: number | null
  /** Until then the answer has an outcome, so that nothing seems to be missing. */
  readonly seemsComplete: boolean
}

type Call = { readonly callId: string; readonly phone: number; readonly atMs: number }
type Rung = Fate & {
  readonly id: string
  readonly number: string
  endsAtMs: number
  wasAsked: boolean
}

/** What a person of the phone has said to the company. */
type Said = {
  /** A no, which nobody has lifted since. */
  isNo: boolean
  /** Nothing was said or done by which the number could be suppressed. */
  isUntouched: boolean
}

class Company {
  readonly said: readonly Said[] = phones.map(() => ({ isNo: false, isUntouched: true }))
  readonly calls: Call[] = []
  readonly leads: string[] = []
  readonly rung: Rung[] = []
  readonly faults: string[] = []
  readonly history
  readonly #own
  readonly #host
  readonly #dialer
  readonly #fates: Fate[]

  private constructor(
    own: Awaited<ReturnType<typeof seedCompanyIn>>,
    number: number,
    fates: readonly Fate[],
  ) {
    this.#own = own
    this.#fates = [...fates]
    this.history = openHistory(own)
    this.#host = openHost((sent) => this.#tell(sent))
    this.#dialer = env.DIALERS.getByName(`${own.companyId}/${number}`)
  }

  static async open(kind: Kind, fates: readonly Fate[], mark: string) {
    const own = await seedCompanyIn(kind, `${byAgents[0]}-${mark}`)
    const numberLimits = { minGapMinutes: null, per24Hours: null, per7Days: null }
    const settings = { ...openAtAllHours, numberLimits, maxAttempts: 50 }
    await own.ask('PATCH', `/api/v1/campaigns/${own.campaignId}`, settings)
    for (const id of [byAgents[1], byDialer])
      await own.ask('POST', '/api/v1/campaigns', { ...settings, id: `${id}-${mark}`, name: id }, 201)
    const number = await own.db
      .prepare('select number from campaigns where company_id = ?1 and id = ?2')
      .bind(own.companyId, `${byDialer}-${mark}`)
      .first<number>('number')
    return new Company(own, number as number, fates)
  }

  #id = (name: string) => this.#own.campaignId.replace(byAgents[0], name)

  /** Whatever is answered: no request of these may fail. */
  async ask(method: string, path: string, body?: object) {
    const {
      status,
      body: read,
      text,
    } = await api(this.#own.keyOf('manage').key).request(method, `/api/v1${path}`, body)
    if (status >= 500) throw new Error(`${method} ${path}: ${text}`)
    return (read?.data ?? {}) as Record<string, never>
  }

  async add(name: string, phoneNumber: string) {
    const { leadId } = await this.ask('POST', '/leads', { campaignId: this.#id(name), phoneNumber })
    if (leadId !== undefined) this.leads.push(leadId)
  }

  /** Returns the numbers. */
  async claim(name: string): Promise<string[]> {
    const { calls = [] } = (await this.ask('POST', '/calls/claim', {
      campaignId: this.#id(name),
      limit: 100,
    })) as { calls?: { callId: string; lead: { phoneNumber: string } }[] }
    for (const { callId, lead } of calls) {
      const phone = phoneOf(lead.phoneNumber)
      this.#ring(lead.phoneNumber, `claimed in ${name}`)
      if (phone >= 0) this.calls.push({ callId, phone, atMs: Date.now() })
    }
    return calls.map(({ lead }) => lead.phoneNumber)
  }

  #ring(number: string, how: string) {
    if (this.said[phoneOf(number)]?.isNo) this.faults.push(`${number} was ${how}`)
  }

  sayNo(phone: number) {
    Object.assign(this.said[phone] as Said, { isNo: true, isUntouched: false })
  }

  /** A no, at whatever time, of a lead that may be gone. */
  async hear(call: Call | undefined, pick: number) {
    if (call === undefined) return
    const no = pick % 2 === 0 ? { outcome: 'do_not_call' } : { outcome: 'answered', doNotCall: true }
    if ((await this.report(call, no)) === 'unknown_call') this.faults.push('a no was not heard')
    this.sayNo(call.phone)
  }

  async report(call: Call, more: object) {
    const { results = [] } = (await this.ask('POST', '/calls/report', {
      calls: [{ callId: call.callId, ...more }],
    })) as { results?: { result: string }[] }
    return results[0]?.result
  }

  /** The provider. */
  #tell({ method, path, text }: Sent): Response {
    const nowMs = Date.now()
    if (method === 'POST' && path === '/calls') {
      const { to: number } = JSON.parse(text)
      this.#ring(number, 'dialled')
      const fate = this.#fates.shift() ?? { lastsMs: minuteMs, tellsAfterMs: null, seemsComplete: true }
      const id = `p${this.rung.length + 1}`
      this.rung.push({ ...fate, id, number, endsAtMs: nowMs + fate.lastsMs, wasAsked: false })
      return Response.json({ id }, { status: 201 })
    }
    const call = this.rung.find(({ id }) => id === path.split('/')[2])
    if (call === undefined) return Response.json({}, { status: 404 })
    if (method === 'POST') {
      call.endsAtMs = Math.min(call.endsAtMs, nowMs)
      return Response.json({})
    }
    if (nowMs < call.endsAtMs) return Response.json({ state: 'talking' })
    const end = { state: 'ended', reason: 'answered', talked: true }
    const { tellsAfterMs, seemsComplete } = call
    if (tellsAfterMs === null || nowMs < call.endsAtMs + tellsAfterMs)
      return Response.json({ ...end, analysis: seemsComplete ? { outcome: 'answered' } : null })
    if (!call.wasAsked) this.sayNo(phoneOf(call.number))
    call.wasAsked = true
    return Response.json({ ...end, analysis: { outcome: 'answered', doNotCall: 'Yes' } })
  }

  /** When its dialer has something to do. */
  nextMs = async () =>
    (await runInDurableObject(this.#dialer, (_: unknown, { storage }) => storage.getAlarm())) ??
    Number.POSITIVE_INFINITY

  /** Whatever the clock says by then. */
  async dial() {
    await runDurableObjectAlarm(this.#dialer)
  }

  setDialer = () =>
    this.ask('PUT', `/campaigns/${this.#id(byDialer)}/dialer`, {
      ...{ preset: 'custom', template: templateAt(this.#host.url), secrets: { apiKey: secret } },
    })
  removeDialer = () => this.ask('DELETE', `/campaigns/${this.#id(byDialer)}/dialer`)

  async resume() {
    for (const name of [...byAgents, byDialer])
      await this.ask('PATCH', `/campaigns/${this.#id(name)}`, { paused: false })
  }

  /** What a store of its own does each minute. */
  async work() {
    const { store } = this.#own
    if (store !== null) await runInDurableObject(objectOf(store), (object: CompanyStore) => object.alarm())
  }
}

/** Runs what is due until then, of both. */
async function pass(companies: readonly Company[], ms: number) {
  const untilMs = Date.now() + ms
  for (;;) {
    const times = await Promise.all(companies.map((company) => company.nextMs()))
    const atMs = Math.min(...times)
    if (atMs > untilMs) break
    vi.setSystemTime(Math.max(Date.now(), atMs))
    await companies[times.indexOf(atMs)]?.dial()
  }
  vi.setSystemTime(untilMs)
  if (ms >= minuteMs) for (const company of companies) await company.work()
}

async function act(company: Company, other: Company, { what, phone, spelling, pick }: Step) {
  const phoneNumber = phones[phone][spelling]
  const said = company.said[phone] as Said
  const picked = <Item>(items: readonly Item[]) => items[items.length - 1 - (pick % items.length)]
  const call = picked(company.calls)
  const leadId = picked(company.leads)
  switch (what) {
    case 'call':
      await company.add(byAgents[pick % 2] as string, phoneNumber)
      for (const name of byAgents) await company.claim(name)
      return
    case 'say no':
      return company.hear(call, pick)
    case 'say something': {
      const outcome = ['busy', 'answered', 'no_answer', 'wrong_number'][pick % 4]
      if (call === undefined) return
      if (pick % 5 > 0) await company.report(call, { outcome })
      else await company.ask('POST', '/calls/release', { calls: [{ callId: call.callId }] })
      return
    }
    case 'say no to the other company':
      if (call !== undefined)
        expect(await other.report(call, { outcome: 'do_not_call' })).toBe('unknown_call')
      return
    case 'erase':
      // A number that is called now is suppressed by it, until that is lifted.
      said.isUntouched = false
      return void (await company.ask('POST', '/erasures', { phoneNumber, suppress: false }))
    case 'delete the lead':
      if (leadId !== undefined) await company.ask('DELETE', `/leads/${leadId}`)
      for (const one of company.said) one.isUntouched = false
      return
    case 'requeue':
      if (leadId !== undefined) await company.ask('POST', `/leads/${leadId}/requeue`, {})
      return
    case 'lift':
      await company.ask('DELETE', '/suppressions', { phoneNumbers: [phoneNumber] })
      said.isNo = false
      return
    case 'set the dialer':
      return void (await company.setDialer())
    case 'dial':
      return company.add(byDialer, phoneNumber)
    case 'remove the dialer':
      return void (await company.removeDialer())
    case 'keep':
      return company.history.keep()
    case 'restore': {
      const toMs = picked(company.history.times())
      if (toMs === undefined) return
      vi.setSystemTime(Date.now() + 2 * minuteMs)
      const result = await company.history.restore(toMs)
      expect(result).toMatchObject({ kind: expect.stringMatching(/^(restored|refused)$/) })
      for (const one of company.said) one.isUntouched = false
      return company.resume()
    }
  }
}

/** On the list: no lead of the phone is called, in whatever spelling and campaign. */
async function check(company: Company) {
  // A dialer never asked, though the answer was there within its hour.
  for (const { tellsAfterMs, seemsComplete, wasAsked, id } of company.rung)
    if (tellsAfterMs !== null && tellsAfterMs < (seemsComplete ? 4 : 50) * minuteMs && !wasAsked)
      company.faults.push(`${id} was not asked for what was said`)
  const stranger = newPhone()
  for (const name of byAgents)
    for (const number of [...phones.flat(), stranger]) await company.add(name, number)
  const claimed = []
  for (const name of byAgents) claimed.push(...(await company.claim(name)))
  expect(company.faults).toEqual([])
  expect(claimed).toContain(stranger)
  for (const [phone, { isUntouched }] of company.said.entries())
    if (isUntouched) expect(claimed.map(phoneOf)).toContain(phone)
}

/** `last`: which call of each phone of each company somebody says no in at the end; null: in none. */
async function live(
  kind: Kind,
  fates: readonly Fate[],
  steps: readonly Step[],
  last: readonly (number | null)[],
) {
  vi.setSystemTime(Date.UTC(2036, 0, 16, 12))
  const mark = randomBase62(8)
  const companies = [await Company.open(kind, fates, mark), await Company.open(kind, fates, mark)] as const
  for (const company of companies) await company.setDialer()
  for (const step of steps) {
    await act(companies[step.who], companies[1 - step.who] as Company, step)
    await pass(companies, step.waitMs)
  }
  for (const [index, pick] of last.entries()) {
    const company = companies[index % 2] as Company
    const calls = company.calls.filter(({ phone }) => phone === index >> 1)
    if (pick !== null) await company.hear(calls[pick % calls.length], pick)
  }
  await pass(companies, 2 * hourMs)
  await pass(companies, 2 * dayMs)
  for (const company of companies) await check(company)
}

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.oneof(
    ...Object.entries(acts).map(([act, weight]) => ({ arbitrary: fc.constant(act as Act), weight })),
  ),
  who: fc.constantFrom<0 | 1>(0, 0, 0, 0, 1),
  phone: fc.constantFrom<0 | 1>(0, 0, 1),
  spelling: fc.constantFrom<0 | 1>(0, 1),
  pick: fc.nat(5),
  waitMs: fc.constantFrom(secondMs, 20 * secondMs, minuteMs, 10 * minuteMs, hourMs),
})
const fate: fc.Arbitrary<Fate> = fc.record({
  lastsMs: fc.constantFrom(20 * secondMs, 2 * minuteMs, 10 * minuteMs),
  tellsAfterMs: fc.option(fc.constantFrom(0, 100 * secondMs, 200 * secondMs, 10 * minuteMs, 45 * minuteMs), {
    freq: 4,
  }),
  seemsComplete: fc.boolean(),
})

it.each<Kind>(['shared', 'own'])(
  'A no that a report or an answer held is on the list of its company alone, until a person lifts it: %s',
  async (kind) => {
    const steps = fc.array(step, { minLength: 12, maxLength: 30, size: 'max' })
    const fates = fc.array(fate, { minLength: 4, maxLength: 4 })
    const last = fc.array(fc.option(fc.nat(5)), { minLength: 4, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(fates, steps, last, (some, all, nos) => live(kind, some, all, nos)),
      // What fails is made shorter for a while.
      { numRuns: isThorough ? 30 : 6, interruptAfterTimeLimit: 120_000 },
    )
  },
  300_000,
)
