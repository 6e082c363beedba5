// A webhook whose receiver answers with a redirect, on real sockets: what other tests have in place of the Internet
// follows none, whatever it is asked for.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ensureDemo } from '../../src/admin/local/demo.ts'
import { migrate } from '../support/database/migrations.ts'
import { codeWithTexts, startWorkers } from '../support/run/local-worker.ts'
import { addOperatorKey, builtWorker } from './server.ts'

/** Without the proxies of a local deployment, which would send for the Worker. Returns how its webhooks are asked. */
async function startBare() {
  const dir = mkdtempSync(join(tmpdir(), 'lead-intake-bare-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const builtDir = await builtWorker()
  const script = readdirSync(builtDir).find((file) => file.endsWith('.js')) ?? ''
  const modules = { 'worker.js': codeWithTexts(builtDir, script) }
  const { workers, stop } = await startWorkers(join(dir, 'state'), [
    { name: 'bare', modules, limiter: 'RateLimiter' },
  ])
  onTestFinished(stop)
  const { port, db } = workers.get('bare') ?? {}
  if (db === undefined) throw new Error('workerd has not started')
  await migrate(db)
  const keys = await ensureDemo(`http://127.0.0.1:${port}`, await addOperatorKey(db), dir)
  return async (path: string, body: object) => {
    const headers = { 'x-api-key': keys.manage, 'content-type': 'application/json' }
    const request = { method: 'POST', headers, body: JSON.stringify(body) }
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/webhooks${path}`, request)
    return ((await answer.json()) as { data: Record<string, unknown> }).data
  }
}

/** Returns its address, and the paths that were asked for. */
async function listen(answer: RequestListener) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    answer(request.resume(), response)
  })
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle))
  onTestFinished(() => void server.close().closeAllConnections())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

it('A webhook follows no redirect, and its target gets nothing', async () => {
  const post = await startBare()
  const target = await listen((_, response) => void response.writeHead(204).end())
  for (const status of [301, 302, 303, 307, 308]) {
    const receiver = await listen(
      (_, response) => void response.writeHead(status, { location: `${target.url}/inside` }).end(),
    )
    const { webhookId } = await post('', { url: `${receiver.url}/hook` })
    const tested = await post(`/${webhookId}/test`, {})
    expect(tested).toMatchObject({ status, error: 'redirects are not followed' })
    expect(receiver.asked).toEqual(['/hook'])
  }
  expect(target.asked).toEqual([])
})
