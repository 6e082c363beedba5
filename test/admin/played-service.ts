// A service that is played: it gives the answers that a test has for it, and remembers what it was asked.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { command } from './command.ts'

type Asked = {
  readonly method: string
  readonly path: string
  readonly body: string
  readonly idempotencyKey?: string
}
type Answer = { readonly status?: number; readonly data: string; readonly code?: string } | 'lost'

export const played = (data: object): Answer => ({ data: JSON.stringify(data) })

/** Gives the answers one after the other, the last one again and again. */
export async function startService(...answers: Answer[]) {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    const idempotencyKey = request.headers['idempotency-key'] as string | undefined
    asked.push({
      method: request.method ?? '',
      path: (request.url ?? '').replace('/api/v1', ''),
      body,
      ...(idempotencyKey && { idempotencyKey }),
    })
    const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? played({})
    if (answer === 'lost') {
      request.socket.destroy()
      return
    }
    const { status = 200, data, code } = answer
    response.writeHead(status, { 'content-type': 'application/json', ...(code && { 'x-error-code': code }) })
    response.end(
      status < 300
        ? `{"success":true,"data":${data},"error":null}`
        : `{"success":false,"data":null,"error":"Not now"}`,
    )
  })
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle))
  onTestFinished(() => void server.close().closeAllConnections())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const run = (words: string, ...more: string[]) => command(words, ...more, '--url', url, '--key', 'lk_1')
  return { url, asked, run }
}

/** What a command asks for. */
export async function askedBy(words: string, ...more: string[]) {
  const { asked, run } = await startService(
    played({ leads: [], campaigns: [], results: [], uses: [], entries: [] }),
  )
  const finished = await run(words, ...more)
  expect(finished).toMatchObject({ exitCode: 0 })
  const [{ method, path, body } = { method: '', path: '', body: '' }] = asked
  return { method, path, ...(body && { body: JSON.parse(body) }) }
}
