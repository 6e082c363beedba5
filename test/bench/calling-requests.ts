// What an agent says: claims, and reports of what it was given. A request depends on the answers before it, so each
// connection holds a talk of its own. An answer with fewer calls than were asked for, or a report that is not recorded,
// ends the run: a queue that has run dry would be fast. A report that was answered 503 may have been recorded.
import { apiKey, keyCount } from './subjects.ts'

export type CallingKind =
  | { readonly path: 'claim'; readonly campaignId: string; readonly calls: number }
  /** Of calls that were claimed for it beforehand, in requests of 100: it ends with them. */
  | {
      readonly path: 'report'
      readonly campaignId: string
      readonly calls: number
      readonly requests: number
    }
  /** What the next report of this port contains; no part of what is measured. */
  | { readonly path: 'stock'; readonly campaignId: string; readonly calls: number }
  /** Reports what the request before it claimed, and claims as many; in one request, or in two. */
  | {
      readonly path: 'agent'
      readonly campaignId: string
      readonly calls: number
      readonly requestsPerRound: 1 | 2
    }

export const isCalling = (kind: { readonly path: string }): kind is CallingKind =>
  ['claim', 'report', 'stock', 'agent'].includes(kind.path)

export type Talk = {
  /** Null: there is nothing left to say. `number` chooses the key. */
  request(number: number): Buffer | null
  read(body: string): void
}

const stocks = new Map<number, string[]>()
const callsPerRequest = 100

export function callingTalk(kind: CallingKind, port: number): Talk {
  const claim = (calls: number) => `"campaignId":"${kind.campaignId}","limit":${calls},"leaseSeconds":7200`
  let held: string[] = []
  switch (kind.path) {
    case 'claim':
      return {
        request: (number) => post('claim', number, `{${claim(kind.calls)}}`),
        read: (body) => void readCalls(body, kind.calls),
      }
    case 'stock': {
      const stock: string[] = []
      stocks.set(port, stock)
      return {
        request: (number) =>
          stock.length < kind.calls ? post('claim', number, `{${claim(callsPerRequest)}}`) : null,
        read: (body) => void stock.push(...readCalls(body, callsPerRequest)),
      }
    }
    case 'report': {
      const stock = stocks.get(port) ?? []
      return {
        request(number) {
          if (stock.length < kind.calls) return null
          return post('report', number, `{${report(stock.splice(-kind.calls), number)}}`)
        },
        read: (body) => readResults(body, kind.calls),
      }
    }
    case 'agent':
      return {
        request(number) {
          if (held.length === 0) return post('claim', number, `{${claim(kind.calls)}}`)
          const more = kind.requestsPerRound === 1 ? `,"claim":{${claim(kind.calls)}}` : ''
          return post('report', number, `{${report(held, number)}${more}}`)
        },
        read(body) {
          const [results = '', claimed] = held.length > 0 ? body.split('"claim":') : ['', body]
          if (held.length > 0) readResults(results, kind.calls)
          held = claimed === undefined ? [] : readCalls(claimed, kind.calls)
        },
      }
  }
}

/** Half of the calls end their leads, half are tried again later. */
function report(callIds: readonly string[], number: number): string {
  const calls = callIds.map((callId, index) => {
    const outcome = (number + index) % 2 === 0 ? 'answered' : 'no_answer'
    return `{"callId":"${callId}","outcome":"${outcome}","durationSeconds":${index + 5}}`
  })
  return `"calls":[${calls.join()}]`
}

function readCalls(body: string, expected: number): string[] {
  const ids = Array.from(body.matchAll(/"callId":"([^"]+)"/g), ([, id]) => id as string)
  if (ids.length !== expected) throw new Error(`${ids.length} calls of ${expected}: ${body.slice(0, 500)}`)
  return ids
}

function readResults(body: string, expected: number): void {
  const recorded = body.split(/"result":"(?:recorded|replayed)"/).length - 1
  if (recorded !== expected) throw new Error(`${recorded} recorded of ${expected}: ${body.slice(0, 500)}`)
}

const keys = Array.from({ length: keyCount }, (_, index) => apiKey(index))

function post(what: 'claim' | 'report', number: number, body: string): Buffer {
  return Buffer.from(
    `POST /api/v1/calls/${what} HTTP/1.1\r\nhost: bench\r\nx-api-key: ${keys[number % keyCount]}\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    'latin1',
  )
}
