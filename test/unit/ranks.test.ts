// Who may import whom in src, read off its import lines: the ranks of the folders, the order inside an area, packages,
// and file names. Circles, and which files speak SQL or HTTP, are the linter's.
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'

type File = { readonly path: string; readonly imports: readonly string[]; readonly text?: string }

/** From the ground up. A file may import what ranks lower, and what is in its own folder. */
const ranks: readonly (readonly RegExp[])[] = [
  [/^[^/]+$/],
  [/^database\//, /^http\//],
  [/^rate-limits\//],
  [/^access\//],
  [/^(suppression|events|statistics)\/store\//, /^events\/(epochs|signature)\.ts$/],
  [/^leads\//],
  [/^calling\//],
  // Routes and delivery of these: they read and write leads and calls.
  [/^(suppression|events|statistics)\/(?!store\/|epochs|signature)/, /^health\.ts$/],
  [/^docs\//, /^admin\//, /^index\.ts$/],
]
/** They speak to the API only. The operator's commands may use the client as everybody does. */
const clients = /^(console|sdk)\//
const isUseOfClient = (from: string, to: string) =>
  from.startsWith('admin/') && to === 'sdk/src/lead-intake.ts'

/** Those of the area that answer requests, and those that read them. All else in it are rules, or its store. */
const answers = /^[^/]+\/(routes|list|list-stream|deliver|authenticate|idempotency)\.ts$/
const readsInput = /^[^/]+\/((.+-)?input|fields)\.ts$/

/** Whoever is none of these is pure. */
const mayImportPackages = [
  /^(index|health)\.ts$/,
  /^(database|http|docs|admin|console)\//,
  /\/store\//,
  answers,
  readsInput,
  /^rate-limits\/(rate-limit|rate-limiter)\.ts$/,
  /^events\/webhook-sender\.ts$/,
]
const mayRecur = ['routes', 'tables', 'input']
/** Each program has names of its own: the Worker, the operator's commands, and each client. */
const programOf = (path: string) => /^(admin|console|sdk)\//.exec(path)?.[1] ?? 'worker'

const rankOf = (path: string) => ranks.findLastIndex((patterns) => patterns.some((one) => one.test(path)))
const folderOf = (path: string) => path.split('/').slice(0, -1)[0] ?? ''
const nameOf = (path: string) => posix.basename(path).replace(/\.[^.]+$/, '')

const isUpward = (from: string, to: string) =>
  clients.test(from) || clients.test(to)
    ? folderOf(from) !== folderOf(to) && !isUseOfClient(from, to)
    : folderOf(from) === folderOf(to)
      ? rankOf(from) < rankOf(to) && folderOf(from) !== ''
      : rankOf(from) <= rankOf(to)

const isBackward = (from: string, to: string) =>
  folderOf(from) === folderOf(to) &&
  !answers.test(from) &&
  (answers.test(to) || (from.includes('/store/') && readsInput.test(to)))

const rules: Readonly<Record<string, (files: readonly File[]) => string[]>> = {
  'gives every folder a rank': (files) =>
    files.filter(({ path }) => rankOf(path) === -1 && !clients.test(path)).map(({ path }) => path),

  'imports downwards only': (files) => importsThat(files, isUpward),

  'leads from routes to input and rules, and from there to the store': (files) =>
    importsThat(files, isBackward),

  'keeps packages out of pure files': (files) =>
    files
      .filter(({ path }) => !mayImportPackages.some((one) => one.test(path)))
      .flatMap(({ path, imports }) =>
        imports.filter((name) => !/^(\.|node:)/.test(name)).map((name) => `${path} imports ${name}`),
      ),

  'gives every file a name of its own': (files) => {
    const named = files.map(({ path }) => ({ path, name: `${programOf(path)} ${nameOf(path)}` }))
    return named
      .filter(({ path }) => !mayRecur.includes(nameOf(path)))
      .filter(({ path, name }) => named.some((other) => other.path !== path && other.name === name))
      .map(({ path }) => path)
  },
}

function importsThat(files: readonly File[], isWrong: (from: string, to: string) => boolean): string[] {
  return files.flatMap(({ path, imports }) =>
    imports
      .filter((name) => name.startsWith('.'))
      .map((name) => posix.join(posix.dirname(path), name))
      .filter((target) => !target.startsWith('..') && isWrong(path, target))
      .map((target) => `${path} imports ${target}`),
  )
}

const srcDir = join(import.meta.dirname, '../../src')
const source: readonly File[] = readdirSync(srcDir, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /\.(ts|tsx|js)$/.test(path) && !path.endsWith('.d.ts') && !path.startsWith('sdk/dist/'))
  .map((path) => ({ path, text: readFileSync(join(srcDir, path), 'utf8') }))
  .map(({ path, text }) => ({ path, text, imports: importsOf(text) }))

function importsOf(text: string): string[] {
  const from = /^(?:import|export)\b[^'"]*?from\s+['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]/gm
  const called = /\bimport\(\s*['"]([^'"]+)['"]/g
  return [...text.matchAll(from), ...text.matchAll(called)].map(([, one, other]) => one ?? other ?? '')
}

describe('Ranks', () => {
  it.each(Object.entries(rules))('The source %s', (_, findIn) => {
    expect(source.length).toBeGreaterThan(50)
    expect(source.flatMap(({ imports }) => imports).length).toBeGreaterThan(200)
    expect(findIn(source)).toEqual([])
  })
})

describe('Statements', () => {
  it('remove entries of the log for their age, and for nothing else', () => {
    const removes =
      /(delete from|replace into|or replace into|drop table|truncate)\s+(\$\{events\}|["`]?events\b)/i
    expect(source.filter(({ text = '' }) => removes.test(text)).map(({ path }) => path)).toEqual([
      'events/store/forget.ts',
    ])
  })
})

describe('A rule of ranks', () => {
  const file = (path: string, ...imports: string[]): File => ({ path, imports })

  it.each<[rule: string, ...files: File[]]>([
    ['gives every folder a rank', file('shared/things.ts')],
    ['imports downwards only', file('http/validate.ts', '../leads/query-input.ts')],
    ['imports downwards only', file('limits.ts', './database/database.ts')],
    ['imports downwards only', file('leads/routes.ts', '../calling/store/claim.ts')],
    ['imports downwards only', file('leads/store/create.ts', '../../suppression/routes.ts')],
    ['imports downwards only', file('events/store/log.ts', '../deliver.ts')],
    ['imports downwards only', file('leads/lead.ts', '../index.ts')],
    ['imports downwards only', file('console/page.ts', '../leads/lead.ts')],
    ['imports downwards only', file('sdk/src/leads.ts', '../../leads/lead.ts')],
    ['imports downwards only', file('leads/routes.ts', '../sdk/src/lead-intake.ts')],
    ['keeps packages out of pure files', file('sdk/src/leads.ts', 'zod')],
    [
      'leads from routes to input and rules, and from there to the store',
      file('leads/query-input.ts', './list.ts'),
    ],
    [
      'leads from routes to input and rules, and from there to the store',
      file('calling/store/claim.ts', '../input.ts'),
    ],
    ['keeps packages out of pure files', file('leads/lead.ts', 'zod/mini')],
    ['keeps packages out of pure files', file('rate-limits/sliding-window.ts', 'hono')],
    ['gives every file a name of its own', file('leads/store/read.ts'), file('calling/store/read.ts')],
  ])('A rule finds what breaks it: the source %s (%#)', (rule, ...files) => {
    expect(rules[rule]?.(files)).not.toEqual([])
  })

  it('No rule finds anything in what the ranks allow', () => {
    const allowed = [
      file('calling/store/claim.ts', '../../leads/store/change.ts', '../attempt-rules.ts', 'drizzle-orm'),
      file('leads/store/create.ts', '../../suppression/store/numbers.ts'),
      file('suppression/routes.ts', '../leads/store/read.ts', './input.ts', './store/numbers.ts', 'hono'),
      file('calling/routes.ts'),
      file('admin/import/bulk.ts', '../../sdk/src/lead-intake.ts'),
      file('index.ts', './suppression/routes.ts', './health.ts', 'hono'),
    ]
    for (const findIn of Object.values(rules)) expect(findIn(allowed)).toEqual([])
  })
})
