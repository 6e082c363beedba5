// The polling recipe of connect/receivers/polling.md, run as printed against a fake service; and what the pages about
// alerts print.
import { execFile, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { alertTypes } from '../../src/channels/webhooks/format.ts'
import { readCreateWebhook } from '../../src/channels/webhooks/input.ts'
import { blocksOf } from './connect-page.ts'

const [recipe = ''] = blocksOf('receivers/polling', 'sh')

const hasTools = ['curl', 'jq'].every((tool) => spawnSync(tool, ['--version']).status === 0)

const bodyOf = (ids: readonly string[], next: string) =>
  JSON.stringify({ success: true, data: { events: ids.map((id) => ({ id, data: {} })), next }, error: null })

/** A folder with a handler that reads all of its input, and a service with these responses, one after the other. */
async function poller(...answers: readonly ((response: ServerResponse) => void)[]) {
  const dir = mkdtempSync(join(tmpdir(), 'lead-intake-poll-'))
  const left = [...answers]
  const asked: (string | null)[] = []
  const server = createServer((request, response) => {
    asked.push(new URL(request.url ?? '', 'http://localhost').searchParams.get('after'))
    left.shift()?.(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    rmSync(dir, { recursive: true, force: true })
  })
  const { port } = server.address() as AddressInfo
  const handle = (thenExit = 0) =>
    writeFileSync(join(dir, 'handle'), `#!/bin/sh\necho "$1" >> handled\ncat > /dev/null\nexit ${thenExit}\n`)
  handle()
  chmodSync(join(dir, 'handle'), 0o755)
  const script = recipe
    .replace('https://leads.example.com', `http://127.0.0.1:${port}`)
    .replace('--retry 5', '--retry 0')
  const read = (file: string) =>
    existsSync(join(dir, file)) ? readFileSync(join(dir, file), 'utf8').trim() : null
  return {
    asked,
    handle,
    run: () =>
      promisify(execFile)('sh', ['-c', script], { cwd: dir, env: { ...process.env, KEY: 'lk_' } }).then(
        () => 'done',
        () => 'failed',
      ),
    next: () => read('next'),
    handled: () =>
      (read('handled')?.split('\n') ?? []).map((line) => (JSON.parse(line) as { id: string }).id),
  }
}

const whole = (ids: readonly string[], next: string) => (response: ServerResponse) =>
  void response.end(bodyOf(ids, next))

describe.skipIf(!hasTools)('The polling recipe', () => {
  it('The polling recipe handles every event, even if the handler reads its standard input', async () => {
    const poll = await poller(whole(['a', 'b', 'c'], 'c'), whole([], 'c'))
    expect(await poll.run()).toBe('done')
    expect([poll.handled(), poll.next()]).toEqual([['a', 'b', 'c'], 'c'])
    expect(await poll.run()).toBe('done')
    expect([poll.handled(), poll.next(), poll.asked]).toEqual([['a', 'b', 'c'], 'c', [null, 'c']])
  })

  it.each<[string, (response: ServerResponse) => void]>([
    [
      'breaks off',
      (response) => {
        response.writeHead(200, { 'content-length': '999' })
        response.write(bodyOf(['b', 'c'], 'c').slice(0, -20))
        setImmediate(() => response.destroy())
      },
    ],
    ['ends too soon', (response) => void response.end(bodyOf(['b', 'c'], 'c').slice(0, -20))],
    ['is no page', (response) => void response.end('{}')],
    ['is refused', (response) => void response.writeHead(503).end('{"success":false}')],
    ['is empty', (response) => void response.end()],
  ])('The polling recipe loses nothing when a page %s', async (_, broken) => {
    const poll = await poller(whole(['a'], 'a'), broken, whole(['b', 'c'], 'c'))
    expect(await poll.run()).toBe('done')
    expect(await poll.run()).toBe('failed')
    expect([poll.handled(), poll.next()]).toEqual([['a'], 'a'])
    expect(await poll.run()).toBe('done')
    expect([poll.handled(), poll.next(), poll.asked]).toEqual([['a', 'b', 'c'], 'c', [null, 'a', 'a']])
  })

  it('The polling recipe gets an event again if its handler failed', async () => {
    const poll = await poller(whole(['a', 'b'], 'b'), whole(['a', 'b'], 'b'))
    poll.handle(1)
    expect(await poll.run()).toBe('failed')
    expect([poll.handled(), poll.next()]).toEqual([['a'], null])
    poll.handle()
    expect(await poll.run()).toBe('done')
    expect([poll.handled(), poll.next()]).toEqual([['a', 'a', 'b'], 'b'])
  })
})

describe('The pages about alerts', () => {
  it.each(['slack', 'teams', 'discord', 'pagerduty'])(
    'Create a webhook with the request that the page of %s prints',
    (name) => {
      const [create = '', test = ''] = blocksOf(`receivers/${name}`, 'sh')
      const body = /-d '([^']+)'/.exec(create)?.[1] ?? ''
      const reading = readCreateWebhook(body, { host: 'leads.example.com', isLocal: false })
      expect(reading).toMatchObject({ isValid: true, value: { format: name, types: alertTypes } })
      expect(test).toContain('/api/v1/webhooks/wh_.../test')
    },
  )
})
