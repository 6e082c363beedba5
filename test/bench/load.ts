// The load generator: a process of its own that writes requests made beforehand to raw keep-alive sockets and
// reads of each answer no more than it takes to know its status and its end. Lean, because it shares the
// machine with what it measures. Started by load-process.ts, one job at a time over IPC.
import { connect, type Socket } from 'node:net'
import { type RequestKind, requestMaker } from './requests.ts'

export type Job = {
  readonly port: number
  readonly kind: RequestKind
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

export type Connection = { send(request: Buffer): Promise<number>; close(): void; bytes: number }

const headEnd = Buffer.from('\r\n\r\n')

/** One keep-alive connection, one request at a time. */
export function open(port: number): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let settle: ((status: number) => void) | undefined
    let fail: ((error: Error) => void) | undefined
    let status = 0
    /** Bytes of the body still to come; -1 while the head is being read, -2 in a chunked body. */
    let left = -1
    let pending: Buffer | undefined
    const connection: Connection = {
      bytes: 0,
      send(request) {
        return new Promise<number>((done, failed) => {
          settle = done
          fail = failed
          socket.write(request)
        })
      },
      close: () => socket.destroy(),
    }
    const finish = () => {
      left = -1
      pending = undefined
      settle?.(status)
    }
    socket.on('data', (data) => {
      connection.bytes += data.length
      let rest: Buffer = data
      if (left === -1) {
        if (pending !== undefined) rest = Buffer.concat([pending, rest])
        const end = rest.indexOf(headEnd)
        if (end === -1) {
          pending = rest
          return
        }
        const head = rest.toString('latin1', 0, end)
        status = Number(head.slice(9, 12))
        rest = rest.subarray(end + 4)
        const length = /content-length: (\d+)/i.exec(head)
        left = length === null ? -2 : Number(length[1])
        pending = undefined
      }
      if (left >= 0) {
        left -= rest.length
        if (left <= 0) finish()
        return
      }
      // Chunked: the end is the only place where an empty chunk follows a line's end.
      const tail = pending === undefined ? rest : Buffer.concat([pending, rest])
      if (tail.length >= 5 && tail.toString('latin1', tail.length - 5) === '0\r\n\r\n') finish()
      else pending = tail.subarray(-5)
    })
    socket.on('connect', () => resolve(connection))
    socket.on('error', (error) => (fail ?? reject)(error))
    socket.on('close', () => fail?.(new Error('connection closed')))
  })
}

const nowUs = () => Number(process.hrtime.bigint() / 1000n)

export async function runJob(job: Job): Promise<Outcome> {
  const makeRequest = requestMaker(job.kind)
  const connections = await Promise.all(Array.from({ length: job.connections }, () => open(job.port)))
  let next = job.from
  const statuses: Record<string, number> = {}
  let latenciesUs: number[] = []

  async function one(connection: Connection, dueUs: number) {
    const status = await connection.send(makeRequest(next++))
    statuses[status] = (statuses[status] ?? 0) + 1
    latenciesUs.push(nowUs() - dueUs)
  }

  async function phase(durationMs: number) {
    const startUs = nowUs()
    const untilUs = startUs + durationMs * 1000
    if (job.requestsPerSecond === undefined) {
      await Promise.all(
        connections.map(async (connection) => {
          for (let atUs = startUs; atUs < untilUs; atUs = nowUs()) await one(connection, atUs)
        }),
      )
    } else {
      await openLoop(connections, job.requestsPerSecond, startUs, untilUs, one)
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

/** Requests are due at random, as from many clients; one that finds no idle connection waits, and that counts. */
async function openLoop(
  connections: Connection[],
  requestsPerSecond: number,
  startUs: number,
  untilUs: number,
  one: (connection: Connection, dueUs: number) => Promise<void>,
): Promise<void> {
  const idle = [...connections]
  const waiting: number[] = []
  let dueUs = startUs
  let running = 0
  const begin = (connection: Connection, due: number) => {
    running++
    void one(connection, due).finally(() => {
      running--
      const late = waiting.shift()
      if (late === undefined) idle.push(connection)
      else begin(connection, late)
    })
  }
  for (;;) {
    const atUs = nowUs()
    while (dueUs <= atUs && dueUs < untilUs) {
      const connection = idle.pop()
      if (connection === undefined) waiting.push(dueUs)
      else begin(connection, dueUs)
      dueUs += (-Math.log(1 - Math.random()) * 1e6) / requestsPerSecond
    }
    if (dueUs >= untilUs && running === 0 && waiting.length === 0) return
    // Polls rather than sleeps: a timer's millisecond would be larger than what is measured.
    await new Promise((resolve) => setImmediate(resolve))
  }
}
