// Loaded by Node before a deployment whose wrangler is played: it takes no process and no build.
import { registerHooks } from 'node:module'

const real = /\/src\/admin\/deploy\/wrangler\.ts$/
const played = new URL('./played-wrangler.ts', import.meta.url).href

registerHooks({
  resolve(specifier, context, nextResolve) {
    const found = nextResolve(specifier, context)
    return real.test(found.url) && context.parentURL !== played ? { ...found, url: played } : found
  },
})
