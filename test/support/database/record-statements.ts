// Prints every statement of the Worker, as JSON lines: where it stands, its declared names as TypeScript text, the
// names of its placeholders, and the text that is sent. A program of its own, because it loads the modules with
// `statement<…>` replaced by a function that records: types are gone at run time, and nothing of a statement is known
// before it is rendered.
import { readdirSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { SQL } from 'drizzle-orm'
import { statement } from '../../../src/base/database/database.ts'
import { hasStatements, type Recorded } from './every-statement.ts'

const srcDir = join(import.meta.dirname, '../../../src')
// Some call functions of others, which make statements.
const isStore = (path: string) => /\/store\/|^base\/ledger\//.test(path)

type Place = Pick<Recorded, 'file' | 'line' | 'declared'>

/** What a bound statement is sent as. */
function rendered(query: SQL | (() => SQL)) {
  const names: string[] = []
  const values = new Proxy({}, { get: (_, name) => names.push(String(name)) })
  let text = ''
  const db = {
    prepare: (sent: string) => {
      text = sent
      return { bind: () => {} }
    },
  }
  statement<string>(query)(db as unknown as D1Database, values)
  return { names, text }
}

const record = (place: Place) => (query: SQL | (() => SQL)) => {
  console.log(JSON.stringify({ ...place, ...rendered(query) } satisfies Recorded))
  return () => ({})
}
Object.assign(globalThis, { recordStatement: record })

registerHooks({
  load: (url, context, next) => {
    // The bundled migrations, which Node cannot load.
    if (url.endsWith('.sql')) return { format: 'module', source: "export default ''", shortCircuit: true }
    const loaded = next(url, context)
    const path = url.startsWith('file:') ? relative(srcDir, fileURLToPath(url)).replaceAll('\\', '/') : ''
    const text = loaded.source?.toString() ?? ''
    if (path === '' || path.startsWith('..') || !hasStatements(text)) return loaded
    const source = text.replace(/\bstatement(?:<([^>]*)>(?=[(),])|(?=[()]))/g, (_, declared = '', at) => {
      const line = text.slice(0, at).split('\n').length
      return `recordStatement(${JSON.stringify({ file: path, line, declared } satisfies Place)})`
    })
    return { ...loaded, source }
  },
})

for (const path of readdirSync(srcDir, { recursive: true, encoding: 'utf8' }).sort())
  if (path.endsWith('.ts') && (isStore(path) || hasStatements(readFileSync(join(srcDir, path), 'utf8'))))
    await import(pathToFileURL(join(srcDir, path)).href)
