// The static assets: the API description, its page and the console, served without a Worker request. Needs a whole
// local deployment, because the Worker alone does not have them.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { describeApi } from '../../src/docs/describe-api.ts'
import { openSearch } from '../../src/docs/page/search.ts'
import { alsoCalled } from '../../src/docs/page/search-places.ts'
import { connectPages } from './connect-page.ts'
import { builtWorker, projectDir, sharedServer } from './server.ts'

let server: Awaited<ReturnType<typeof sharedServer>>
beforeAll(async () => {
  server = await sharedServer()
})

/** Does not follow redirects. Also returns the number of requests that reached the Worker, which logs each. */
async function request(path: string, init: RequestInit = {}) {
  server.harness.clearLogs()
  const response = await fetch(server.base + path, { redirect: 'manual', ...init })
  const text = await response.text()
  const workerRequests = server.harness
    .getLogs()
    .filter(({ message }) => message.includes("event: 'request'")).length
  return { status: response.status, headers: response.headers, text, workerRequests }
}

it('The API description is served as the code describes it, without a key, and can be cached', async () => {
  const answer = await request('/openapi.json')
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
  expect(JSON.parse(answer.text)).toEqual(describeApi())
  expect(answer.workerRequests).toBe(0)
})

it('The API description is served as YAML with the same content', async () => {
  const answer = await request('/openapi.yaml')
  expect([answer.status, answer.workerRequests]).toEqual([200, 0])
  expect(answer.headers.get('content-type')).toBe('application/yaml')
  expect(parse(answer.text)).toEqual(describeApi())
  expect(parse(answer.text, { version: '1.1' })).toEqual(describeApi())
})

it('The API description is not sent again to a client that has it', async () => {
  const etag = (await request('/openapi.json', { method: 'HEAD' })).headers.get('etag') ?? ''
  const answer = await request('/openapi.json', { headers: { 'if-none-match': etag } })
  expect([answer.status, answer.text]).toEqual([304, ''])
})

it('The API description responds to HEAD without a body', async () => {
  const answer = await request('/openapi.json', { method: 'HEAD' })
  expect([answer.status, answer.text]).toEqual([200, ''])
})

it('The reference page has a policy that loads nothing from other origins and runs no text as code', async () => {
  const answer = await request('/docs')
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const policy = answer.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
  expect(policy).toContain("require-trusted-types-for 'script'")
  expect(policy).not.toMatch(/unsafe|https?:|\*|data:/)
  expect(answer.workerRequests).toBe(0)
})

it('The reference page refers only to files of this origin, which all exist, and is small', async () => {
  const { text } = await request('/docs')
  // A link to another site loads nothing until somebody follows it.
  const own = text.replaceAll('<a href="https://', '')
  const files = new Set([...own.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, file]) => file as string))
  expect([...files]).toEqual(expect.arrayContaining(['/docs/page.js', '/docs/page.css', '/openapi.yaml']))
  const loaded = new Set(
    [...own.matchAll(/<(?:link|script|img) [^>]*?(?:src|href)="([^"]+)"/g)].map(([, file]) => file),
  )
  expect(loaded.size).toBeGreaterThan(3)
  let weight = gzipSync(text).length
  for (const file of files) {
    expect(file).toMatch(/^\/(?!\/)/)
    const answer = await request(file)
    expect([file, answer.status, answer.workerRequests]).toEqual([file, 200, 0])
    // Links to other pages load nothing.
    if (loaded.has(file)) weight += gzipSync(answer.text).length
  }
  expect(weight).toBeLessThan(120 * 1024)
})

