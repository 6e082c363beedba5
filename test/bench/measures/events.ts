// Events and webhooks: how many a second go out to one receiver and to a hundred, how soon after the commit they come,
// and what it costs the requests that cause them when somebody listens. That all come in order, whatever fails, is
// shown by test/hard/webhooks.ts.
import { sendJson } from '../../hard/client.ts'
import { addWebhook, timeFromCommit, timeSending, until } from '../../hard/sending.ts'
import { behaviours, type SocketReceiver } from '../../support/socket-receiver.ts'
import type { Load } from '../load-process.ts'
import { requestMaker } from '../requests.ts'
import type { RunningWorker, Runtime } from '../runtime.ts'
import { apiKey } from '../subjects.ts'
import { timed } from './far.ts'
import { endpoints, type Plan, runCell, warmUp } from './throughput.ts'

/** The same Worker three times: nobody listens; somebody reads the log; a webhook gets all that is created. */
export const audiences = ['nobody', 'log', 'webhook'] as const
export type Audience = (typeof audiences)[number]

/** As many webhooks as a company may have. */
export const manyEndpoints = 100
const createsPerRound = 100

/** To many: of all together. */
export type Sending = Readonly<
  Record<'perSecondToOne' | 'perSecondToMany' | 'fromCommitMs', readonly number[]>
>

export async function measureSending(
  worker: RunningWorker,
  rounds: number,
  events: number,
): Promise<Sending> {
  const sending = {
    perSecondToOne: [] as number[],
    perSecondToMany: [] as number[],
    fromCommitMs: [] as number[],
  }
  const eventsToEach = Math.ceil((events * 2) / manyEndpoints)
  for (let round = 0; round < rounds; round++) {
    const one = await timeSending(worker, `one-${round}`, 1, events)
    sending.perSecondToOne.push(one.perSecond)
    finish(one.receivers, events)
    const many = await timeSending(worker, `many-${round}`, manyEndpoints, eventsToEach)
    sending.perSecondToMany.push(many.perSecond)
    finish(many.receivers, eventsToEach)
    const soon = await timeFromCommit(worker, `soon-${round}`, createsPerRound)
    sending.fromCommitMs.push(...soon.waitsMs)
    finish([soon.receiver], createsPerRound)
  }
  return sending
}

function finish(receivers: readonly SocketReceiver[], events: number): void {
  for (const receiver of receivers) {
    assertAllCame(receiver, events)
    receiver.close()
  }
}

/** What did not come, or came twice, ends the run. */
function assertAllCame({ received, forged }: SocketReceiver, events: number): void {
  if (received.length !== events || forged.length > 0)
    throw new Error(`${received.length} of ${events} events came, ${forged.length} with a wrong signature`)
}

export type Listening = {
  readonly endpoint: string
  readonly connections: number
  /** By round. */
  readonly perSecond: Readonly<Record<Audience, readonly number[]>>
  /** A request's. What is sent to the webhook after a turn is no part of it. */
  readonly cpuMs: Readonly<Record<Audience, readonly number[]>>
}

const connections = 16
const listened = endpoints.filter(({ kind }) => kind.path === 'create' || kind.path === 'bulk')

/** Turns of creates are short, and there are the more of them. */
const roundsOf = (endpoint: string, plan: Plan) => (endpoint === 'create' ? 3 * plan.rounds : plan.rounds)

export async function measureListening(runtime: Runtime, load: Load, plan: Plan): Promise<Listening[]> {
  const listening = runtime.workers.get('webhook') as RunningWorker
  await startListening(runtime.workers.get('log')?.port as number)
  const receiver = await addWebhook(listening, { manageKey: apiKey(0) }, behaviours.well, ['leads.created'])
  /** Otherwise it would still get events of its own turn in another's. */
  const drain = async () => {
    const count = listening.db.prepare(`select count(*) as n from events where type = 'leads.created'`)
    const logged = (await count.first<number>('n')) ?? Number.NaN
    await until(() => receiver.received.length >= logged)
    assertAllCame(receiver, logged)
  }
  await warmUp(runtime, load, audiences)
  await drain()
  const results: Listening[] = []
  for (const { name: endpoint, kind } of listened) {
    const perSecond: Record<Audience, number[]> = { nobody: [], log: [], webhook: [] }
    const cpuMs: Record<Audience, number[]> = { nobody: [], log: [], webhook: [] }
    for (let round = 0; round < roundsOf(endpoint, plan); round++) {
      for (let turn = 0; turn < audiences.length; turn++) {
        const name = audiences[(turn + round) % audiences.length] as Audience
        const cell = await runCell(runtime, load, name, kind, connections, plan)
        perSecond[name].push(cell.perSecond)
        cpuMs[name].push(cell.cpuMs)
        if (name === 'webhook') await drain()
      }
    }
    results.push({ endpoint, connections, perSecond, cpuMs })
  }
  receiver.close()
  return results
}

/** Far from home, where D1's rows are counted: of the endpoints above, in their order. */
export async function countRows(runtime: Runtime): Promise<{ nobody: number; log: number }[]> {
  const portOf = (name: string) => runtime.workers.get(name)?.port as number
  await startListening(portOf('log'))
  const rows: { nobody: number; log: number }[] = []
  for (const { kind } of listened) {
    const rowsOf = async (name: string) =>
      (await timed(portOf(name), requestMaker(kind)(1))).trips.rowsWritten
    rows.push({ nobody: await rowsOf('nobody'), log: await rowsOf('log') })
  }
  return rows
}

/** From the first question for the log on, it is written. */
async function startListening(port: number): Promise<void> {
  const { status, text } = await sendJson(port, apiKey(0), 'GET', '/api/v1/events')
  if (status !== 200) throw new Error(text)
}
