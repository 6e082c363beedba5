// The load generator: a process of its own that sends requests over connection.ts, in a closed loop, and counts the
// answers. Lean, because it shares the machine with what it measures. Started by load-process.ts, one job at a time
// over IPC.
import { type CallingKind, callingTalk, isCalling, type Talk } from './calling-requests.ts'
import { type Connection, open, untilServed } from './connection.ts'
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
}

export type LoadResult = {
  readonly requestsPerSecond: number
  readonly statuses: Record<string, number>
  /** The part of one core that this process used. */
  readonly cpu: number
  /** The counter's next value. */
  readonly next: number
}

export async function runJob(job: Job): Promise<LoadResult> {
  const talkOf = talks(job)
  const connections = await Promise.all(Array.from({ length: job.connections }, () => open(job.port)))
  const clients = connections.map((connection) => ({ connection, talk: talkOf() }))
  let next = job.from
  let isOver = false
  const statuses: Record<string, number> = {}
  let answers = 0

  async function one({ connection, talk }: Client) {
    const request = talk.request(next)
    if (request === null) {
      isOver = true
      return
    }
    next++
    let status: number
    // One that waits too long for its turn is 503, and sent again.
    if (job.kind.path === 'bulk') status = await untilServed(connection, () => connection.send(request))
    else if (talk.read === undefined) status = await connection.send(request)
    else {
      const answer = await connection.sendForBody(request)
      status = answer.status
      if (status !== 503) talk.read(answer.body)
    }
    statuses[status] = (statuses[status] ?? 0) + 1
    answers++
  }

  /** Until the last answer: slow ones come in bursts, and a window can be open for one burst more or less. */
  async function phase(durationMs: number) {
    const startedAt = performance.now()
    const repeat = async (client: Client) => {
      while (performance.now() < startedAt + durationMs && !isOver) await one(client)
    }
    await Promise.all(clients.map(repeat))
    return (performance.now() - startedAt) / 1000
  }

  if (job.warmUpMs > 0) await phase(job.warmUpMs)
  answers = 0
  const cpuStart = process.cpuUsage()
  const seconds = await phase(job.durationMs)
  const { user, system } = process.cpuUsage(cpuStart)

  for (const connection of connections) connection.close()
  return { requestsPerSecond: answers / seconds, statuses, cpu: (user + system) / 1e6 / seconds, next }
}

/** What a connection says: whatever comes next, or what follows from the answers that it is given to read. */
function talks({ kind, port }: Job): () => Omit<Talk, 'read'> & Partial<Pick<Talk, 'read'>> {
  if (isCalling(kind)) return () => callingTalk(kind, port)
  const request = requestMaker(kind)
  return () => ({ request })
}

type Client = { readonly connection: Connection; readonly talk: ReturnType<ReturnType<typeof talks>> }
