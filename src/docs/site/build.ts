// Builds the static assets (assets.ts), unless those that are there were built of these very files. wrangler.toml runs
// it before every bundle, so dev, tests and deployments are up to date.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

type File = readonly [path: string, content: Buffer | null]

const projectDir = join(import.meta.dirname, '../../..')
const distDir = join(projectDir, 'dist')
const assetsDir = join(distDir, 'assets')
/** Says of what the assets were built, and what they are. */
const recordFile = join(distDir, 'assets.sha256')

// Before they are used: the next build sees what changes meanwhile. npm keeps the last as it installs.
const sources = ['package.json', 'node_modules/.package-lock.json'].map((file) => join(projectDir, file))
const digest = digestOf([...filesIn(join(projectDir, 'src')), ...sources].map(withContent))

if (!isBuilt()) {
  // What it needs takes longer to load than all files to read.
  const built = Object.entries((await import('./assets.ts')).assets)
  const files = built.map(([path, content]) => [join(assetsDir, path), content] as const)
  for (const [path, content] of files) writeAtomically(path, content)
  // Files of earlier builds would be served too.
  const paths = new Set(files.map(([path]) => path))
  for (const path of filesIn(assetsDir)) if (!paths.has(path)) rmSync(path, { force: true })
  writeAtomically(recordFile, Buffer.from(digest + digestOf(files)))
}

function isBuilt(): boolean {
  if (!existsSync(recordFile) || !existsSync(assetsDir)) return false
  return readFileSync(recordFile, 'utf8') === digest + digestOf(filesIn(assetsDir).map(withContent))
}

function filesIn(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
}

/** An editor may have removed it meanwhile. */
function withContent(path: string): File {
  return [path, existsSync(path) ? readFileSync(path) : null]
}

function digestOf(files: readonly File[]): string {
  const hash = createHash('sha256')
  for (const [path, content] of files.toSorted(([one], [other]) => (one < other ? -1 : 1)))
    hash.update(`${path}\0${content?.length}\0`).update(content ?? '')
  return hash.digest('hex')
}

/** Only if it changed. Another build may write, and a server may read, at the same time. */
function writeAtomically(path: string, content: Buffer): void {
  if (existsSync(path) && readFileSync(path).equals(content)) return
  mkdirSync(dirname(path), { recursive: true })
  const unfinished = join(distDir, `${basename(path)}.${process.pid}`)
  writeFileSync(unfinished, content)
  renameSync(unfinished, path)
}
