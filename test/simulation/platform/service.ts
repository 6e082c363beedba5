// The whole service: isolates, D1, objects, and what reaches it from outside.
import { createHash } from 'node:crypto'
import { nameBeside } from '../../../src/base/database/company-store.ts'
import type { Draws } from '../draws.ts'
import type { FaultName, PlannedFault, PlannedName } from '../faults.ts'
import type { Exchange } from '../observed.ts'
import { createAgenda } from './agenda.ts'
import { type Client, createClient } from './client.ts'
import { createD1, type Look, type OnCommit } from './d1.ts'
import { createIsolate, type Isolate, type Program } from './isolate.ts'
import { createObjects, objectReset, type SimObject } from './objects.ts'
import { createOutgoing } from './outgoing.ts'
import { createOutside } from './outside.ts'
import { openSqlite } from './sqlite.ts'

export type Service = ReturnType<typeof createService>

export type ServiceOptions = {
  readonly program: Program
  readonly seed: number
  readonly startMs: number
  readonly hasRestores: boolean
  readonly onCommit: (...committed: [...Parameters<OnCommit>, exchange: Exchange | null]) => void
  readonly look: Look
  readonly onFault: (name: FaultName) => void
  /** How many statements and requests a work has sent by now. */
  readonly onSent: (context: string, count: number) => void
}

export type SentRequest = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** Of hashes. */
export const pepper = 'pepper of the tests'

/** Of the cron: near actions, and in quiet times, where it would take most of a world's processor time. */
const [minuteMs, quietMs] = [60_000, 7_200_000]

