// `webhook`, over the API of a service that is played: what it asks for, what it prints, and what its listener takes
// and refuses. That the real service plays along is held in start.test.ts.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { command } from './command.ts'
import { startAdmin } from './project.ts'

type Asked = { method: string; path: string; key: string; body: unknown }

/** Answers 200 with these data by method and path under /webhooks, or 404. */
async function startService(answers: Record<string, object>) {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const piece of request) text += piece
    const path = (request.url ?? '').replace('/api/v1/webhooks', '')
    const { method = '' } = request
    const isOwnKey = path === '/api/v1/keys/self'
    if (!isOwnKey)
      asked.push({ method, path, key: String(request.headers['x-api-key']), body: text && JSON.parse(text) })
    const data = isOwnKey ? { company: { id: 'acme' } } : (answers[`${method} ${path}`] ?? null)
    const error = data === null ? 'Webhook not found' : null
    response.writeHead(data === null ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ success: data !== null, data, error }))
  })
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle))
  onTestFinished(() => void server.close().closeAllConnections())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const run = (words: string, ...more: string[]) => command(words, '--url', url, '--key', 'lk_1', ...more)
  return { url, asked, run }
}

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

it.each([
  ['webhook listen --url https://leads.example.com --key lk_1', /cannot reach this machine/],
  ['webhook list --key lk_1 --url http://leads.example.com', /It must be https/],
  [
    'webhook list --key lk_1 --url http://localhost:9',
    /The service is not running on http:\/\/localhost:9\. Start it with npm start/,
  ],
  ['webhook listen --secret whsec_MfKQ9r8G', /--secret must be whsec_ and/],
])('The webhook commands say in one line what cannot be: %s', async (words, said) => {
  const { exitCode, stdout, stderr } = await command(words)
  expect([exitCode, stdout, stderr.trim().split('\n').length]).toEqual([1, '', 1])
  expect(stderr).toMatch(said)
})

describe('The listener', () => {
  it('The listener ends when the service refuses to have it, and says why', async () => {
    const service = await startService({})
    const listener = startAdmin(['webhook', 'listen', '--url', service.url, '--key', 'lk_1'])
    const { exitCode, stderr } = await listener.finished
    expect([exitCode, stderr]).toEqual([1, `error: ${service.url} answered 404 Webhook not found\n`])
  })

  it('The listener prints what is signed with its secret, marks what comes again, and refuses all else', async () => {
    const listener = startAdmin(['webhook', 'listen', '--secret', secret])
    const errors = listener.errors
    await vi.waitFor(() => expect(errors()).toContain('Listening at '), { timeout: 60_000 })
    const url = /http:\S+\//.exec(errors())?.[0] ?? ''
    const body = '{"type":"call.reported","timestamp":"2026-11-20T09:03:12.000Z","data":{"note":"\u009b31m"}}'
    const send = async (by: string, id: string) => {
      const at = new Date()
      const signature = new Webhook(by).sign(id, at, body)
      const stamp = String(Math.floor(at.getTime() / 1000))
      const headers = { 'webhook-id': id, 'webhook-timestamp': stamp, 'webhook-signature': signature }
      return (await fetch(url, { method: 'POST', headers, body })).status
    }
    const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
    expect([await send(secret, 'evt_1'), await send(other, 'evt_2'), await send(secret, 'evt_1')]).toEqual([
      204, 400, 204,
    ])
    listener.kill('SIGINT')
    const { exitCode, stdout, stderr } = await listener.finished
    expect(exitCode).toBe(0)
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/\\u009b31m.+ evt_1$/),
      expect.stringMatching(/ evt_1 \(again\)$/),
      '',
    ])
    expect(stderr).toContain('refused: No matching signature found\n')
  })
})
