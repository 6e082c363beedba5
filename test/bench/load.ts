// The load generator: a process of its own that sends requests over connection.ts, in a closed or an open loop, and
// counts and times the answers. Lean, because it shares the machine with what it measures. Started by load-process.ts,
// one job at a time over IPC.
import { type CallingKind, callingTalk, isCalling, type Talk } from './calling-requests.ts'
import { type Connection, open } from './connection.ts'
import { type RequestKind, requestMaker } from './requests.ts'

export type Job = {
  readonly port: number
  readonly kind: RequestKind | CallingKind
  /** Where the counter of keys, phone numbers and addresses begins. */
  readonly from: number
  readonly connections: number
  readonly warmUpMs: number
  /** For as long requests begin; all that began are waited for. */
  readonly durationMs: number
  /** Open loop at this rate; closed loop, as fast as it goes, when absent. */
  readonly requestsPerSecond?: number
}

export type Outcome = {
  readonly requests: number
  readonly requestsPerSecond: number
  readonly statuses: Record<string, number>
  /** Microseconds, ascending. In an open loop counted from when the request was due, not from when it left. */
  readonly latenciesUs: number[]
  readonly bytes: number
  /** The part of one core that this process used. */
  readonly cpu: number
  /** The counter's next value. */
  readonly next: number
}

const nowUs = () => Number(process.hrtime.bigint() / 1000n)

export async function runJob(job: Job): Promise<Outcome> {
  const talkOf = talks(job)
  const connections = await Promise.all(Array.from({ length: job.connections }, () => open(job.port)))
  const clients = connections.map((connection) => ({ connection, talk: talkOf() }))
  let next = job.from
  let isOver = false
  const statuses: Record<string, number> = {}
  let latenciesUs: number[] = []

  async function one({ connection, talk }: Client, dueUs: number) {
    const request = talk.request(next)
    if (request === null) {
      isOver = true
      return
    }
    next++
    let status: number
    if (talk.read === undefined) status = await connection.send(request)
    else {
      const answer = await connection.sendForBody(request)
      status = answer.status
      talk.read(answer.body)
    }
    statuses[status] = (statuses[status] ?? 0) + 1
    latenciesUs.push(nowUs() - dueUs)
  }

  async function phase(durationMs: number) {
    const startUs = nowUs()
    const untilUs = startUs + durationMs * 1000
    if (job.requestsPerSecond === undefined) {
      await Promise.all(
        clients.map(async (client) => {
          for (let atUs = startUs; atUs < untilUs && !isOver; atUs = nowUs()) await one(client, atUs)
        }),
      )
    } else {
      await openLoop(clients, job.requestsPerSecond, startUs, untilUs, one)
    }
    return (nowUs() - startUs) / 1e6
  }

  if (job.warmUpMs > 0) await phase(job.warmUpMs)
  latenciesUs = []
  const cpuStart = process.cpuUsage()
  // Until the last answer, since slow ones come in bursts, and a window can be open for one burst more or less.
  const seconds = await phase(job.durationMs)
  const { user, system } = process.cpuUsage(cpuStart)

  const bytes = connections.reduce((sum, connection) => sum + connection.bytes, 0)
  for (const connection of connections) connection.close()
  latenciesUs.sort((a, b) => a - b)
  return {
    requests: latenciesUs.length,
    requestsPerSecond: latenciesUs.length / seconds,
    statuses,
    latenciesUs,
    bytes,
    cpu: (user + system) / 1e6 / seconds,
    next,
  }
}

/** What a connection says: whatever comes next, or what follows from the answers that it is given to read. */
function talks({ kind, port }: Job): () => Omit<Talk, 'read'> & Partial<Pick<Talk, 'read'>> {
  if (isCalling(kind)) return () => callingTalk(kind, port)
  const request = requestMaker(kind)
  return () => ({ request })
}

type Client = { readonly connection: Connection; readonly talk: ReturnType<ReturnType<typeof talks>> }

/** Requests are due at random, as from many clients; one that finds no idle connection waits, and that counts. */
async function openLoop(
  clients: readonly Client[],
  requestsPerSecond: number,
  startUs: number,
  untilUs: number,
  one: (client: Client, dueUs: number) => Promise<void>,
): Promise<void> {
  const idle = [...clients]
  const waiting: number[] = []
  let dueUs = startUs
  let running = 0
  const begin = (client: Client, due: number) => {
    running++
    void one(client, due).finally(() => {
      running--
      const late = waiting.shift()
      if (late === undefined) idle.push(client)
      else begin(client, late)
    })
  }
  for (;;) {
    const atUs = nowUs()
    while (dueUs <= atUs && dueUs < untilUs) {
      const client = idle.pop()
      if (client === undefined) waiting.push(dueUs)
      else begin(client, dueUs)
      dueUs += (-Math.log(1 - Math.random()) * 1e6) / requestsPerSecond
    }
    if (dueUs >= untilUs && running === 0 && waiting.length === 0) return
    // Polls rather than sleeps: a timer's millisecond would be larger than what is measured.
    await new Promise((resolve) => setImmediate(resolve))
  }
}
