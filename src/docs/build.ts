// Puts together what is served as static assets: the API description, its page, the renderer of the page out of its npm
// package, and the console. wrangler.toml has it run before every bundle, so dev, tests and deploys serve what the code
// says.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { bundleConsole } from './bundle-console.ts'
import { describeApi } from './describe-api.ts'

const projectDir = join(import.meta.dirname, '../..')
const assetsDir = join(projectDir, 'dist/assets')
const pageDir = join(import.meta.dirname, 'page')
const rendererDir = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

const { version } = JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8')) as { version: string }

const description = describeApi(version)

const contents: Readonly<Record<string, Buffer>> = {
  'openapi.json': Buffer.from(`${JSON.stringify(description, null, 2)}\n`),
  'docs.html': readFileSync(join(pageDir, 'docs.html')),
  'docs/page.css': readFileSync(join(pageDir, 'page.css')),
  'docs/page.js': readFileSync(join(pageDir, 'page.js')),
  'docs/icon.svg': readFileSync(join(pageDir, 'icon.svg')),
  'docs/swagger-ui.css': readFileSync(join(rendererDir, 'swagger-ui.css')),
  'docs/swagger-ui.js': readFileSync(join(rendererDir, 'swagger-ui-bundle.js')),
  'docs/swagger-ui-license.txt': readFileSync(join(rendererDir, 'LICENSE')),
  ...bundleConsole(description),
  _headers: readFileSync(join(pageDir, '_headers')),
}

for (const folder of ['docs', 'console']) mkdirSync(join(assetsDir, folder), { recursive: true })
for (const [path, content] of Object.entries(contents)) put(join(assetsDir, path), content)

// What an earlier state of the project left there would be served too.
for (const entry of readdirSync(assetsDir, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath, entry.name)
  const isOurs = Object.keys(contents).some((name) => path.startsWith(join(assetsDir, name)))
  if (entry.isFile() && !isOurs) rmSync(path, { force: true })
}

/** Whole, and only when it has changed: another build may run, and a server may read, at the same time. */
function put(path: string, content: Buffer): void {
  if (existsSync(path) && readFileSync(path).equals(content)) return
  const unfinished = `${path}.${process.pid}`
  writeFileSync(unfinished, content)
  renameSync(unfinished, path)
}
