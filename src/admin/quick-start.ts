// Loaded by Node before the commands (package.json), so that they start in a third of the time. They work without.
import { enableCompileCache, registerHooks } from 'node:module'
import { join } from 'node:path'

// What was compiled once is kept, here and in the processes of wrangler's own: it is large.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../../node_modules/.cache/compiled')
enableCompileCache(process.env.NODE_COMPILE_CACHE)

// Node reads the package.json of an ES module's package anew for each of its files. Drizzle's is 180 kB, for a
// hundred files: half a second. Its CommonJS files have no such trouble.
registerHooks({
  resolve: (specifier, context, nextResolve) =>
    nextResolve(specifier, {
      ...context,
      conditions: specifier.startsWith('drizzle-orm') ? ['require'] : context.conditions,
    }),
})
