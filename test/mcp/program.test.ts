// The program of the MCP server and its package: settings, keys, what it logs, and how it is installed.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeKey } from '../../src/base/access/api-key.ts'
import { type Joined, joinServer, projectDir } from '../docs/server.ts'
import { type Installed, install, mcpDir } from './installed.ts'

let server: Joined
let installed: Installed
const keyOf = async (...rights: Parameters<Joined['addKey']>) => (await server.addKey(...rights)).key

beforeAll(async () => {
  ;[server, installed] = await Promise.all([joinServer(), install()])
})
afterAll(async () => {
  installed?.remove()
})

describe('A key', () => {
  const writes = ['--allow-writes']

  it.each([
    ['read', [], /^$/],
    ['write', writes, /^$/],
    ['write', [], /warning: the key has scope write and may do more than needed \(write\): .* scope read\n$/],
    ['manage', [], /may do more than needed \(write, agent, manage\)/],
    ['manage', writes, /may do more than needed \(agent, manage\): .* scope write\n$/],
    ['agent', [], /more than needed \(agent\).*\n.*lacks rights \(read\)/],
    ['read', writes, /^[^\n]*lacks rights \(write\)[^\n]*\n$/],
  ] as const)(
    'A key of scope %s, with %j, is warned about if it may do more or less than needed',
    async (scope, args, logged) => {
      const run = await installed.run({ url: server.base, key: await keyOf(scope), args })
      expect(run).toEqual({ exitCode: 0, printed: '', logged: expect.stringMatching(logged) })
    },
  )

  it('A key that the service refuses ends the program with an error that does not contain it', async () => {
    const { key } = makeKey()
    const { exitCode, logged, printed } = await installed.run({ url: server.base, key })
    expect([exitCode, printed]).toEqual([1, ''])
    expect(logged).toMatch(/^lead-intake-mcp: error: the service refuses LEAD_INTAKE_KEY: .+\n$/)
    expect(logged).not.toContain(key.slice(3))
  })

  it.each([
    ['', 'lk_1', /LEAD_INTAKE_URL must be/],
    ['http://leads.example.com', 'lk_1', /LEAD_INTAKE_URL must be the https address/],
    ['https://user:lk_secret@leads.example.com', 'lk_1', /LEAD_INTAKE_URL must be/],
    ['https://leads.example.com', '', /LEAD_INTAKE_KEY must be/],
    ['https://leads.example.com', 'secret', /LEAD_INTAKE_KEY must be/],
  ])(
    'A key or address that cannot be one is refused before anything is sent: %j, %j',
    async (url, key, message) => {
      const { exitCode, logged } = await installed.run({ url, key })
      expect([exitCode, logged]).toEqual([2, expect.stringMatching(message)])
      expect(logged).not.toContain('secret')
    },
  )
})

it('The log contains no key and no phone number, whatever the client sends', async () => {
  const key = await keyOf('read')
  const call = (params: object) =>
    `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`
  const lines = [
    '{"phoneNumber": "+14155550110" nonsense\n',
    // The SDK's errors quote what they refuse.
    `{"jsonrpc":"2.0","method":"x","+14155550110":1,"${key}":1}\n`,
    `{"jsonrpc":"2.0","method":"+14155550110","params":"${key}"}\n`,
    call({ name: 'find_lead', arguments: { query: '+14155550110' } }),
    call({ name: '+14155550110', arguments: key }),
  ]
  const { logged } = await installed.run({ url: server.base, key }, lines.join(''))
  // Something was refused, and says so.
  expect(logged).toContain('error: ')
  expect(logged).not.toMatch(/\+1415|lk_/)
})

it('The package has the version of the service, no dependencies, and the licenses of what it contains', async () => {
  const [ours, its] = [projectDir, mcpDir].map((dir) =>
    JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')),
  )
  expect(its.version).toBe(ours.version)
  const { client } = await installed.connect({ url: server.base, key: await keyOf('read') })
  expect(client.getServerVersion()).toMatchObject({ name: its.name, version: ours.version })
  await client.close()
  expect(Object.keys(its).filter((name) => /dependencies/i.test(name))).toEqual(['devDependencies'])
  const licenses = readFileSync(join(installed.dir, 'dist/licenses.txt'), 'utf8')
  expect(licenses).toMatch(/^@modelcontextprotocol\/server .*Apache-2\.0/m)
  expect(licenses).toMatch(/^zod .*MIT/m)
  // The SDK has copied these into its own files, and not their licenses.
  const copied = ['ajv', 'ajv-formats', 'content-type', 'fast-deep-equal', 'fast-uri', 'json-schema-traverse']
  for (const name of copied)
    expect(licenses).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+\\n\\n[^]*?Copyright`, 'm'))
  const program = readFileSync(join(installed.dir, 'dist/lead-intake-mcp.js'), 'utf8')
  expect(program).toContain('ajvProvider')
})

it('The package is installed as a packed file in its README', () => {
  const readme = readFileSync(join(mcpDir, 'README.md'), 'utf8')
  const installs = [...readme.matchAll(/\b(?:npm (?:install|i|exec)|npx) +(.*lead-intake.*)/g)]
  expect(installs.map(([, what]) => what)).toEqual(['--global ./lead-intake-mcp-*.tgz'])
})
