// One world: sets the service up, lets people act, and holds what happens against the promises.
import { crc32 } from 'node:zlib'
import { hashApiKey, hintApiKey } from '../../src/base/access/api-key.ts'
import { digestBase62, numberBase62 } from '../../src/base/base62.ts'
import { drawsOf } from './draws.ts'
import { type FaultName, faultNames, type PlannedName } from './faults.ts'
import { inspect } from './inspect.ts'
import { lookSinceMs, noteCalls } from './model/calls.ts'
import { openGate } from './model/gates.ts'
import { openIdentity } from './model/identity.ts'
import { type Known, nothingKnown } from './model/known.ts'
import { learn, learnCommitted, learnSent } from './model/learn.ts'
import { middleOf } from './model/middle.ts'
import { noteMoves } from './model/moves.ts'
import { openProviders } from './model/providers.ts'
import { everythingIn, quietHour } from './model/quiet.ts'
import { openReceiver } from './model/receivers.ts'
import { companiesAt, type Rows, rowsOf, storeOf } from './model/rows.ts'
import { lookAt, type Seen } from './model/seen.ts'
import type { Answer, Commit, Exchange } from './observed.ts'
import { operations, pathOf } from './operations.ts'
import { deedOf } from './people/everybody.ts'
import type { Scope, Sending } from './people/person.ts'
import type { Program } from './platform/isolate.ts'
import { createService } from './platform/service.ts'
import { promises } from './promises/all.ts'
import type { Action, Story } from './story.ts'

export type Broken = {
  readonly promise: string
  readonly says: string
  /** After which action of the story. */
  readonly action: number
}

export type Ended = {
  readonly broken: Broken | null
  readonly digest: string
  readonly requests: number
  readonly faults: ReadonlyMap<FaultName, number>
  readonly operations: ReadonlySet<string>
  readonly known: Known
}

/** What a world has done, to be done again without what one of its companies did. */
export type Again = {
  readonly exchanges: readonly Exchange[]
  readonly isLeftOut: (one: Exchange) => boolean
}

/** Before the story. */
export const setupOperations = ['createCompany', 'createCompanyKey', 'createCampaign']

type Doing = Pick<Action, 'n' | 'who'>

const plannedNames: ReadonlySet<FaultName> = new Set(faultNames)

const minuteMs = 60_000
/** After the last action. */
const restMs = 5 * minuteMs
const longestLeaseMs = 125 * minuteMs
const lookEvery = 20
/** One in so many worlds goes on for an hour in which nobody asks for anything. */
const quietEvery = 4
/** One way, where interleaving is 1. */
const slowestMs = 4_000
/** Objects lose what they were doing. */
const deadly: ReadonlySet<FaultName> = new Set([
  ...(['object dies', 'objects die', 'objects sleep', 'isolate forgets'] as const),
  ...(['alarms late', 'alarms twice', 'alarms dropped'] as const),
])

