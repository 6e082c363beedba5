import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'

// Two runtimes: the Worker's tests run inside workerd, those of the command line under Node.
export default defineConfig({
  test: {
    // The service logs every request.
    silent: 'passed-only',
    // Not one less than there are, as by default: on two cores that is one file at a time.
    maxWorkers: '100%',
    projects: [
      // First, because its files take longest.
      {
        test: {
          name: 'node',
          include: ['test/{admin,docs}/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        plugins: [
          cloudflareTest(async () => ({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: { bindings: { TEST_MIGRATIONS: await readD1Migrations('migrations') } },
          })),
        ],
        test: {
          name: 'worker',
          include: ['test/{spec,unit,runtime,contract,attack}/**/*.test.ts'],
          setupFiles: ['test/setup.ts'],
          // Not a measure of anything: room for a machine that does other things as well.
          testTimeout: 30_000,
        },
      },
    ],
  },
})
