// Events and webhooks: how many a second go out to one receiver and to a hundred, how soon after the commit they come,
// and what it costs the requests that cause them when somebody listens. That all come in order, whatever fails, is
// shown by test/hard/webhooks.ts.
import { sendJson } from '../../hard/client.ts'
import { addWebhook, timeFromCommit, timeSending, until } from '../../hard/sending.ts'
import { behaviours, type SocketReceiver } from '../../support/webhooks/socket-receiver.ts'
import { findEndpoints } from '../endpoints.ts'
import { type Load, withLoad } from '../load-process.ts'
import type { Build, RunningWorker, Runtime } from '../runtime.ts'
import { pairedRatio, type Spread } from '../statistics.ts'
import { apiKey } from '../subjects.ts'
import { withRuntime } from '../with-runtime.ts'
import { type Plan, roundsOf, runCell, warmUp } from './throughput.ts'

/** The same Worker three times: nobody listens; somebody reads the log; a webhook gets all that is created. */
const audiences = ['nobody', 'log', 'webhook'] as const
type Audience = (typeof audiences)[number]

/** As many webhooks as a company may have. */
export const manyEndpoints = 100
const createsPerRound = 100

/** To many: of all together. */
type Sending = Readonly<Record<'perSecondToOne' | 'perSecondToMany' | 'fromCommitMs', readonly number[]>>

export type Events = { readonly sending: Sending; readonly listening: readonly Listening[] }

export async function measureEvents(
  build: Build,
  plan: Plan,
  isQuick: boolean,
  say: (text: string) => void,
): Promise<Events> {
  const sending = await withRuntime({ ours: { build } }, ({ workers }) =>
    measureSending(workers.get('ours') as RunningWorker, isQuick ? 3 : 5, isQuick ? 1000 : 3000),
  )
  say('sending of events')
  const setups = audiences.map((name) => [name, { build, campaigns: listened.campaigns }] as const)
  const listening = await withRuntime(Object.fromEntries(setups), (runtime) =>
    withLoad((load) => measureListening(runtime, load, plan)),
  )
  say('requests that are listened to')
  return { sending, listening }
}

async function measureSending(worker: RunningWorker, rounds: number, events: number): Promise<Sending> {
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
  readonly request: string
  /** Processor time beside that with nobody listening; sending to the webhook is a part of it. */
  readonly logToNobody: Spread
  readonly webhookToNobody: Spread
}

const listened = findEndpoints(['create', 'bulk of 1000'])

async function measureListening(runtime: Runtime, load: Load, plan: Plan): Promise<Listening[]> {
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
  await warmUp(runtime, load, listened, audiences)
  await drain()
  const results: Listening[] = []
  for (const endpoint of listened.endpoints) {
    const cpuMs: Record<Audience, number[]> = { nobody: [], log: [], webhook: [] }
    for (let round = 0; round < roundsOf(endpoint, plan); round++) {
      for (let turn = 0; turn < audiences.length; turn++) {
        const name = audiences[(turn + round) % audiences.length] as Audience
        cpuMs[name].push((await runCell(runtime, load, name, endpoint.kind, plan)).cpuMs)
        if (name === 'webhook') await drain()
      }
    }
    results.push({
      request: endpoint.name,
      logToNobody: pairedRatio(cpuMs.log, cpuMs.nobody),
      webhookToNobody: pairedRatio(cpuMs.webhook, cpuMs.nobody),
    })
  }
  receiver.close()
  return results
}

/** From the first question for the log on, it is written. */
async function startListening(port: number): Promise<void> {
  const { status, text } = await sendJson(port, apiKey(0), 'GET', '/api/v1/events')
  if (status !== 200) throw new Error(text)
}
