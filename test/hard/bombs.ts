// Bodies within 8 MiB that are made to fill the memory: what each takes above what a server at rest has. A Worker may
// have 128 MiB, and one that takes more is ended with all the requests that it is serving.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Answer, send } from './client.ts'
import { createFindings, type Report } from './report.ts'
import { migrate, residentMib, scratchDir, startServer } from './server.ts'
import { newPhone, seed } from './world.ts'

const maxBytes = 8 * 1024 * 1024
/** The process also has the database and the limiter, and V8 lets garbage lie where there is memory to spare. */
const allowedMib = 180

const start = '{"campaignId":"campaign-0","leads":['
const filled = (unit: string) => `${start}${`${unit},`.repeat((maxBytes - 100) / (unit.length + 1))}${unit}]}`
const nested = (open: string, close: string) => {
  const levels = Math.floor((maxBytes - 100) / (open.length + close.length))
  return `${start}${open.repeat(levels)}0${close.repeat(levels)}]}`
}

const bombs: Readonly<Record<string, () => string>> = {
  'nested arrays': () => nested('[', ']'),
  'nested objects': () => nested('{"a":', '}'),
  'empty arrays': () => filled('[]'),
  'empty objects': () => filled('{}'),
  numbers: () => filled('1.5'),
  'one object of many keys': () => {
    const members = Array.from({ length: 800_000 }, (_, key) => `"${key}":0`).join()
    return `${start}{${members.slice(0, members.lastIndexOf(',', maxBytes - 200))}}]}`
  },
  spaces: () => `${start}{"phoneNumber":"${newPhone()}"}]}`.padEnd(maxBytes),
  '1000 leads of 8 KiB': () => {
    const item = (index: number) =>
      `{"phoneNumber":"${newPhone()}","metadata":{"a":"${String(index).repeat(8_200).slice(0, 8_200)}"}}`
    return `${start}${Array.from({ length: 1_000 }, (_, index) => item(index)).join()}]}`
  },
}

export async function bombard(code: string): Promise<Report> {
  const findings = createFindings()
  const figures: Record<string, string> = {}
  for (const [name, makeBody] of Object.entries(bombs)) {
    // A server of its own for each, or one would leave memory to the next.
    const server = await startServer(code, join(scratchDir, `bomb ${name}`))
    await migrate(server.db)
    const { keys } = await seed(server.db, 1, 1)
    const headers = { 'x-api-key': keys[0]?.key as string, 'content-type': 'application/json' }
    const post = (body: string): Promise<Answer> =>
      send(server.port, { method: 'POST', path: '/api/v1/leads/bulk', headers, body })
    await post(`${start}{"phoneNumber":"${newPhone()}"}]}`)
    const restMib = residentMib(server.pid)
    const { status, text } = await post(makeBody())
    const tookMib = Math.round(peakMib(server.pid) - restMib)
    figures[name] = `${status}, ${tookMib} MiB`
    if (tookMib > allowedMib) findings.add('memory', `${name}: ${tookMib} MiB`)
    if (![200, 400, 413].includes(status)) findings.add('answer', `${name}: ${status} ${text}`)
    await server.stop()
  }
  return { name: 'bombs', figures, broken: findings.all() }
}

function peakMib(pid: number): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}
