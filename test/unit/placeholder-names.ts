// Prints each statement of the stores, as JSON lines: file, declared names as TypeScript text, names of its placeholders.
// A program of its own, because it loads the stores with `statement<…>` replaced by a function that records both:
// types are gone at run time.
import { readdirSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { is, Placeholder, type SQL } from 'drizzle-orm'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'

export type Recorded = { readonly file: string; readonly declared: string; readonly names: readonly string[] }

const srcDir = join(import.meta.dirname, '../../src')
const isStore = (path: string) => /\/store\/|^ledger\/|^database\//.test(path)
const dialect = new SQLiteAsyncDialect()

const record = (file: string, declared: string) => (query: SQL | (() => SQL)) => {
  const { params } = dialect.sqlToQuery(typeof query === 'function' ? query() : query)
  const names = params.map((param) => (is(param, Placeholder) ? param.name : ''))
  console.log(JSON.stringify({ file, declared, names: [...new Set(names)] } satisfies Recorded))
  return () => ({})
}
Object.assign(globalThis, { recordStatement: record })

registerHooks({
  load: (url, context, next) => {
    // The bundled migrations, which Node cannot load.
    if (url.endsWith('.sql')) return { format: 'module', source: "export default ''", shortCircuit: true }
    const loaded = next(url, context)
    const path = url.startsWith('file:') ? relative(srcDir, fileURLToPath(url)).replaceAll('\\', '/') : ''
    if (!isStore(path) || path === 'database/database.ts' || loaded.source == null) return loaded
    const source = loaded.source
      .toString()
      .replace(
        /\bstatement(?:<([^>]*)>)?(?=[()])/g,
        (_, declared = '') => `recordStatement(${JSON.stringify(path)}, ${JSON.stringify(declared)})`,
      )
    return { ...loaded, source }
  },
})

for (const path of readdirSync(srcDir, { recursive: true, encoding: 'utf8' }).sort())
  if (path.endsWith('.ts') && isStore(path)) await import(pathToFileURL(join(srcDir, path)).href)
