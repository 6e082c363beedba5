// The laws of the source tree (src/README.md), read from its text: who imports whom, which files use which packages,
// which area writes which table, that a comment names files that exist, and the voice. Import cycles are the linter's.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'

type File = { readonly path: string; readonly text: string }

/**
 * The wings of the Worker, from the ground up, and in each its areas in their order. A file imports its own area, those
 * that stand before it in its wing, and the wings before.
 */
const wings: Readonly<Record<string, readonly (readonly string[])[]>> = {
  base: [
    [
      'limits',
      'alarm',
      'base62',
      'csv-cell',
      'sealed-texts',
      'text-length',
      'time-limit',
      'time-zone',
      'timestamp',
    ],
    ['database'],
    ['http'],
    ['rate-limits'],
    ['access'],
    ['ledger'],
  ],
  queue: [['campaigns'], ['leads'], ['calling'], ['search'], ['suppression'], ['consents'], ['erasure']],
  channels: [['events'], ['webhooks'], ['dialers'], ['sources']],
  control: [['keys'], ['members'], ['statistics'], ['alerts'], ['companies']],
}

/** Nobody imports these, with four exceptions. The client imports nothing but itself, and the MCP server the client. */
const leaves = ['docs', 'sdk', 'admin', 'console', 'mcp']
const layers = [
  ...Object.values(wings).flat(),
  ['health'],
  ['hints'],
  ['index'],
  ...leaves.map((leaf) => [leaf]),
]
const exceptions = ['admin docs', 'admin sdk', 'console sdk', 'mcp sdk']
/** They see the service from outside. */
const outside = ['sdk', 'mcp']