it('The reference page has no inline script or style, and describes every operation and every error code', async () => {
  const { text } = await request('/docs')
  expect(text).not.toMatch(/<script(?! type="module" src=)|<style|\sstyle=|\son[a-z]+=/)
  const operations = Object.values(describeApi().paths).flatMap((item) => Object.values(item))
  for (const { operationId } of operations)
    expect(text).toContain(`<details class="operation" id="${operationId}">`)
  const described = JSON.stringify(describeApi())
  const codes = new Set(
    [...described.matchAll(/"X-Error-Code":\{.*?"enum":\[(.*?)\]/g)].flatMap(([, list]) =>
      JSON.parse(`[${list}]`),
    ),
  )
  expect(codes.size).toBeGreaterThan(10)
  for (const code of codes) expect(text).toContain(`<code>${code}</code>`)
})

it('The reference page is the target of a redirect from /, for GET and HEAD', async () => {
  for (const method of ['GET', 'HEAD']) {
    const { status, headers } = await request('/', { method })
    expect([status, headers.get('location')]).toEqual([302, '/docs'])
  }
})

it.each([
  '/docs/connect',
  '/docs/connect/dialer',
  '/docs/connect/zapier',
  '/docs/consent',
  '/docs/do-not-call',
  '/docs/two-weeks',
  '/docs/tested',
  '/docs/mcp',
])(
  'A page beside the reference is served with the policy of the reference, and every link within the origin leads somewhere: %s',
  async (path) => {
    const { status, headers, text, workerRequests } = await request(path)
    expect([status, workerRequests]).toEqual([200, 0])
    const policy = (await request('/docs')).headers.get('content-security-policy')
    expect(policy).toContain("script-src 'self'")
    expect(headers.get('content-security-policy')).toBe(policy)
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(text).not.toMatch(/<script(?! type="module" src=)|<style|\sstyle=|\son[a-z]+=/)
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id as string)
    expect(ids).toHaveLength(new Set(ids).size)
    const links = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link as string)
    expect(links.filter((link) => !/^(?:https:|#|\/)/.test(link))).toEqual([])
    const broken = links.filter((link) => link.startsWith('#') && !ids.includes(link.slice(1)))
    expect(broken).toEqual([])
    for (const link of new Set(links.filter((link) => link.startsWith('/'))))
      expect([link, (await request(link)).status]).toEqual([link, 200])
  },
)

/** Every page that can be reached from the reference, with the ids in it and the links of this origin that it has. */
async function crawl() {
  const pages = new Map<string, { readonly ids: readonly string[]; readonly links: readonly string[] }>()
  const wanted = ['/docs']
  for (const path of wanted) {
    const { status, headers, text } = await request(path)
    expect([path, status]).toEqual([path, 200])
    const isPage = headers.get('content-type')?.startsWith('text/html') && path.startsWith('/docs')
    const found = (name: string) => [...text.matchAll(new RegExp(` ${name}="([^"]+)"`, 'g'))]
    const valuesOf = (name: string) => (isPage ? found(name).map(([, value]) => value as string) : [])
    const links = valuesOf('href')
      .filter((link) => /^[#/]/.test(link))
      .map((link) => (link.startsWith('#') ? path + link : link))
    pages.set(path, { ids: valuesOf('id'), links })
    for (const link of links) {
      const [other = ''] = link.split('#')
      if (!wanted.includes(other)) wanted.push(other)
    }
  }
  return pages
}

it('Every link of every page leads to a page and a place in it, and so does what the search finds and the console links', async () => {
  const pages = await crawl()
  expect([...pages.keys()].filter((path) => path.startsWith('/docs/')).length).toBeGreaterThan(35)
  const built = readdirSync(join(projectDir, 'dist/assets/docs'), { recursive: true, encoding: 'utf8' })
  for (const file of built.filter((file) => file.endsWith('.html')))
    expect([...pages.keys()]).toContain(`/docs/${file.replace('.html', '')}`)
  const consoleDir = join(projectDir, 'src/console')
  const inConsole = readdirSync(consoleDir, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx'))
    .flatMap((file) => [...readFileSync(join(consoleDir, file), 'utf8').matchAll(/"(\/docs[\w/#-]*)"/g)])
    .map(([, link]) => link as string)
  const { documentIds } = JSON.parse((await request('/docs/search.json')).text) as {
    documentIds: Record<string, string>
  }
  const inSearch = Object.values(documentIds)
  expect([inConsole.length > 2, inSearch.length > 150]).toEqual([true, true])
  const all = new Set([...pages.values()].flatMap(({ links }) => links).concat(inConsole, inSearch))
  const broken = [...all].filter((link) => {
    const [path = '', fragment] = link.split('#')
    return fragment === undefined ? !pages.has(path) : !pages.get(path)?.ids.includes(fragment)
  })
  expect(broken).toEqual([])
})

it('The list of recipes names every page about a system once, and the reference page links to those that are there', async () => {
  const [reference, list] = await Promise.all([request('/docs'), request('/docs/connect')])
  const linksIn = (text: string) =>
    [...text.matchAll(/href="\/docs\/connect\/([^"#]+)/g)].map(([, name]) => name as string)
  const [, main = ''] = list.text.split('<main')
  const names = connectPages.map((path) => basename(path, '.md')).filter((name) => name !== 'README')
  expect(linksIn(main).toSorted()).toEqual(names.toSorted())
  expect(linksIn(reference.text)).toEqual(expect.arrayContaining(['livekit', 'dialer', 'n8n']))
  expect(linksIn(reference.text).filter((name) => !names.includes(name))).toEqual([])
})

it('The pages beside the reference are linked from it and from each other', async () => {
  const texts = await Promise.all(['/docs', '/docs/connect', '/docs/consent'].map((path) => request(path)))
  const [reference = '', connect = '', consent = ''] = texts.map(({ text }) => text)
  for (const text of [reference, consent]) expect(text).toMatch(/href="\/docs\/connect["#]/)
  for (const text of [reference, connect]) expect(text).toMatch(/href="\/docs\/consent["#]/)
})

describe('The search of /docs', () => {
  // As a developer types them.
  it.each([
    ['vapi', '/docs/connect/vapi'],
    ['retel', '/docs/connect/retell'],
    ['custom template', '/docs/connect/custom-template'],
    ['hubspot', '/docs/connect/hubspot'],
    ['do not call', '/docs#area-do-not-call-list'],
    ['retry', '/docs#retries-and-idempotency'],
    ['idempotency key', '/docs#retries-and-idempotency'],
    ['transcript', '/docs/connect/assistant'],
    ['callback', '/docs/connect/assistant'],
    ['wait for leads', '/docs#area-calling'],
    ['rate limit', '/docs#rate-limits'],
    ['webhook signature', '/docs/connect/webhooks'],
    ['e.164', '/docs#e-164-phone-numbers'],
    ['import csv', '/docs/connect/files'],
    ['excel', '/docs/connect/files'],
    ['poll events', '/docs#listEvents'],
    ['create a lead', '/docs#createLead'],
    ['listLeads', '/docs#listLeads'],
    ['post /api/v1/calls/claim', '/docs#claimCalls'],
    ['revoke key', '/docs#revokeKey'],
    ['erase person', '/docs#erasePerson'],
    ['consent', '/docs/consent'],
    ['pagination', '/docs#paging'],
    ['paging', '/docs#paging'],
    ['cursor', '/docs#paging'],
    ['mcp', '/docs/mcp'],
    ['staging', '/docs#testing-and-staging'],
    ['gdpr', '/docs#erasePerson'],
    ['erase a person', '/docs#erasePerson'],
    ['401', '/docs#errors'],
    ['Unauthorized', '/docs#errors'],
    ['phone number format', '/docs#e-164-phone-numbers'],
    ['csv export', '/docs#listLeads'],
    ['duplicate', '/docs#createLeads'],
    ['pause campaign', '/docs#changeCampaign'],
    ['authentication', '/docs#keys'],
    // All words but one fit.
    ['verify webhook signature python', '/docs/connect/webhooks'],
    ['pause my campaign', '/docs#changeCampaign'],
    ['paging php', '/docs#paging'],
  ])('The search shows the right page first, for "%s"', async (query, address) => {
    const { status, text, workerRequests } = await request('/docs/search.json')
    expect([status, workerRequests]).toEqual([200, 0])
    const found = openSearch(text)(query)
    expect(found[0]?.id).toBe(address)
    expect(found.length).toBeLessThan(80)
  })

  it('The search finds nothing for words that no page has, and nothing for no word', async () => {
    const find = openSearch((await request('/docs/search.json')).text)
    expect([find('xylophone'), find(''), find(' - ')]).toEqual([[], [], []])
    expect(find('xylophone glockenspiel')).toEqual([])
    // Two words that no page has are too many.
    expect(find('webhook xylophone glockenspiel')).toEqual([])
  })

  it('The search has a page for everything that people call by another name', async () => {
    const { documentIds } = JSON.parse((await request('/docs/search.json')).text) as {
      documentIds: Record<string, string>
    }
    const find = openSearch((await request('/docs/search.json')).text)
    for (const [address, names] of Object.entries(alsoCalled)) {
      expect(Object.values(documentIds)).toContain(address)
      for (const name of names) expect([name, find(name)[0]?.id]).toEqual([name, address])
    }
  })

  it('The search is loaded by no page at once, and weighs at most 160 KiB', async () => {
    for (const path of ['/docs', '/docs/connect/vapi'])
      expect((await request(path)).text).not.toContain('/docs/search.')
    const files = await Promise.all(['js', 'json'].map((kind) => request(`/docs/search.${kind}`)))
    const weight = files.map(({ text }) => gzipSync(text).length).reduce((sum, one) => sum + one)
    expect(weight).toBeLessThan(160 * 1024)
    expect((await request('/docs/licenses.txt')).text).toContain('MIT')
  })
})

/** Of all countries; loaded when a file is opened or numbers are read. */
const phoneRules = /^readers-\w+\.js$/

/** What opens a file that is not CSV in UTF-8; loaded when one comes. */
const unusualFiles = /^unusual-file-\w+\.js$/

/** The words of the judge, in nine languages: with a page that reads a file or a source. */
const holdsJudge = (name: string) =>
  readFileSync(join(projectDir, 'dist/assets/console', name), 'utf8').includes('robinsonliste')

// A tenth more than it was in November 2026.
it('The Worker that is uploaded weighs at most 375 KiB', async () => {
  const dir = await builtWorker()
  const scripts = readdirSync(dir).filter((name) => name.endsWith('.js'))
  expect(scripts).toEqual(['index.js'])
  const [weight = 0] = scripts.map((name) => gzipSync(readFileSync(join(dir, name))).length)
  expect(weight).toBeLessThanOrEqual(375 * 1024)
})

describe('The console', () => {
  const files = async () => {
    const { text } = await request('/console')
    const named = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file as string)
    return [...named.filter((file) => file !== '/docs'), '/console/import-worker.js']
  }

  it('The console has a policy that loads nothing from other origins and runs no text as code', async () => {
    const answer = await request('/console')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types lead-intake-console")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    const worker = (await request('/console/import-worker.js')).headers.get('content-security-policy')
    expect(worker).toContain("default-src 'none'; connect-src 'self'")
  })

  it('The console weighs at most 60 KiB until a campaign is shown, and none of its files needs a Worker request', async () => {
    let bytes = gzipSync((await request('/console')).text).length
    for (const file of await files()) {
      const { status, text, workerRequests } = await request(file)
      expect([file, status, workerRequests]).toEqual([file, 200, 0])
      bytes += gzipSync(text).length
    }
    expect(bytes).toBeLessThanOrEqual(60 * 1024)
  })

  it('The console weighs at most 120 KiB with the pages that are loaded when they are opened', async () => {
    const folder = join(projectDir, 'dist/assets/console')
    const bytes = readdirSync(folder)
      .filter(
        (name) =>
          /\.(js|css|json)$/.test(name) &&
          !phoneRules.test(name) &&
          !unusualFiles.test(name) &&
          !holdsJudge(name),
      )
      .map((name) => gzipSync(readFileSync(join(folder, name))).length)
    expect(bytes.length).toBeGreaterThan(5)
    expect(bytes.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(120 * 1024)
  })

  it('The console loads what reads workbooks and other encodings by itself, which weighs at most 24 KiB', () => {
    const folder = join(projectDir, 'dist/assets/console')
    const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'))
    const holds = (name: string) => readFileSync(join(folder, name), 'utf8').includes('xl/workbook.xml')
    const found = scripts.filter(holds)
    expect(found).toEqual([expect.stringMatching(unusualFiles)])
    const [weight = 0] = found.map((name) => gzipSync(readFileSync(join(folder, name))).length)
    expect(weight).toBeLessThanOrEqual(24 * 1024)
    // Nothing loads it at once.
    for (const name of scripts)
      expect(readFileSync(join(folder, name), 'utf8')).not.toMatch(/(from|import)\s*"\.\/unusual-file/)
  })

  it('The console loads the words that say no once, not at once, and with what reads rows they weigh at most 28 KiB', () => {
    const folder = join(projectDir, 'dist/assets/console')
    const found = readdirSync(folder).filter((name) => name.endsWith('.js') && holdsJudge(name))
    expect(found).toHaveLength(1)
    const [name = ''] = found
    expect(gzipSync(readFileSync(join(folder, name))).length).toBeLessThanOrEqual(28 * 1024)
    expect(readFileSync(join(folder, 'console.js'), 'utf8')).not.toMatch(`"./${name}"`)
  })

  it('The console loads the rules of phone numbers by themselves, which weigh at most 70 KiB', () => {
    const folder = join(projectDir, 'dist/assets/console')
    const found = readdirSync(folder).filter((name) => phoneRules.test(name))
    expect(found).toHaveLength(1)
    const [weight = 0] = found.map((name) => gzipSync(readFileSync(join(folder, name))).length)
    expect(weight).toBeGreaterThan(20 * 1024)
    expect(weight).toBeLessThanOrEqual(70 * 1024)
    // Nothing else holds them.
    const others = readdirSync(folder).filter((name) => name.endsWith('.js') && !phoneRules.test(name))
    for (const name of others) expect(readFileSync(join(folder, name), 'utf8')).not.toContain('17[0-4]')
  })
})

it.each(['/nothing', '/docs/nothing', '/index.html', '/_headers', '/openapi.json/', '/openapi.yml'])(
  'Whatever else is asked for is 404 in the envelope: %s',
  async (path) => {
    const { status, text } = await request(path)
    expect([status, text]).toEqual([404, '{"success":false,"data":null,"error":"Not found"}'])
  },
)

it('Whatever else is asked for is 404 in the envelope for another method on /', async () => {
  const { status, text } = await request('/', { method: 'POST' })
  expect([status, text]).toEqual([404, '{"success":false,"data":null,"error":"Not found"}'])
})

it('Whatever else is asked for reaches the Worker under /api, with rate limit headers', async () => {
  const { status, headers, workerRequests } = await request('/api/v1/leads')
  expect([status, workerRequests, headers.get('x-ratelimit-limit')]).toEqual([401, 1, '60'])
  expect(headers.get('ratelimit-policy')).toBe('"unknown";q=60;w=60')
})

it('The static files are built again when a source, a package or one of them has changed, and otherwise left', () => {
  const dir = mkdtempSync(join(tmpdir(), 'lead-intake-site-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const write = (path: string, text: string) => {
    mkdirSync(join(dir, path, '..'), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
  cpSync(join(projectDir, 'src/docs/site/build.ts'), join(dir, 'src/docs/site/build.ts'))
  write(
    'src/docs/site/assets.ts',
    `import { appendFileSync, readFileSync } from 'node:fs'
    appendFileSync('times', '.')
    export const assets = { 'docs/page.html': readFileSync('src/page.html') }`,
  )
  write('package.json', '{"type":"module"}')
  write('node_modules/.package-lock.json', '{}')
  write('src/page.html', 'one')
  const served = 'dist/assets/docs/page.html'
  let times = 0
  const expectBuilt = (isBuilt: boolean, page: string) => {
    execFileSync(process.execPath, ['src/docs/site/build.ts'], { cwd: dir })
    if (isBuilt) times++
    expect(readFileSync(join(dir, 'times'), 'utf8')).toHaveLength(times)
    expect(readdirSync(join(dir, 'dist/assets'), { recursive: true }).sort()).toEqual([
      'docs',
      join('docs', 'page.html'),
    ])
    expect(readFileSync(join(dir, served), 'utf8')).toBe(page)
  }
  expectBuilt(true, 'one')
  expectBuilt(false, 'one')
  for (const [path, text, page] of [
    ['src/page.html', 'two', 'two'],
    ['package.json', '{"type":"module","version":"2"}', 'two'],
    ['node_modules/.package-lock.json', '{"packages":{}}', 'two'],
    [served, 'other', 'two'],
    ['dist/assets/docs/of-an-earlier-build.html', '', 'two'],
  ] as const) {
    write(path, text)
    expectBuilt(true, page)
  }
  rmSync(join(dir, 'dist/assets'), { recursive: true })
  expectBuilt(true, 'two')
  expectBuilt(false, 'two')
})
