// The figures of the source tree: how much there is to choose between and to read. They are read from the text of the
// files.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readTree, type SourceFile, wordsOf, wordsOfVersions } from './read-tree.ts'

/**
 * From the ground up: a wing imports itself and those before it. The faces have their rule in test/unit/layout.test.ts.
 */
const wingNames = ['base', 'queue', 'channels', 'control']

/** Null: it belongs to the Worker as a whole, or to a face. */
const wingOf = (path: string): string | null => wingNames.find((name) => path.startsWith(`${name}/`)) ?? null

/** Imports from a wing that stands behind that of the file. */
export const againstTheTable = (files: readonly SourceFile[]) =>
  files.flatMap(({ path, imports }) => {
    const wing = wingOf(path)
    if (wing === null) return []
    return imports
      .filter((target) => wingNames.indexOf(wingOf(target) ?? '') > wingNames.indexOf(wing))
      .map((target) => `${path} imports ${target}`)
  })

/** Files that import each other, directly or not. Tarjan's algorithm. */
export function circlesOf(files: readonly Pick<SourceFile, 'path' | 'imports'>[]): readonly string[] {
  const importsOf = new Map(files.map(({ path, imports }) => [path, imports]))
  const numbers = new Map<string, number>()
  const stack: string[] = []
  const circles: string[] = []
  /** Returns the lowest number that the file reaches among those on the stack. */
  const visit = (path: string): number => {
    const own = numbers.size
    numbers.set(path, own)
    stack.push(path)
    let lowest = own
    for (const target of importsOf.get(path) ?? []) {
      const number = numbers.get(target)
      if (number === undefined) lowest = Math.min(lowest, importsOf.has(target) ? visit(target) : own)
      else if (stack.includes(target)) lowest = Math.min(lowest, number)
    }
    if (lowest === own) {
      const circle = stack.splice(stack.indexOf(path))
      if (circle.length > 1) circles.push(circle.join(', '))
    }
    return lowest
  }
  for (const { path } of files) if (!numbers.has(path)) visit(path)
  return circles
}

export type Figure = {
  readonly name: string
  readonly value: number
  /** What it may be at most. Null: it is only shown. */
  readonly bound: number | null
  /** Where to look when it is more. */
  readonly found: readonly string[]
}

const [maxColumns, maxLines, maxParameters] = [120, 120, 5]

/** What `src` had in 2.2, with gates, calls that come in and their table, and a twentieth of room. */
const handBytesMax = 3_150_000

export function figuresOf(projectDir: string): readonly Figure[] {
  const srcDir = join(projectDir, 'src')
  const files = readTree(srcDir)
  const list = (name: string, bound: number | null, found: readonly string[]) => ({
    ...{ name, bound, found },
    value: found.length,
  })
  const count = (name: string, bound: number | null, value: number) => ({ name, bound, value, found: [] })
  const words = (file: string, bound: number | null) =>
    count(`words of ${file}`, bound, wordsOf(readFileSync(join(projectDir, file), 'utf8')))
  const ofFunctions = (what: string, isToo: (one: SourceFile['functions'][number]) => boolean) =>
    list(
      `functions of src with more than ${what}`,
      0,
      files.flatMap(({ path, functions }) =>
        functions.filter(isToo).map(({ text, line }) => `src/${path}:${line} ${text}`),
      ),
    )
  return [
    list('folders and code files at the top of src', 12, namesAtTop(srcDir)),
    list('imports against the table of wings', 0, againstTheTable(files)),
    list('circles of imports', 0, circlesOf(files)),
    list(`lines of src over ${maxColumns} columns`, 0, wideLines('src', files)),
    list(
      `lines of test over ${maxColumns} columns`,
      0,
      // Planted faults quote lines of src as they are, and a regular expression cannot be broken.
      wideLines('test', readTree(join(projectDir, 'test'))).filter(
        (place) => !/simulation\/(?:planted|platform\/sqlite)/.test(place),
      ),
    ),
    ofFunctions(`${maxLines} lines`, ({ lines }) => lines > maxLines),
    ofFunctions(`${maxParameters} parameters`, ({ parameters }) => parameters > maxParameters),
    list('comments of src that begin with "Of"', 100, hangingComments(files)),
    words('README.md', 1_900),
    words('src/README.md', 1_500),
    ...wordsOfVersions(readFileSync(join(projectDir, 'CHANGELOG.md'), 'utf8')).map((one) =>
      count(`words of ${one.version} in CHANGELOG.md`, one.version === '2.1.0' ? 900 : null, one.count),
    ),
    count(
      'bytes of src by hand, without comments',
      handBytesMax,
      files.reduce((sum, { bytes }) => sum + bytes, 0),
    ),
  ]
}

const namesAtTop = (srcDir: string) =>
  readdirSync(srcDir, { withFileTypes: true })
    .filter((one) => one.isDirectory() || (/\.tsx?$/.test(one.name) && !one.name.endsWith('.d.ts')))
    .map(({ name }) => name)

export const wideLines = (dir: string, files: readonly Pick<SourceFile, 'path' | 'text' | 'titles'>[]) =>
  files.flatMap(({ path, text, titles }) =>
    text
      .split('\n')
      .flatMap((line, at) =>
        line.length > maxColumns && !titles.has(at + 1) ? [`${dir}/${path}:${at + 1}`] : [],
      ),
  )

export const hangingComments = (files: readonly Pick<SourceFile, 'path' | 'comments'>[]) =>
  files.flatMap(({ path, comments }) =>
    comments.filter(({ text }) => /^\W*Of\b/.test(text)).map(({ line }) => `src/${path}:${line}`),
  )
