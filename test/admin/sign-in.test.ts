// What stands in front of the service: the identity server of `npm start -- --access`, and a sign-in in front of too
// much of a deployed one.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifyWithJwks } from 'hono/jwt'
import { expect, it, onTestFinished } from 'vitest'
import { redirectWarnings, targetsOf } from '../../src/admin/deploy/redirects.ts'
import { startIdentityServer, variablesOf } from '../../src/admin/local/identity-server.ts'
import { freePort } from './project.ts'

async function listen(serve: Parameters<typeof createServer>[1]): Promise<number> {
  const server: Server = createServer(serve as never)
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

it('A deployment warns of an address where the health of the service is redirected, and of no other', async () => {
  const behind = await listen((_, answer) => answer.writeHead(302, { Location: 'https://sign.in/' }).end())
  const open = await listen((_, answer) => answer.end('{}'))
  const targets = [`http://127.0.0.1:${behind}`, `http://127.0.0.1:${open}`, 'schedule: * * * * *']
  const report = join(mkdtempSync(join(tmpdir(), 'lead-intake-')), 'report')
  expect(await redirectWarnings(targetsOf(report))).toEqual([])
  writeFileSync(report, `{"type":"wrangler-session"}\n${JSON.stringify({ type: 'deploy', targets })}\n`)
  expect(await redirectWarnings(targetsOf(report))).toEqual([
    expect.stringContaining(`http://127.0.0.1:${behind}/api/health is redirected`),
  ])
})

it('The local identity server asks for an address, signs it for the protected path, and believes no address of a client', async () => {
  const seen: { url: string | undefined; token: string | undefined }[] = []
  const service = await listen((incoming, answer) => {
    seen.push({ url: incoming.url, token: incoming.headers['cf-access-jwt-assertion'] as string | undefined })
    answer.end('served')
  })
  const port = await freePort()
  startIdentityServer(port, service)
  const base = `http://127.0.0.1:${port}`
  const get = (path: string, headers = {}) => fetch(base + path, { headers, redirect: 'manual' })

  const forged = { 'cf-access-jwt-assertion': 'forged' }
  expect(await (await get('/api/health', forged)).text()).toBe('served')
  expect(await (await get('/console/session?company=a%22b', forged)).text()).toContain(
    'value="/console/session?company=a%22b"',
  )
  expect(seen).toEqual([{ url: '/api/health', token: undefined }])

  const body = new URLSearchParams({ email: 'Ada@example.com', to: '//evil.example' })
  const login = await fetch(`${base}/cdn-cgi/access/login`, { method: 'POST', body, redirect: 'manual' })
  expect([login.status, login.headers.get('location')]).toEqual([303, '/console/session'])
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? ''
  await get('/console/session', { cookie, ...forged })
  const [audience, issuer, certs] = variablesOf(port).map((one) => one.slice(one.indexOf(':') + 1))
  const { keys } = (await (await fetch(certs as string)).json()) as { keys: [] }
  const claims = await verifyWithJwks(seen.at(-1)?.token ?? '', {
    keys,
    allowedAlgorithms: ['RS256'],
    verification: { iss: issuer as string, aud: audience as string },
  })
  expect(claims.email).toBe('Ada@example.com')
})

it('A request waits for the service behind the local identity server, which has its port when it listens', async () => {
  const port = await freePort()
  const behind = Promise.withResolvers<number>()
  startIdentityServer(port, behind.promise)
  const answer = fetch(`http://127.0.0.1:${port}/api/health`)
  const first = await Promise.race([answer, fetch(`http://127.0.0.1:${port}/cdn-cgi/access/certs`)])
  expect(first.url).toContain('/certs')
  behind.resolve(await listen((_, answer) => answer.end('served')))
  expect(await (await answer).text()).toBe('served')
})
