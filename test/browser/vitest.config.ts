import { defineConfig } from 'vitest/config'

// `npm run test:browser`: by itself, because it needs a browser, which `npm test` must not.
export default defineConfig({
  test: {
    name: 'browser',
    root: import.meta.dirname,
    silent: 'passed-only',
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
