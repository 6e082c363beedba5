// What the pages for people say is so: a pasted line of the README works against a fresh server, and every link in
// the project's pages leads somewhere. Whether the words are true is for the reader to see.
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoDialer } from '../../src/admin/local/demo.ts'
import { writeForm } from '../../src/admin/local/demo-form.ts'
import type { Scope } from '../../src/base/access/scope.ts'
import { describeApi } from '../../src/docs/describe-api.ts'
import { LeadIntake } from '../../src/sdk/src/lead-intake.ts'
import { removeDir, temporaryDir } from '../admin/project.ts'
import { connectPages } from './connect-page.ts'
import { type Joined, joinServer, projectDir } from './server.ts'

const operationsPages = readdirSync(join(projectDir, 'src/admin/operations')).map(
  (name) => `src/admin/operations/${name}`,
)
const pages = [
  'README.md',
  'src/README.md',
  'src/base/README.md',
  'src/queue/README.md',
  'src/channels/README.md',
  'src/control/README.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  ...connectPages,
  'src/docs/consent.md',
  'src/docs/data.md',
  'src/docs/do-not-call.md',
  'src/docs/tested.md',
  'src/docs/two-weeks.md',
  'src/sdk/README.md',
  'src/mcp/README.md',
  'src/admin/operations.md',
  ...operationsPages,
  'test/hard/README.md',
  'test/simulation/README.md',
  'test/bench/README.md',
]
const textOf = (page: string) => readFileSync(join(projectDir, page), 'utf8')
const blocksOf = (page: string) =>
  [...textOf(page).matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block as string)

let server: WithForm
let second: WithForm
beforeAll(async () => {
  server = await joinWithForm()
  second = await joinWithForm()
})

const dirs: string[] = []
afterAll(() => dirs.forEach(removeDir))

type WithForm = Joined & { readonly formPath: string }

/** With the dialer and the form of `npm start`. */
async function joinWithForm(): Promise<WithForm> {
  const joined = await joinServer()
  const client = new LeadIntake({ baseUrl: joined.base, apiKey: joined.keys.manage })
  await client.campaigns.dialer.set('demo', { ...demoDialer, enabled: true })
  const dir = temporaryDir()
  dirs.push(dir)
  return { ...joined, formPath: (await writeForm(client, dir, '+14155550120', joined.base)).path }
}

it.each(['README.md', 'src/docs/consent.md'])(
  'A page has blocks of curl that work when pasted one after the other, and when pasted again: %s',
  async (page) => {
    const blocks = blocksOf(page)
    const pasted = blocks.filter((block) => block.includes('curl'))
    expect(pasted.length).toBeGreaterThanOrEqual(6)
    for (const round of ['first', 'again'])
      for (const block of pasted) {
        const answers = await paste(block)
        expect(answers, block).not.toBe('')
        const isToldAgain = round === 'again' && answers.includes('"error":"Lead already exists"')
        if (!isToldAgain) expect(answers, block).not.toContain('"success":false')
      }
  },
)

it('The README works in its own order: a phone rings, and leads, a claim, a report and events follow as printed', async () => {
  const own = second
  const blocks = blocksOf('README.md').filter((block) => block.includes('curl'))
  for (const block of blocks) {
    const answers = await paste(block, own)
    expect(answers, block).not.toContain('"success":false')
    const isLeadOfDialer = block.includes('--data-urlencode')
    if (isLeadOfDialer)
      await expect
        .poll(() => ask(own, 'GET', '/leads?campaignId=demo&status=concluded', 'read'), { timeout: 30_000 })
        .toMatchObject({ leads: [{ phoneNumber: '+14155550120' }] })
    if (block.includes('/api/v1/events')) expect(answers).toContain('"type":"leads.created"')
  }
  // As `npm start` prints them.
  const claim = { campaignId: 'demo', agent: 'me' }
  const { calls } = await ask<{ calls: { callId: string }[] }>(own, 'POST', '/calls/claim', 'agent', claim)
  expect(calls).toHaveLength(1)
  const report = { calls: [{ callId: calls[0]?.callId, outcome: 'answered' }] }
  expect(await ask(own, 'POST', '/calls/report', 'agent', report)).toMatchObject({
    results: [{ result: 'recorded', status: 'concluded' }],
  })
}, 60_000)

async function ask<Data>(
  { base, keys }: Joined,
  method: string,
  path: string,
  scope: Scope,
  body?: object,
): Promise<Data> {
  const headers = { 'x-api-key': keys[scope], 'content-type': 'application/json' }
  const answer = await fetch(`${base}/api/v1${path}`, {
    ...{ method, headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  return ((await answer.json()) as { data: Data }).data
}

it('The guide of the API description has blocks of curl that work when pasted', async () => {
  const { description } = describeApi().info
  const blocks = [...description.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block as string)
  expect(blocks.length).toBeGreaterThan(1)
  for (const block of blocks) {
    const answers = await paste(block.replaceAll('https://leads.example.com', server.base))
    expect(answers, block).toMatch(/"success":true|"error":"Lead already exists"/)
  }
})

/** What the lines print, as a shell that has the README's and the guide's variables runs them. */
async function paste(lines: string, { base, keys, formPath } = server): Promise<string> {
  const env = {
    ...process.env,
    URL: base,
    FORM: formPath,
    KEY: keys.write,
    MANAGE_KEY: keys.manage,
    LEAD_INTAKE_KEY: keys.write,
  }
  const { stdout } = await promisify(execFile)('sh', ['-c', lines], { env })
  return stdout
}

it('Health and its monitor are among the first that README and the reference have', () => {
  const [, start = ''] = /^## Quick start\n(.+?)^## /ms.exec(textOf('README.md')) ?? []
  expect(start).toContain('/api/health')
  const { info, tags } = describeApi()
  expect(tags.slice(0, 3).map(({ name }) => name)).toContain('Health')
  for (const text of [start, info.description.split('## Testing')[0]]) expect(text).toContain('monitors')
})

it('The pages say alike which 409 means done', () => {
  const { info } = describeApi()
  for (const text of [textOf('README.md'), info.description]) {
    expect(text).toContain('2xx and 409 `Lead already exists` mean done, 429 and 503 mean again')
    expect(text).not.toMatch(/\b409 means? done/)
  }
  const rows = textOf('src/docs/connect/README.md').match(/^\| 409 .*$/gm)
  expect(rows).toEqual([
    expect.stringMatching(/^\| 409 `Lead already exists` +\| done/),
    expect.stringMatching(/^\| 409 `Idempotency-Key was .*` +\| not stored/),
  ])
})

describe('The links of', () => {
  it.each(pages)('%s contain no placeholder', (page) => {
    const links = [...withoutCode(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link as string)
    expect(links.filter((link) => /your-org|<|\.\.\.$/.test(link))).toEqual([])
  })

  it.each(pages)('%s lead to files and headings that exist', (page) => {
    const broken = linksOf(page).filter((link) => {
      const [path = '', heading] = link.split('#')
      const target = path === '' ? page : join(dirname(page), path)
      if (!existsSync(join(projectDir, target))) return true
      return heading !== undefined && !headingsOf(target).includes(heading)
    })
    expect(broken).toEqual([])
  })
})

/** Those within the project. */
function linksOf(page: string): string[] {
  const links = [...withoutCode(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link as string)
  return links.filter((link) => !/^[a-z]+:/.test(link))
}

/** As the forges spell the anchor of a heading. */
function headingsOf(page: string): string[] {
  return [...withoutCode(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

const withoutCode = (page: string) => textOf(page).replace(/^```.*?^```$/gms, '')
