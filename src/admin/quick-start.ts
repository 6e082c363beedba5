// Loaded by Node before the commands (package.json): they start in a third of the time. They work without it.
import { enableCompileCache, registerHooks } from 'node:module'
import { join } from 'node:path'

// Caches compiled code, here and in wrangler's own processes: it is large.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../../node_modules/.cache/compiled')
enableCompileCache(process.env.NODE_COMPILE_CACHE)

// Node reads the package.json of a package again for each of its ES module files. Drizzle's has 180 kB, for a hundred
// files: half a second. Its CommonJS files do not have this problem.
registerHooks({
  resolve: (specifier, context, nextResolve) =>
    nextResolve(specifier, {
      ...context,
      conditions: specifier.startsWith('drizzle-orm') ? ['require'] : context.conditions,
    }),
})
