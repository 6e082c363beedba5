// One request at a time on a connection of its own, timed from the first byte out.
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type Reading = { readonly firstByteMs: number; readonly ms: number; readonly bytes: number }

class Busy extends Error {}
/** On a busy machine a request may be answered 503, by time limits. */
const tries = 10

/** Reads until the answer has `untilBytes` of head and body, or to its end, and closes the connection. */
export async function readAnswer(port: number, request: Buffer, untilBytes?: number): Promise<Reading> {
  for (let left = tries; ; await sleep(5_000)) {
    try {
      return await readOnce(port, request, untilBytes)
    } catch (error) {
      if (!(error instanceof Busy) || --left === 0) throw error
    }
  }
}

function readOnce(port: number, request: Buffer, untilBytes = Infinity): Promise<Reading> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let startedAt = 0
    let firstByteMs = 0
    let bytes = 0
    let left: number | undefined
    let tail = ''
    socket.setTimeout(120_000, () => socket.destroy(new Error('no answer in 120 s')))
    socket.on('connect', () => {
      startedAt = performance.now()
      socket.write(request)
    })
    socket.on('data', (data) => {
      if (bytes === 0) {
        firstByteMs = performance.now() - startedAt
        const headEnd = data.indexOf('\r\n\r\n')
        const head = data.toString('latin1', 0, headEnd)
        if (!/^HTTP\/1.1 20/.test(head)) {
          const isBusy = head.startsWith('HTTP/1.1 503')
          reject(new (isBusy ? Busy : Error)(data.toString('latin1')))
          socket.destroy()
        }
        const length = /content-length: (\d+)/i.exec(head)?.[1]
        if (length !== undefined) left = headEnd + 4 + Number(length)
      }
      bytes += data.length
      tail = (tail + data.toString('latin1', Math.max(0, data.length - 5))).slice(-5)
      const ended = left === undefined ? tail === '0\r\n\r\n' : bytes >= left
      if (!ended && bytes < untilBytes) return
      resolve({ firstByteMs, ms: performance.now() - startedAt, bytes })
      socket.destroy()
    })
    socket.on('error', reject)
  })
}
