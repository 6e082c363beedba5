// Two Workers in turns, one request at a time: what each takes, and its processor time. Turns are so short that other
// work on the machine meets both alike, so small differences show that rounds under load hide.

import { setTimeout as sleep } from 'node:timers/promises'
import { callingTalk, isCalling } from '../calling-requests.ts'
import { type Connection, open, untilServed } from '../connection.ts'
import type { Kind } from '../endpoints.ts'
import { cpuNanoseconds } from '../process-usage.ts'
import { requestMaker } from '../requests.ts'
import type { Runtime } from '../runtime.ts'
import { expectedOf } from './throughput.ts'

export type Turns = { readonly ms: readonly number[]; readonly cpuMs: readonly number[] }

const warmingTurns = 20

/** Far from the numbers of runCell: no phone number returns. */
let next = 5_000_000

/** Both have two turns in each of `count`, and who goes first changes, so that nothing favours the second. */
export async function measureTurns<Name extends string>(
  runtime: Runtime,
  names: readonly [Name, Name],
  kind: Kind,
  count: number,
): Promise<Readonly<Record<Name, Turns>>> {
  const connections = await Promise.all(names.map((name) => open(runtime.workers.get(name)?.port as number)))
  const preparers = connections.map((connection) => preparerOf(kind, connection))
  let spareTurns = warmingTurns
  const measured = names.map(() => ({ ms: [] as number[], cpuMs: [] as number[] }))
  for (let turn = -warmingTurns; turn < count; turn++) {
    const sums = names.map(() => ({ ms: 0, cpuMs: 0 }))
    let isServed = true
    for (const side of turn % 2 === 0 ? [0, 1, 1, 0] : [1, 0, 0, 1]) {
      const send = await preparers[side]?.(next++)
      const cpuBefore = cpuNanoseconds(runtime.pid)
      const startedAt = performance.now()
      isServed = (await send?.()) !== 503 && isServed
      const sum = sums[side] as (typeof sums)[number]
      sum.ms += performance.now() - startedAt
      sum.cpuMs += (cpuNanoseconds(runtime.pid) - cpuBefore) / 1e6
    }
    if (!isServed) {
      if (--spareTurns < 0) throw new Error(`${kind.path} was answered with 503 again and again`)
      await sleep(5_000)
      turn--
      continue
    }
    if (turn < 0) continue
    for (const [side, { ms, cpuMs }] of sums.entries()) {
      measured[side]?.ms.push(ms / 2)
      measured[side]?.cpuMs.push(cpuMs / 2)
    }
  }
  for (const connection of connections) connection.close()
  return Object.fromEntries(names.map((name, side) => [name, measured[side]])) as never
}

/**
 * Does what must come before a request, such as the claim before a report, and returns what sends it: its status is
 * what is expected, or 503 on a busy machine. Then the turn is taken again.
 */
function preparerOf(kind: Kind, connection: Connection): (number: number) => Promise<() => Promise<number>> {
  const expected = Number(expectedOf(kind))
  if (!isCalling(kind)) {
    const make = requestMaker(kind)
    return async (number) => {
      const request = make(number)
      return async () => {
        const status = await connection.send(request)
        if (status !== expected && status !== 503) throw new Error(`${kind.path} was answered with ${status}`)
        return status
      }
    }
  }
  const talk = callingTalk(kind.path === 'report' ? { ...kind, path: 'agent', requestsPerRound: 2 } : kind, 0)
  const sending = (number: number) => {
    const request = talk.request(number) as Buffer
    return async () => {
      const send = () => connection.sendForBody(request)
      const { status, body } = await send()
      // Whatever comes next follows from the answer.
      talk.read(status === 503 ? (await untilServed(connection, send)).body : body)
      return status
    }
  }
  return async (number) => {
    if (kind.path === 'report') await sending(number)()
    return sending(number)
  }
}
