// What the origin serves besides the API: the description and its page, as static assets that cost no request of the
// Worker. Through the whole of a local deployment, because the Worker alone does not know them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { describeApi } from '../../src/docs/describe-api.ts'
import { projectDir, type Server, startServer } from './server.ts'

const { version } = JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8')) as { version: string }

let server: Server
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.harness.close())

/** Without following where it leads. Tells too how many requests reached the Worker, each of which it logs. */
async function ask(path: string, init: RequestInit = {}) {
  server.harness.clearLogs()
  const response = await fetch(server.base + path, { redirect: 'manual', ...init })
  const text = await response.text()
  const workerRequests = server.harness
    .getLogs()
    .filter(({ message }) => message.includes("event: 'request'")).length
  return { status: response.status, headers: response.headers, text, workerRequests }
}

describe('The API description', () => {
  it('is served as the code says, to anybody, and may be cached', async () => {
    const answer = await ask('/openapi.json')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
    expect(JSON.parse(answer.text)).toEqual(describeApi(version))
    expect(answer.workerRequests).toBe(0)
  })

  it('is served as YAML too, and says the same', async () => {
    const answer = await ask('/openapi.yaml')
    expect([answer.status, answer.workerRequests]).toEqual([200, 0])
    expect(answer.headers.get('content-type')).toBe('application/yaml')
    expect(parse(answer.text)).toEqual(describeApi(version))
    expect(parse(answer.text, { version: '1.1' })).toEqual(describeApi(version))
  })

  it('is not sent again to who has it', async () => {
    const etag = (await ask('/openapi.json', { method: 'HEAD' })).headers.get('etag') ?? ''
    const answer = await ask('/openapi.json', { headers: { 'if-none-match': etag } })
    expect([answer.status, answer.text]).toEqual([304, ''])
  })

  it('answers HEAD without a body', async () => {
    const answer = await ask('/openapi.json', { method: 'HEAD' })
    expect([answer.status, answer.text]).toEqual([200, ''])
  })
})

describe('The reference page', () => {
  it('is served under a policy that lets nothing in from elsewhere, and runs no text as code', async () => {
    const answer = await ask('/docs')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).not.toMatch(/unsafe|https?:|\*|data:/)
    expect(answer.workerRequests).toBe(0)
  })

  it('names only files of this origin, all of which are there, and weighs little', async () => {
    const { text } = await ask('/docs')
    // A link to elsewhere asks for nothing before somebody follows it.
    const own = text.replaceAll('<a href="https://', '')
    const files = new Set([...own.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, file]) => file as string))
    expect([...files]).toEqual(expect.arrayContaining(['/docs/page.js', '/docs/page.css', '/openapi.yaml']))
    let weight = gzipSync(text).length
    for (const file of files) {
      expect(file).toMatch(/^\/(?!\/)/)
      const answer = await ask(file)
      expect([file, answer.status, answer.workerRequests]).toEqual([file, 200, 0])
      // What describes the API to programs is not loaded by the page.
      if (file.startsWith('/docs/')) weight += gzipSync(answer.text).length
    }
    expect(weight).toBeLessThan(80 * 1024)
  })

  it('runs no script and has no style of its own, and tells every operation and every code of failure', async () => {
    const { text } = await ask('/docs')
    expect(text).not.toMatch(/<script(?! type="module" src=)|<style|\sstyle=|\son[a-z]+=/)
    const operations = Object.values(describeApi(version).paths).flatMap((item) => Object.values(item))
    for (const { operationId } of operations)
      expect(text).toContain(`<details class="operation" id="${operationId}">`)
    const described = JSON.stringify(describeApi(version))
    const codes = new Set(
      [...described.matchAll(/"X-Error-Code":\{.*?"enum":\[(.*?)\]/g)].flatMap(([, list]) =>
        JSON.parse(`[${list}]`),
      ),
    )
    expect(codes.size).toBeGreaterThan(10)
    for (const code of codes) expect(text).toContain(`<code>${code}</code>`)
  })

  it('is where / leads, for GET and HEAD', async () => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await ask('/', { method })
      expect([status, headers.get('location')]).toEqual([302, '/docs'])
    }
  })
})

describe('The console', () => {
  const files = async () => {
    const { text } = await ask('/console')
    const named = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file as string)
    return [
      ...named.filter((file) => file !== '/docs'),
      '/console/import-worker.js',
      '/console/new-lead.json',
    ]
  }

  it('is served under a policy that lets nothing in from elsewhere, and makes no code of text', async () => {
    const answer = await ask('/console')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types lead-intake-console")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    const worker = (await ask('/console/import-worker.js')).headers.get('content-security-policy')
    expect(worker).toContain("default-src 'none'; connect-src 'self'")
  })

  it('weighs 60 KiB at most, all of its files together, none of which costs a request of the Worker', async () => {
    let bytes = gzipSync((await ask('/console')).text).length
    for (const file of await files()) {
      const { status, text, workerRequests } = await ask(file)
      expect([file, status, workerRequests]).toEqual([file, 200, 0])
      bytes += gzipSync(text).length
    }
    expect(bytes).toBeLessThanOrEqual(60 * 1024)
  })

  it('judges leads by the schema of the description, without its texts', async () => {
    const { schemas } = describeApi(version).components
    const rules = JSON.stringify(schemas?.NewLead, (name, value) =>
      ['description', 'examples'].includes(name) ? undefined : value,
    )
    expect((await ask('/console/new-lead.json')).text).toBe(rules)
  })
})

describe('Everything else', () => {
  it.each(['/nothing', '/docs/nothing', '/index.html', '/_headers', '/openapi.json/', '/openapi.yml'])(
    'answers 404 in the envelope on %s',
    async (path) => {
      const { status, text } = await ask(path)
      expect([status, text]).toEqual([404, '{"success":false,"data":null,"error":"Not found"}'])
    },
  )

  it('answers 404 in the envelope to another method on /', async () => {
    const { status, text } = await ask('/', { method: 'POST' })
    expect([status, text]).toEqual([404, '{"success":false,"data":null,"error":"Not found"}'])
  })

  it('reaches the Worker under /api, with the headers of its limits', async () => {
    const { status, headers, workerRequests } = await ask('/api/v1/leads')
    expect([status, workerRequests, headers.get('x-ratelimit-limit')]).toEqual([401, 1, '60'])
    expect(headers.get('ratelimit-policy')).toBe('"unknown";q=60;w=60')
  })
})
