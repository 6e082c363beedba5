// Builds the static assets: the API description as JSON and YAML, its page, and the console. wrangler.toml runs it before
// every bundle, so dev, tests and deployments are up to date.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { describeApi } from '../docs/describe-api.ts'
import { searchIndex } from '../docs/page/search-places.ts'
import { textPages } from '../docs/page/text-page.ts'
import { referencePage } from '../docs/page/whole-page.ts'
import { bundleConsole, bundleSearch, esbuild } from './bundle.ts'

const projectDir = join(import.meta.dirname, '../..')
const assetsDir = join(projectDir, 'dist/assets')
const pageDir = join(projectDir, 'src/docs/page')

const { version } = JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8')) as { version: string }

const document = describeApi(version)

const guides = textPages((path) => readFileSync(join(projectDir, 'src/docs', path), 'utf8'))
const reference = referencePage(document)
const places = [...reference.places, ...guides.map(({ place }) => place)]

/** Concatenated in this order. */
const styles = ['base', 'contents', 'code', 'operation', 'try']

const contents: Readonly<Record<string, Buffer>> = {
  'openapi.json': Buffer.from(`${JSON.stringify(document)}\n`),
  'openapi.yaml': Buffer.from(
    stringify(document, { aliasDuplicateObjects: false, compat: 'yaml-1.1', lineWidth: 0 }),
  ),
  'docs.html': Buffer.from(reference.page),
  ...Object.fromEntries(guides.map(({ address, page }) => [`${address.slice(1)}.html`, Buffer.from(page)])),
  'docs/page.css': minified('css', ...styles.map((name) => `style/${name}.css`)),
  'docs/page.js': minified('js', 'page.js'),
  ...bundleSearch(),
  'docs/search.json': Buffer.from(searchIndex(places)),
  'docs/try-it.js': minified('js', 'try-it.js'),
  'docs/icon.svg': readFileSync(join(pageDir, 'icon.svg')),
  ...bundleConsole(),
  _headers: readFileSync(join(pageDir, '_headers')),
}

for (const folder of ['docs/connect', 'console']) mkdirSync(join(assetsDir, folder), { recursive: true })
for (const [path, content] of Object.entries(contents)) writeAtomically(join(assetsDir, path), content)

// Files of earlier builds would be served too.
for (const entry of readdirSync(assetsDir, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath, entry.name)
  const isCurrent = Object.keys(contents).some((name) => path.startsWith(join(assetsDir, name)))
  if (entry.isFile() && !isCurrent) rmSync(path, { force: true })
}

function minified(loader: 'css' | 'js', ...files: readonly string[]): Buffer {
  const text = files.map((file) => readFileSync(join(pageDir, file), 'utf8')).join('\n')
  return Buffer.from(esbuild.transformSync(text, { loader, minify: true, target: 'es2022' }).code)
}

/** Only if it changed. Another build may write, and a server may read, at the same time. */
function writeAtomically(path: string, content: Buffer): void {
  if (existsSync(path) && readFileSync(path).equals(content)) return
  const unfinished = `${path}.${process.pid}`
  writeFileSync(unfinished, content)
  renameSync(unfinished, path)
}
