// What runs on GitHub: it names what is there.
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { projectDir } from './server.ts'

const dir = join(projectDir, '.github/workflows')
const workflows = readdirSync(dir).map((name) => ({ name, text: readFileSync(join(dir, name), 'utf8') }))

type Triggers = { readonly on: { readonly pull_request?: { readonly paths?: readonly string[] } | null } }

it('Every action is pinned by a commit, with its version beside it, and one action by one commit', () => {
  const used = workflows.flatMap(({ text }) => text.match(/uses: .*/g) ?? [])
  expect(used.length).toBeGreaterThan(10)
  expect(used.filter((line) => !/^uses: [\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([])
  const actions = used.map((line) => line.split('@')[0])
  expect(new Set(used).size).toBe(new Set(actions).size)
})

it.each(workflows)('The paths by which a workflow begins are there: $name', ({ text }) => {
  const paths = (parse(text) as Triggers).on.pull_request?.paths ?? []
  expect(paths.filter((path) => globSync(path, { cwd: projectDir }).length === 0)).toEqual([])
})

it.each(workflows)('A workflow may read, and one that writes says what: $name', ({ name, text }) => {
  const { permissions } = parse(text) as { permissions: object }
  expect(permissions).toEqual({
    contents: 'read',
    ...(name === 'publish-client.yml' && { 'id-token': 'write' }),
  })
})