/** The only files of the Worker that may import a package. All others are rules and values, without any. */
const usersOf: readonly (readonly [name: RegExp, users: RegExp])[] = [
  [/^drizzle-orm/, /\/store\/|^base\/(?:ledger|database)\//],
  [/^hono|^@hono\//, /^index\.ts$|^base\/http\/|^queue\/leads\/list\.ts$|\/(?:routes|verify-sign-in)\.ts$/],
  [/^libphonenumber-js\/max$/, /^queue\/leads\/file\/cells\/(phone-cell|numbers-in-text)\.ts$/],
  [/^read-excel-file\//, /^queue\/leads\/file\/workbook\/read-workbook\.ts$/],
  [/^zod\//, /^base\/http\/|[/-]input\.ts$|^queue\/leads\/(fields|list)\.ts$/],
  [
    /^cloudflare:workers$/,
    /(?:^|\/)(?:rate-limiter|webhooks\/sender|campaign-bell|company-object|dialers\/dialer)\.ts$/,
  ],
]
/** Time, chance and other machines: a file that calls itself pure gets them as values. */
const impure = /\b(?:Date\.now|Math\.random|random(?:Base62|UUID)|fetch|setTimeout)\(|\bnew Date\(\)/g

/** Every area has one of each. */
const namedForRole = /^(?:index|routes|input|tables)\.ts$/
const speaksNoHttp = /\/store\/|^base\/ledger\//

/** A folder in a wing, or a face; of a single file its name. */
const areaOf = (path: string) => {
  const [first = '', second = ''] = path.split('/')
  return (first in wings ? second : first).replace(/\.[a-z]+$/, '')
}
/** A leaf, or the Worker. */
const programOf = (path: string) => leaves.find((leaf) => leaf === areaOf(path)) ?? 'worker'
const layerOf = (path: string) => layers.findIndex((names) => names.includes(areaOf(path)))

/** Not a built-in module. */
const isPackage = (target: string) => !/\.\w+$|^node:/.test(target)

const importsOf = ({ path, text }: File): string[] =>
  [
    ...text.matchAll(
      /^(?:import|export)\b[^'"]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\(\s*'([^']+)'/gm,
    ),
  ].map(([, from, bare, called]) => {
    const name = from ?? bare ?? called ?? ''
    return name.startsWith('.') ? posix.join(posix.dirname(path), name) : name
  })

const rules: Readonly<Record<string, (file: File, all: readonly File[]) => string[]>> = {
  'gives every file a layer': ({ path }) => (layerOf(path) === -1 ? [path] : []),

  'imports only what stands before it': (file) =>
    importsOf(file).filter((target) => {
      const [from, to] = [areaOf(file.path), areaOf(target)]
      if (!isOfSource(target) || from === to) return false
      if (leaves.includes(to)) return !exceptions.includes(`${from} ${to}`)
      return outside.includes(from) || layerOf(from) <= layerOf(to)
    }),

  'uses a package only where it belongs': (file) =>
    importsOf(file).filter(
      (target) =>
        isPackage(target) &&
        !usersOf.some(([name, users]) => name.test(target) && users.test(file.path)) &&
        !leaves.includes(areaOf(file.path)),
    ),

  'keeps what calls itself pure free of packages, time and chance': (file) =>
    /^(?:\/\/.*\n)*\/\/.*\bPure\b/.test(file.text)
      ? [...importsOf(file).filter(isPackage), ...(file.text.match(impure) ?? [])]
      : [],

  'gives each file of a program a name of its own': ({ path }, all) => {
    const name = posix.basename(path)
    if (namedForRole.test(name)) return []
    return all
      .filter((other) => posix.basename(other.path) === name && programOf(other.path) === programOf(path))
      .map((other) => other.path)
      .filter((other) => other !== path)
  },

  'keeps HTTP out of its stores': (file) =>
    speaksNoHttp.test(file.path) ? importsOf(file).filter((target) => target.startsWith('base/http/')) : [],

  'asks its stores, and is not asked by them': (file) =>
    file.path.includes('/store/')
      ? importsOf(file).filter((target) => /\/(routes|(.+-)?input)\.ts$/.test(target))
      : [],

  'writes a table from one area': (file, all) =>
    writesOf(file).filter((table) =>
      all.some((other) => areaOf(other.path) !== areaOf(file.path) && writesOf(other).includes(table)),
    ),

  // Routes read what was granted (base/access/granted.ts). A claim that has waited checks its key again, a revocation
  // may go into a frozen store, and what needs no key finds its company.
  'authenticates a request at its door, and not again': (file) =>
    /^(?:index|queue\/calling\/waiting-claim|control\/keys\/routes|base\/access\/in-company)\.ts$/.test(
      file.path,
    )
      ? []
      : importsOf(file).filter((target) => target === 'base/access/authenticate.ts'),

  // queue/leads/store/row.ts does.
  'computes no place of a lead itself': ({ text }) =>
    text.match(/(?:<<|>>)\s*32\b|\b4_?294_?967_?296\b/g) ?? [],

  // Others ask whether a company may be written (base/access/store/moving.ts), tell the directory
  // (base/access/in-directory.ts), and read where a company is now (base/access/find-company.ts).
  'knows in access, database and companies alone that a company moves or lives elsewhere': ({
    path,
    text,
  }) =>
    /^(?:base\/(?:access|database)|control\/companies)\//.test(path) ? [] : (text.match(wordsOfMoves) ?? []),

  // A leaf speaks to a deployed database, by texts that wrangler sends.
  'names tables of other areas in SQL by importing them': (file, all) =>
    leaves.includes(areaOf(file.path))
      ? []
      : [...withoutComments(file.text).matchAll(/\b(?:from|join|into|update|table)\s+([a-z_]+)\b/g)]
          .map(([, name = '']) => name)
          .filter((name) => {
            const owners = all.filter(({ text }) =>
              new RegExp(`sqlite(?:Table|View)\\(\\s*'${name}'`).test(text),
            )
            return owners.some(
              ({ path }) => areaOf(path) !== areaOf(file.path) && !importsOf(file).includes(path),
            )
          }),

  'names only files that exist in its comments': ({ path, text }, all) =>
    [...text.matchAll(/^\s*(?:\/\/|\*|\/\*\*).*$/gm)]
      .flatMap(([comment]) => [...comment.matchAll(/(?<![\w.$-])((?:[\w.-]+\/)*[\w-]+\.(?:tsx?|md|css))\b/g)])
      .map(([, name = '']) => name)
      .filter((name) => !isThere(name, path, all)),
}

const wordsOfMoves = new RegExp(
  `\\b(?:${[
    'moving(?:Companies|Campaigns)',
    'directoryOf|frozenAtMs|frozen_at_ms|movedTo|isElsewhere|leftFor',
    'store(?:Moved|Frozen)|expectMoved|findStoreName|heldUntilMs|companies\\.store',
  ].join('|')})\\b|\\.hold\\(`,
  'g',
)

/** Also over the end of a line in a comment. */
const oldTurns = (text: string) => {
  const turns = /\b(?:is wished|is told|but for|goes on|are none|stands in|for want of)\b(?=(.{0,30}))/g
  const line = text.replace(/\s*\n\s*(?:\/\/|\*(?!\/))?\s*/g, ' ')
  return [...line.matchAll(turns)].map(([turn, rest]) => turn + rest)
}

const withoutComments = (text: string) => text.replace(/^\s*(?:\/\/|\*|\/\*\*).*$/gm, '')

const writes = new Map<File, readonly string[]>()

/** Each file is read once, and asked for with each of the others. */
function writesOf(file: File): readonly string[] {
  const writing = /\b(?:insert(?: or \w+)? into|update|delete from)\s+\$\{(\w+)\}/gi
  const found = writes.get(file) ?? [...file.text.matchAll(writing)].map(([, table = '']) => table)
  writes.set(file, found)
  return found
}

const isOfSource = (target: string) =>
  !target.startsWith('..') && layerOf(target) !== -1 && /\.\w+$/.test(target)

function isThere(name: string, path: string, all: readonly File[]): boolean {
  const whole = name.replace(/^src\//, '')
  return (
    all.some((other) => other.path === whole || other.path.endsWith(`/${whole}`)) ||
    existsSync(join(projectDir, name)) ||
    existsSync(join(srcDir, dirname(path), name))
  )
}

const projectDir = join(import.meta.dirname, '../..')
const srcDir = join(projectDir, 'src')
const source: readonly File[] = readdirSync(srcDir, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /\.(ts|tsx|js)$/.test(path) && !path.endsWith('.d.ts') && !/(^|\/)dist\//.test(path))
  .map((path) => ({ path, text: readFileSync(join(srcDir, path), 'utf8') }))

describe('The source tree', () => {
  it.each(Object.entries(rules))('The source %s', (_, findIn) => {
    expect(source.length).toBeGreaterThan(200)
    const found = source.flatMap((file) => findIn(file, source).map((what) => `${file.path}: ${what}`))
    expect(found).toEqual([])
  })

  it('The tests in test/spec see the service from outside', () => {
    const specDir = join(projectDir, 'test/spec')
    const files = readdirSync(specDir, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.ts'),
    )
    expect(files.length).toBeGreaterThan(20)
    const found = files.filter((path) =>
      importsOf({ path: `test/spec/${path}`, text: readFileSync(join(specDir, path), 'utf8') }).some(
        (target) => /^(src\/|drizzle-orm|hono)/.test(target),
      ),
    )
    expect(found).toEqual([])
  })

  /** The map, and the page of each wing. All paths in them begin in src. */
  const maps = ['.', ...Object.keys(wings)]
    .map((dir) => readFileSync(join(srcDir, dir, 'README.md'), 'utf8'))
    .join('\n')

  it('The files that the pages of the source tree name exist', () => {
    const named = maps.matchAll(/`((?:[\w.-]+\/)*[\w-]+\.(?:tsx?|md|sql))`/g)
    const found = [...named].map(([, name = '']) => name)
    expect(found.length).toBeGreaterThan(80)
    expect(found.filter((name) => !isThere(name, 'README.md', source))).toEqual([])
  })

  it('Each file that a table of those pages names is there, itself or in a folder of its row', () => {
    const rows = maps.match(/^\|.*`.*$/gm) ?? []
    const named = rows.flatMap((row) => {
      const names = [...row.matchAll(/`([\w./-]+(?:\.[a-z]+|\/))(?=[`<])/g)].map(([, name = '']) => name)
      const folders = ['', ...names.filter((name) => name.endsWith('/'))]
      const places = [projectDir, ...folders.map((folder) => join(srcDir, folder))]
      return names.map((name) => ({ name, isThere: places.some((place) => existsSync(join(place, name))) }))
    })
    expect(named.length).toBeGreaterThan(130)
    expect(named.filter(({ isThere }) => !isThere)).toEqual([])
  })

  it('Nothing is exported that no other file names', () => {
    const read = (dir: string) =>
      readdirSync(join(projectDir, dir), { recursive: true, encoding: 'utf8' })
        .filter((path) => /\.(tsx?|js)$/.test(path) && !/(^|\/)(node_modules|dist)\//.test(path))
        .map((path) => readFileSync(join(projectDir, dir, path), 'utf8'))
    const sources = read('src')
    const filesWith = new Map<string, number>()
    for (const text of [...sources, ...read('test')])
      for (const word of new Set(text.match(/[\w$]+/g))) filesWith.set(word, (filesWith.get(word) ?? 0) + 1)
    const exported = /^export (?:async )?(?:const|function|class|type) (\w+)/gm
    const found = sources.flatMap((text) => [...text.matchAll(exported)].map(([, name]) => name as string))
    expect(found.length).toBeGreaterThan(1000)
    expect(found.filter((name) => filesWith.get(name) === 1)).toEqual([])
  })

  it('A package is not private, which license checkers take for unlicensed, but cannot be published', () => {
    for (const name of ['package.json', 'src/mcp/package.json']) {
      const {
        license,
        private: isPrivate,
        scripts,
      } = JSON.parse(readFileSync(join(projectDir, name), 'utf8'))
      expect([license, isPrivate, scripts.prepublishOnly]).toEqual(['MIT', undefined, 'exit 1'])
    }
  })

  // Say it aloud to a colleague: an old turn of speech makes a reader stop.
  it('The source and its pages speak plain modern English', () => {
    const pages = readdirSync(srcDir, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md') && !/(^|[\\/])dist[\\/]/.test(path))
      .map((path) => join('src', path))
      .concat('README.md', 'SECURITY.md')
      .map((path) => ({ path, text: readFileSync(join(projectDir, path), 'utf8') }))
    const texts = [...source, ...pages]
    const found = texts.flatMap(({ path, text }) => oldTurns(text).map((turn) => `${path}: ${turn}`))
    expect(texts.length).toBeGreaterThan(400)
    expect(found).toEqual([])
    expect(oldTurns('a call\n// goes\n * on, but for one')).toHaveLength(2)
  })

  it('No folder holds more than 15 files', () => {
    const counts = new Map<string, number>()
    for (const path of readdirSync(srcDir, { recursive: true, withFileTypes: true })) {
      if (!path.isFile() || /\.(png|svg)$/.test(path.name) || /[\\/]dist([\\/]|$)/.test(path.parentPath))
        continue
      counts.set(path.parentPath, (counts.get(path.parentPath) ?? 0) + 1)
    }
    expect([...counts].filter(([, count]) => count > 15)).toEqual([])
  })

  it('Entries of the log are removed for their age, and for nothing else', () => {
    const removes = /(delete from|replace into|or replace into|drop table)\s+(\$\{events\}|["`]?events\b)/i
    const found = source.filter(({ text }) => removes.test(text)).map(({ path }) => path)
    expect(found).toEqual(['base/ledger/log/retention.ts'])
  })
})

describe('A law of the source tree', () => {
  const file = (path: string, text: string): File => ({ path, text })
  const writer = file('queue/leads/store/create.ts', 'insert into $' + '{leads}')
  const tables = file('queue/calling/store/tables.ts', `sqliteTable(\n  'calls'`)

  it.each<[rule: string, broken: File]>([
    ['gives every file a layer', file('shared/things.ts', '')],
    [
      'imports only what stands before it',
      file('queue/leads/routes.ts', `import { a } from '../calling/routes.ts'`),
    ],
    [
      'imports only what stands before it',
      file('base/limits.ts', `import { a } from './database/database.ts'`),
    ],
    [
      'imports only what stands before it',
      file('sdk/src/leads.ts', `import { a } from '../../queue/leads/lead.ts'`),
    ],
    ['imports only what stands before it', file('admin/main.ts', `import { a } from '../console/app.tsx'`)],
    ['imports only what stands before it', file('mcp/tools.ts', `import { a } from '../admin/main.ts'`)],
    [
      'imports only what stands before it',
      file('mcp/tools.ts', `import { a } from '../queue/leads/fields.ts'`),
    ],
    [
      'uses a package only where it belongs',
      file('queue/calling/settings.ts', `import { sql } from 'drizzle-orm'`),
    ],
    [
      'uses a package only where it belongs',
      file('queue/leads/store/read.ts', `import { Hono } from 'hono'`),
    ],
    ['uses a package only where it belongs', file('queue/leads/lead.ts', `import * as z from 'zod/mini'`)],
    ['uses a package only where it belongs', file('queue/leads/lead.ts', `import { parse } from 'yaml'`)],
    [
      'keeps what calls itself pure free of packages, time and chance',
      file('queue/leads/lead.ts', '// What a lead is. Pure.\nexport const nowMs = Date.now()'),
    ],
    ['gives each file of a program a name of its own', file('queue/calling/create.ts', '')],
    [
      'asks its stores, and is not asked by them',
      file('queue/calling/store/claim.ts', `import { a } from '../input.ts'`),
    ],
    [
      'keeps HTTP out of its stores',
      file('queue/leads/store/read.ts', `import { a } from '../../../base/http/errors.ts'`),
    ],
    ['writes a table from one area', file('queue/calling/store/claim.ts', 'update $' + '{leads}')],
    ...[
      'sql`where c.frozen_at_ms is null`',
      'sql`$' + '{companies.store} as "movedTo"`',
      'readonly isElsewhere: boolean',
      'if (error.reason === storeMoved) return null',
      'throw new DatabaseUnavailable(storeFrozen)',
      'await findStoreName(env.DB, companyId)',
      'await storeStub(env, storeName).hold(statements)',
      'const heldUntilMs = 0',
    ].map((text): [string, File] => [
      'knows in access, database and companies alone that a company moves or lives elsewhere',
      file('channels/webhooks/store/sending.ts', text),
    ]),
    [
      'authenticates a request at its door, and not again',
      file('queue/calling/routes.ts', `import { a } from '../../base/access/authenticate.ts'`),
    ],
    ['computes no place of a lead itself', file('queue/search/store/find.ts', 'sql`c.number << 32`')],
    [
      'names tables of other areas in SQL by importing them',
      file('queue/leads/store/row.ts', 'sql`select k.outcome\n  from calls as k`'),
    ],
    [
      'names only files that exist in its comments',
      file('queue/leads/lead.ts', '// What it may be is in nowhere.ts.'),
    ],
  ])('A law of the source tree is found when it is broken: %s (%#)', (rule, broken) => {
    expect(rules[rule]?.(broken, [writer, tables, broken])).not.toEqual([])
  })
})