export function createService(options: ServiceOptions) {
  const { program, seed, startMs, hasRestores, onCommit, look, onFault, onSent } = options
  const agenda = createAgenda(seed, startMs)
  const outgoing = createOutgoing(agenda, onFault, onSent)
  const outside = createOutside(agenda, outgoing)
  const trace = createHash('sha256')
  const logged: unknown[] = []
  const chance = (): Draws => agenda.context().ids
  const sqlite = openSqlite('d1', () => chance().next())
  const noteCommit: OnCommit = (commit, seen) => {
    const { exchange } = agenda.context()
    const { store, changed } = commit
    trace.update(`${store} ${changed.map(({ table, rows }) => `${table}:${rows}`).join()}\n`)
    exchange?.commits.push(commit)
    onCommit(commit, seen, exchange)
  }

  let isolate: Isolate
  let client: Client | null = null
  const objects = createObjects({
    agenda,
    outgoing,
    onCommit: noteCommit,
    look,
    classOf: (name) => isolate.classOf(name),
    env: () => env,
    hasRestores,
    onDeath: ({ className, name }) => {
      if (className === 'CompanyStore' && isRestoring(name)) onFault('restore interrupted')
    },
  })
  /** The object beside a store knows, and may be this one. */
  const isRestoring = (name: string): boolean =>
    [name, nameBeside(name)].some((each) => {
      const values = objects.all.get(`CompanyStore ${each}`)?.storage.values()
      const restore = values?.get('restore') as { readonly phase: string } | undefined
      return restore !== undefined && restore.phase !== 'done'
    })
  const { WebSocket, WebSocketPair } = objects
  const start = () =>
    createIsolate(program, {
      agenda,
      outside,
      sockets: { WebSocket, WebSocketPair },
      log: (entry) => logged.push(entry),
    })
  const env = {
    DB: createD1(agenda, sqlite, outgoing, noteCommit, look),
    RATE_LIMITER: objects.namespace('RateLimiter'),
    WEBHOOK_SENDERS: objects.namespace('WebhookSender'),
    CAMPAIGN_BELLS: objects.namespace('CampaignBell'),
    COMPANY_STORES: objects.namespace('CompanyStore'),
    DIALERS: objects.namespace('Dialer'),
    METRICS: { writeDataPoint() {} },
    ...{ SUPPRESSION_PEPPER: pepper, WEBHOOK_ROOT: 'root of the tests' },
    ...{ ACCESS_TEAM: 'sim', ACCESS_AUD: 'audience', ACCESS_ISSUER: '', ACCESS_CERTS: '' },
    ...{ SECURITY_CONTACT: '', SECURITY_EXPIRES: '' },
  }
  const ctx = () => ({
    waitUntil: (work: Promise<unknown>) => void work.catch(() => {}),
    passThroughOnException() {},
    props: {},
  })
  isolate = agenda.within(agenda.contextOf('start', null, []), start)

  /** What the client gets; null: nothing, ever. */
  async function request(
    name: string,
    { method, path, headers, body }: SentRequest,
    exchange: Exchange | null,
    faults: readonly PlannedFault[],
  ) {
    const context = agenda.contextOf(name, exchange, faults)
    await new Promise<void>((resolve) => void agenda.arrive(context, resolve))
    const sent = new Request(`https://sim.example${path}`, { method, headers, body })
    const answered = await agenda.within(context, async () => {
      const response = await isolate.fetch(sent, env, ctx())
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        text: await response.text(),
      }
    })
    trace.update(`${name} ${answered.status} ${JSON.stringify(answered.headers)} ${answered.text}\n`)
    await new Promise<void>((resolve) => void agenda.arrive(context, resolve))
    return answered
  }

  const alarmTrouble = { name: '' as PlannedName | '', untilMs: 0 }

  /** Each minute; in quiet times every second hour, and the alarms of stores are as late. */
  function runCron(isQuiet: (atMs: number) => boolean, untilMs: number): void {
    objects.delayAlarms(({ className, storage }, atMs) => {
      const isTroubled = agenda.nowMs() < alarmTrouble.untilMs
      if (isTroubled && alarmTrouble.name === 'alarms dropped') return []
      if (isTroubled && alarmTrouble.name === 'alarms late') return [atMs + 5 * minuteMs]
      const worldMs = atMs - agenda.nowMs() + agenda.worldMs()
      const isIdle =
        className === 'CompanyStore' && !storage.values().has('moving') && !storage.values().has('restoring')
      const isLater = isIdle && isQuiet(worldMs)
      const runsAtMs = isLater ? atMs + (nextCronMs(isQuiet, worldMs) - worldMs) : atMs
      // Not in the hour of rest, where nothing goes wrong.
      const isTwice = isTroubled && runsAtMs < alarmTrouble.untilMs + quietMs
      return isTwice ? [runsAtMs, runsAtMs + 1_000] : [runsAtMs]
    })
    const atMs = nextCronMs(isQuiet, agenda.worldMs())
    if (atMs > untilMs) return
    agenda.after(atMs - agenda.worldMs(), () => {
      const context = agenda.contextOf(`cron ${atMs}`, null, [])
      const controller = { scheduledTime: agenda.nowMs(), cron: '* * * * *', noRetry() {} }
      void agenda.within(context, () => isolate.scheduled(controller, env, ctx())).catch(() => {})
      runCron(isQuiet, untilMs)
    })
  }

  const alive = (): SimObject[] => [...objects.all.values()].filter(({ life }) => life !== null)
  return {
    agenda,
    objects,
    isRestoring,
    hosts: outside.hosts,
    sqlite,
    logged,
    request,
    runCron,
    /** `name`: whose chance and whose timers it takes. */
    withClient: <Result>(name: string, work: (client: Client) => Promise<Result>): Promise<Result> =>
      agenda.within(agenda.contextOf(name, null, []), () => {
        client ??= createClient(program, agenda)
        return work(client)
      }),
    /** A fault that was not planned has happened. */
    met: onFault,
    digest: () => trace.copy().digest('hex'),
    /** Of those that are set within a minute. */
    troubleAlarms: (name: PlannedName) =>
      Object.assign(alarmTrouble, { name, untilMs: agenda.nowMs() + minuteMs }),
    /** All that objects have in memory, and all that is not durable, is lost. */
    killObjects(isEvicted = false): void {
      for (const { life } of alive()) life?.die(objectReset(), isEvicted)
    },
    /** What comes now reaches another isolate. */
    forget(): void {
      for (const { life } of alive()) life?.die(objectReset())
      isolate = agenda.within(agenda.contextOf(`start ${agenda.moment()}`, null, []), start)
    },
    close: () => {
      sqlite.close()
      for (const { storage } of objects.all.values()) storage.sqlite()?.close()
    },
  }
}

function nextCronMs(isQuiet: (atMs: number) => boolean, afterMs: number): number {
  let atMs = afterMs - (afterMs % minuteMs) + minuteMs
  while (isQuiet(atMs) && atMs % quietMs !== 0) atMs += minuteMs
  return atMs
}