export async function runWorld(program: Program, story: Story, again: Again | null = null): Promise<Ended> {
  const { seed, cast, actions, interleaving } = story
  const known = nothingKnown(cast)
  known.slowestMs = 2 * slowestMs * interleaving
  const faultCounts = new Map<FaultName, number>()
  const used = new Set<string>()
  const keys = new Map<string, string>()
  let broken: Broken | null = null
  let [current, requests] = [-1, 0]

  const noteFault = (name: FaultName) => {
    faultCounts.set(name, (faultCounts.get(name) ?? 0) + 1)
    known.haveObjectsDied ||= deadly.has(name)
    known.hasFailed ||= plannedNames.has(name)
  }
  const fail = (promise: string, says: string) => {
    broken ??= { promise, says, action: current }
  }
  const hold = (check: (promise: (typeof promises)[number]) => string | null | undefined) => {
    // What is done again is compared, and what is known belongs to the first time.
    for (const promise of again === null ? promises : []) {
      const says = check(promise)
      if (says != null) fail(promise.name, says)
    }
  }

  const service = createService({
    hasRestores: actions.some(({ does }) => does === 'restoreCompany'),
    program,
    seed,
    startMs: cast.startMs,
    onCommit,
    look: (sqlite, changed) => lookAt(sqlite, changed, lookSinceMs(known, service.agenda.nowMs())),
    onFault: noteFault,
    onSent: (context, count) => {
      if (/^Dialer .* alarm \d+$/.test(context)) known.mostInRound = Math.max(known.mostInRound, count)
    },
  })
  const { agenda } = service
  openProviders(service, known, seed)
  openGate(service, known, seed)
  openIdentity(service)
  openReceiver(service, known, seed)

  function onCommit({ store, moment, atMs }: Commit, seen: Seen | null, exchange: Exchange | null): void {
    if (exchange !== null) learnCommitted(known, exchange)
    if (seen === null) return
    const [here, cause] = [companiesAt(service, store), { exchange, moment, nowMs: atMs }]
    const moved = noteCalls(known, seen, here, cause)
    for (const { call, was } of moved) if (was === null) hold(({ onCall }) => onCall?.(call, known))
    for (const move of noteMoves(known, seen, here, moved, cause)) hold(({ onMove }) => onMove?.(move, known))
  }

  type Request = Pick<Exchange, 'operation' | 'company' | 'method' | 'path' | 'body' | 'about' | 'key'> & {
    readonly headers: Readonly<Record<string, string>>
  }

  /** Null: no answer comes. `name` is another one for each request of a world. */
  function send(sending: Sending, action: Doing, name: string): Promise<Answer | null> {
    const {
      operation,
      company,
      scope,
      parts = {},
      query = {},
      body,
      headers = {},
      key = null,
      about = null,
    } = sending
    used.add(operation)
    const { method } = operations.get(operation) as { method: string }
    const ofScope = keys.get(scope === 'operate' ? 'operator' : `${company} ${scope}`) ?? ''
    return deliver(
      {
        ...{ operation, company, method, path: pathOf(operation, parts, query), body, about, key },
        headers: { 'x-api-key': key ?? ofScope, ...headers },
      },
      action,
      name,
    )
  }

  function deliver(request: Request, action: Doing, name: string): Promise<Answer | null> {
    const ofClient = (wanted: PlannedName) =>
      story.faults.some((fault) => fault.action === action.n && fault.name === wanted)
    if (ofClient('sent twice')) {
      noteFault('sent twice')
      void deliverOnce(request, action, `${name} twice`)
    }
    return deliverOnce(request, action, name, ofClient('answer lost') && !name.includes('again'))
  }

  async function deliverOnce(
    { headers, ...request }: Request,
    action: Doing,
    name: string,
    isLost = false,
  ): Promise<Answer | null> {
    requests++
    const { operation, method, path, body } = request
    const exchange: Exchange = {
      ...{ ...request, headers, name, action: action.n, who: action.who },
      idempotencyKey: headers['idempotency-key'] ?? null,
      ...{
        sentMs: agenda.nowMs(),
        sentAt: agenda.moment(),
        answer: null,
        answeredAt: null,
        answeredMs: null,
        commits: [],
      },
    }
    known.exchanges.push(exchange)
    learnSent(known, exchange)
    const sent = {
      ...{ method, path, body: body === undefined ? null : JSON.stringify(body) },
      headers: {
        'cf-connecting-ip': '192.0.2.1',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
    }
    const faults = story.faults.filter((fault) => fault.action === action.n)
    const { status, headers: answered, text } = await service.request(name, sent, exchange, faults)
    if (isLost) {
      noteFault('answer lost')
      return null
    }
    exchange.answer = { status, headers: answered, body: text === '' ? null : parse(text) }
    exchange.answeredAt = agenda.moment()
    exchange.answeredMs = agenda.nowMs()
    if (status === 500) fail('no 500', `${operation} is answered 500`)
    learn(known, exchange)
    const met = middleOf(known, exchange)
    if (met !== null) noteFault(met)
    hold(({ onAnswer }) => onAnswer?.(exchange, known))
    return exchange.answer
  }

  async function setUp(): Promise<void> {
    keys.set('operator', operatorKey(seed))
    const [key, now] = [keys.get('operator') as string, agenda.nowMs()]
    service.sqlite.run(
      'insert into operator_keys (id, hash, hint, created_at_ms, expires_at_ms) values (?1, ?2, ?3, ?4, ?5)',
      ['op_0000000000000000', hashApiKey(key), hintApiKey(key), now, now + 400 * 24 * 60 * minuteMs],
    )
    let count = 0
    const ask = async (sending: Sending) => {
      const answer = await send(sending, { n: -1, who: 'setup' }, `setup ${++count}`)
      if (answer === null || answer.status >= 300)
        throw new Error(`${sending.operation}: ${answer?.status} ${JSON.stringify(answer?.body)}`)
      return answer.body.data
    }
    for (const [company, { id, store, campaigns }] of cast.companies.entries()) {
      const operate = { company, scope: 'operate', parts: { companyId: id } } as const
      await ask({ ...operate, operation: 'createCompany', body: { id, name: id, store } })
      for (const scope of ['read', 'write', 'agent', 'manage'] satisfies Scope[]) {
        const data = await ask({ ...operate, operation: 'createCompanyKey', body: { name: scope, scope } })
        keys.set(`${company} ${scope}`, data.key)
      }
      for (const campaign of campaigns) {
        const body = { id: campaign.id, name: campaign.id, ...campaign.settings }
        await ask({ operation: 'createCampaign', company, scope: 'manage', body })
      }
    }
  }

  /** The same requests at the same times, whatever they are answered. */
  async function actAgain(action: Action, { exchanges, isLeftOut }: Again): Promise<void> {
    const done = new Map<Exchange, Promise<unknown>>()
    for (const one of exchanges.filter((each) => each.action === action.n && !isLeftOut(each))) {
      // What was sent beside others is sent beside them again.
      for (const [{ answeredAt }, delivered] of done)
        if ((answeredAt ?? Number.POSITIVE_INFINITY) <= one.sentAt) await delivered
      if (one.sentMs > agenda.nowMs())
        await new Promise<void>((resolve) => void agenda.after(one.sentMs - agenda.nowMs(), resolve))
      done.set(one, deliver(one, action, one.name))
    }
    await Promise.all(done.values())
  }

  async function act(action: Action): Promise<void> {
    if (again !== null) return actAgain(action, again)
    const draws = drawsOf(seed, `act ${action.n}`)
    let sent = 0
    const nameOfNext = () => `${action.who} ${action.n}${sent++ > 0 ? ` again ${sent}` : ''}`
    await deedOf(action.who, action.does).act(action.with, {
      cast,
      known,
      draws,
      action: action.n,
      nowMs: agenda.nowMs,
      met: noteFault,
      client: (work) => service.withClient(`client ${action.n}`, work),
      wait: (ms) => new Promise((resolve) => void agenda.after(ms, resolve)),
      send: (sending) => send(sending, action, nameOfNext()),
      visit: (operation, method, about, headers) =>
        deliver(
          {
            ...{ operation, company: about.company, method, path: '/console/session' },
            ...{ body: undefined, about, key: operation === 'signOut' ? about.text : null, headers },
          },
          action,
          nameOfNext(),
        ),
      sendTo: (url, body, about) => {
        const { pathname: path } = new URL(url)
        const { source } = (about ?? {}) as { readonly source?: { readonly company: number } }
        const company = source?.company ?? null
        const request = {
          operation: source === undefined ? action.does : 'post',
          company,
          method: 'POST',
          path,
          body,
          about: about ?? null,
          key: null,
        }
        return deliver({ ...request, headers: {} }, action, nameOfNext())
      },
    })
  }

  function eachCompany(work: (rows: Rows, company: number) => void): void {
    cast.companies.forEach(({ id }, company) => {
      const sqlite = storeOf(service, id)
      if (sqlite !== null) work(rowsOf(sqlite, id, service), company)
    })
  }
  const look = () => eachCompany((rows, company) => hold(({ onLook }) => onLook?.(rows, company, known)))

  /** Without a request. */
  async function restAnHour(): Promise<void> {
    const before = everythingIn(service)
    const endsAtMs = agenda.worldMs() + 60 * minuteMs
    service.runCron(() => false, endsAtMs)
    await agenda.runUntil(endsAtMs, isOver)
    const hour = quietHour(before, everythingIn(service))
    hold(({ afterQuiet }) => afterQuiet?.(hour, known))
  }

  const troubleAlarms = (name: PlannedName) => {
    known.areAlarmsTroubled = true
    service.troubleAlarms(name)
  }
  const timed: Partial<Record<PlannedName, () => void>> = {
    'objects die': () => service.killObjects(),
    'objects sleep': () => service.killObjects(true),
    'isolate forgets': () => service.forget(),
    'alarms late': () => troubleAlarms('alarms late'),
    'alarms twice': () => service.troubleAlarms('alarms twice'),
    'alarms dropped': () => troubleAlarms('alarms dropped'),
    'clock jumps back': () => {
      known.jumpedMs += 2_000
      agenda.jump(-2_000)
    },
  }

  const onError = (error: unknown) => fail('the harness works', (error as Error).stack ?? String(error))
  const isOver = () => broken !== null
  try {
    let isSetUp = false
    void setUp().then(() => {
      isSetUp = true
    }, onError)
    await agenda.runUntil(Number.POSITIVE_INFINITY, () => isSetUp || isOver())
    agenda.interleave(interleaving)
    const startMs = agenda.worldMs()
    let done = 0
    for (const action of actions)
      agenda.after(action.atMs, () => {
        current = action.n
        void act(action).catch(onError)
        if (++done % lookEvery === 0) look()
      })
    for (const { name, action, atMs } of story.faults)
      if (action === null)
        agenda.after(atMs, () => {
          noteFault(name)
          timed[name]?.()
        })
    const endMs = (actions.at(-1)?.atMs ?? 0) + restMs
    service.runCron((ms) => isQuiet(actions, ms - startMs), startMs + endMs)
    await agenda.runUntil(startMs + endMs, isOver)
    if (!isOver()) look()
    // The longest lease, two minutes of the cron, and a minute for stores.
    agenda.interleave(0)
    await agenda.runUntil(startMs + endMs + longestLeaseMs, isOver)
    service.runCron(() => false, startMs + endMs + longestLeaseMs + restMs)
    await agenda.runUntil(startMs + endMs + longestLeaseMs + restMs, isOver)
    if (!isOver()) {
      look()
      eachCompany((rows, company) => hold(({ atEnd }) => atEnd?.(rows, company, agenda.nowMs(), known)))
      if (drawsOf(seed, 'quiet').isOneOf(quietEvery)) await restAnHour()
      let isInspected = false
      const asked = new Map<number | null, number>()
      const ask = (sending: Sending) => {
        const count = (asked.get(sending.company) ?? 0) + 1
        asked.set(sending.company, count)
        return send(sending, { n: -1, who: 'inspector' }, `inspector ${sending.company} ${count}`)
      }
      void inspect(cast, ask).then(() => {
        isInspected = true
      }, onError)
      await agenda.runUntil(agenda.worldMs() + minuteMs, () => isInspected || isOver())
    }
    return { broken, digest: service.digest(), requests, faults: faultCounts, operations: used, known }
  } finally {
    if (process.env.SIMULATION_LOG) for (const entry of service.logged) console.error(JSON.stringify(entry))
    service.close()
  }
}

/** No action is near: then nobody waits for the cron, which takes most of the time of a world. */
const isQuiet = (actions: readonly Action[], atMs: number): boolean =>
  !actions.some((action) => action.atMs > atMs - minuteMs && action.atMs < atMs)

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function operatorKey(seed: number): string {
  const { next } = drawsOf(seed, 'operator key')
  const body = `lk_op_${digestBase62(Uint8Array.from({ length: 32 }, next), 32)}`
  return body + numberBase62(crc32(body), 6)
}
