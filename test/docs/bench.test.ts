// The benchmark as somebody starts it, and its client on a machine that is busy with other things. What it measures is
// tested by nobody: it is a figure.
import { execFile } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { open, untilServed } from '../bench/connection.ts'
import { runJob } from '../bench/load.ts'

const projectDir = join(import.meta.dirname, '../..')
const bench = (...args: string[]) =>
  promisify(execFile)(process.execPath, [join(projectDir, 'test/bench/run.ts'), ...args], {
    cwd: projectDir,
  }).catch((error: { code: number; stdout: string; stderr: string }) => error)

it('`npm run bench -- --help` explains the benchmark, its options and its parts, and measures nothing', async () => {
  const answer = await bench('--help')
  expect(answer).not.toHaveProperty('code')
  for (const word of ['--quick', '--save', '--only', '--connections', 'floor', 'peer', 'quiet machine'])
    expect(answer.stdout).toContain(word)
  for (const part of ['upload', 'cost', 'throughput', 'growth', 'dialers', 'waits'])
    expect(answer.stdout).toMatch(new RegExp(`^ {2}${part} +\\w.+$`, 'm'))
  expect(answer.stdout).not.toContain('built')
})

it.each([
  [['--onyl', 'cost'], "Unknown option '--onyl'"],
  [['--only', 'cost,nothing'], 'no part nothing'],
  [['--connections', 'many'], '--connections is a number'],
])('The benchmark refuses %j before it measures anything, and says where help is', async (args, problem) => {
  const { stdout, stderr, code } = (await bench(...args)) as { stdout: string; stderr: string; code: number }
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain(problem)
  expect(stderr).toContain('npm run bench -- --help')
})

/** Answers with these statuses, one after the other, then with the last. */
async function serve(...statuses: readonly number[]) {
  const asked: string[] = []
  const server: Server = createServer((request, answer) => {
    request.resume().on('end', () => {
      asked.push(request.url ?? '')
      const status = statuses[Math.min(asked.length, statuses.length) - 1] ?? 200
      const body = JSON.stringify({ status })
      answer.writeHead(status, {
        'content-length': body.length,
        ...(status === 503 && { 'retry-after': '0' }),
      })
      answer.end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { asked, port: (server.address() as AddressInfo).port }
}

const loaded = { from: 1, connections: 1, warmUpMs: 0, durationMs: 50 }

it('A bulk that waited too long for its turn is sent again, and counts once', async () => {
  const { port, asked } = await serve(503, 503, 200)
  const kind = { path: 'bulk', campaignId: 'c', leads: 1, metadataBytes: 60 } as const
  const { statuses } = await runJob({ ...loaded, port, kind })
  expect(Object.keys(statuses)).toEqual(['200'])
  expect(asked.length).toBe((statuses[200] ?? 0) + 2)
})

it('A create is not sent again, since it may have been stored: its turn is', async () => {
  const { port } = await serve(503, 201)
  const { statuses } = await runJob({
    ...loaded,
    port,
    kind: { path: 'create', campaignId: 'c' },
    durationMs: 200,
  })
  expect(statuses).toMatchObject({ 503: 1, 201: expect.any(Number) })
})

it('A claim that is answered 503 does not end the run', async () => {
  const { port, asked } = await serve(503)
  const kind = { path: 'claim', campaignId: 'c', calls: 10 } as const
  const { statuses } = await runJob({ ...loaded, port, kind })
  expect(statuses).toEqual({ 503: asked.length })
})

it('What is sent until it is served has the whole answer, and none of those before', async () => {
  const { port } = await serve(503, 503, 200)
  const connection = await open(port)
  const request = Buffer.from('GET / HTTP/1.1\r\nhost: bench\r\n\r\n')
  expect(await untilServed(connection, () => connection.sendForBody(request))).toEqual({
    status: 200,
    body: '{"status":200}',
  })
  connection.close()
})
