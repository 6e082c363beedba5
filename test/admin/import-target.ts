// What an import is given and pointed at in tests: a CSV file, and a proxy before the real server, which lets each
// request through, keeps its answer back, or answers in the server's place.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Finished } from './project.ts'

export type Act =
  | 'forward'
  /** The server does its work, and nobody hears of it. */
  | 'keep the answer'
  | { readonly status: number; readonly retryAfterSeconds: number }

export type Proxy = {
  readonly url: string
  /** Of each request that came, in order. */
  readonly bodies: readonly Buffer[]
  readonly idempotencyKeys: readonly string[]
  /** Resolves when an answer has been kept. */
  readonly kept: Promise<void>
}

/** `act` decides by the number of the request, from 1. Ended with the test. */
export async function startProxy(base: string, act: (number: number) => Act): Promise<Proxy> {
  const bodies: Buffer[] = []
  const idempotencyKeys: string[] = []
  const { promise: kept, resolve: tellKept } = Promise.withResolvers<void>()
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    bodies.push(body)
    idempotencyKeys.push(String(request.headers['idempotency-key']))
    const action = act(bodies.length)
    if (typeof action === 'object') {
      response.writeHead(action.status, { 'Retry-After': String(action.retryAfterSeconds) })
      return response.end('{"success":false,"data":null,"error":"Not now"}')
    }
    const headers = { ...request.headers, host: undefined, connection: undefined } as never
    const answer = await fetch(`${base}${request.url}`, { method: 'POST', headers, body })
    const text = await answer.text()
    if (action === 'keep the answer') return tellKept()
    response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, bodies, idempotencyKeys, kept }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

export type Run = { readonly finished: Promise<Finished>; readonly kill: () => void }

/** A new file in the folder. */
export function csvFile(dir: string, ...lines: readonly (string | Buffer)[]): string {
  const file = join(dir, `${randomUUID()}.csv`)
  writeFileSync(
    file,
    Buffer.concat(lines.flatMap((line) => [Buffer.from(line as string), Buffer.from('\n')])),
  )
  return file
}

export const phone = (index: number) => `+1415555${String(index).padStart(4, '0')}`
export const phones = (count: number) => Array.from({ length: count }, (_, index) => phone(index))

const node = ['--import', './src/admin/quick-start.ts']

/** The command as npm runs it, but without npm between, so that it can be killed. */
export function lead(words: readonly string[], apiKey?: string): Run {
  const child = spawn(process.execPath, [...node, 'src/admin/main.ts', 'lead', ...words], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, NO_COLOR: '1', ...(apiKey !== undefined && { LEAD_INTAKE_KEY: apiKey }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    stderr += chunk
  })
  const finished = new Promise<Finished>((resolve) => {
    child.on('close', (code) => resolve({ exitCode: code ?? -1, stdout, stderr }))
  })
  return { finished, kill: () => child.kill('SIGKILL') }
}
