// The static assets: the API description as JSON and YAML, its page, and the console.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { describeApi } from '../describe-api.ts'
import { searchIndex } from '../page/search-places.ts'
import { textPages } from '../page/text-page.ts'
import { referencePage } from '../page/whole-page.ts'
import { bundleConsole, bundleSearch, esbuild } from './bundle.ts'

const projectDir = join(import.meta.dirname, '../../..')
const pageDir = join(projectDir, 'src/docs/page')

const document = describeApi()

const guides = textPages((path) => readFileSync(join(projectDir, 'src/docs', path), 'utf8'))
const reference = referencePage(document)
const places = [...reference.places, ...guides.map(({ place }) => place)]

/** Concatenated in this order. */
const styles = ['base', 'contents', 'code', 'operation', 'try']

/** By their paths. */
export const assets: Readonly<Record<string, Buffer>> = {
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

function minified(loader: 'css' | 'js', ...files: readonly string[]): Buffer {
  const text = files.map((file) => readFileSync(join(pageDir, file), 'utf8')).join('\n')
  return Buffer.from(esbuild.transformSync(text, { loader, minify: true, target: 'es2022' }).code)
}
