import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { readMigrations } from './test/support/database/migrations.ts'

const workerd = cloudflareTest(async () => ({
  wrangler: { configPath: './wrangler.toml' },
  miniflare: {
    bindings: {
      TEST_MIGRATIONS: await readMigrations(),
      SUPPRESSION_PEPPER: 'pepper of the tests',
      WEBHOOK_ROOT: 'root of the tests',
      TEST_STORE: process.env.TEST_STORE ?? 'shared',
    },
  },
}))

// Not a measure of anything: room for a machine that does other things as well.
const patience = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
}

// Setup files run again for each file of tests; what they import does not.
const afterEach = 'test/support/run/after-each.ts'
const workerTests = { ...patience, setupFiles: [afterEach, 'test/setup.ts'] }

// What leaves more behind than others can do with: thousands of addresses in the isolate's memory, and as many time
// limits that have yet to run out. And what acts on all campaigns or all objects there are: it must find its own alone, or
// takes 10 s to end those of other tests.
const apart = [
  'test/attack/flood.test.ts',
  'test/runtime/recount.test.ts',
  'test/runtime/alerts.test.ts',
  'test/runtime/erasure.test.ts',
  'test/runtime/rate-limiter.test.ts',
  'test/runtime/test-clock.test.ts',
  'test/runtime/own-store/statements.test.ts',
  'test/runtime/restored-directory.test.ts',
]

// They live through the same again and again (whichever await an object dies at, whatever a property draws), and need nothing
// of workerd but a database. `npm run test:own` has them in workerd.
const inProcess =
  process.env.TEST_STORE === 'own'
    ? []
    : [
        'test/runtime/dialers/{aside,changed-settings-kills,ends,fairness,hang-ups,kills,presets,ring-back}.test.ts',
        'test/runtime/calling/{consent-races,model}.test.ts',
        'test/runtime/number-memory.test.ts',
        'test/sdk/agent-pace.test.ts',
      ]
/** Node reads its large package.json again for each of its ES modules, of which there are hundreds (src/admin/quick-start.ts). */
const drizzleInNode = {
  find: /^drizzle-orm(\/[\w-]+)?$/,
  replacement: join(import.meta.dirname, 'node_modules/drizzle-orm$1/index.cjs'),
}
const inProcessModule = join(import.meta.dirname, 'test/support/run/in-process.ts')

// Its companies begin in D1, and go to a store of their own: it is not run with all of them in one.
const ofBoth = process.env.TEST_STORE === 'own' ? ['test/runtime/move.test.ts'] : []

// They read the project's files, or use packages of Node, which workerd cannot; or mock what a file for browsers loads.
const ofFiles =
  'test/unit/{install,migrations,house,layout,statements,typed-statements,upgrade,dialers/preset*,console/import-worker}.test.ts'

// In the order in which they begin. At the end one of these would run alone, which the size of a file, by which vitest orders
// what it has not run before, does not say.
const longest = [
  'admin/clock',
  'admin/deploy',
  'admin/start',
  'docs/sdk',
  'admin/demo-speed',
  'unit/upgrade',
  'runtime/own-store/statements',
  'runtime/dialers/changed-settings-kills',
  'runtime/move-while-open',
  'runtime/move',
  'runtime/search/search-races',
  'runtime/calling/waits',
  'spec/calling/wait',
  'runtime/own-keys-races',
  'runtime/own-store/restore-histories',
].map((name) => `/test/${name}.test.ts`)

/** A runtime goes from one file to the next of its project, so no project begins before the one in front has begun all files. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const projects = ['node', 'in process', 'apart', 'worker']
    const place = ({ moduleId }: TestSpecification) =>
      longest.findIndex((name) => moduleId.endsWith(name)) + 1 || longest.length + 1
    return (await super.sort(files)).toSorted(
      (a, b) => projects.indexOf(a.project.name) - projects.indexOf(b.project.name) || place(a) - place(b),
    )
  }
}

// Two runtimes: the Worker's tests run inside workerd; those of the command line, and those that only need a database, in Node.
export default defineConfig({
  test: {
    // The service logs every request.
    silent: 'passed-only',
    // More than there are cores, because tests wait a third of the time. As a number: a percentage is cut at all cores.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        resolve: { alias: [drizzleInNode] },
        test: {
          name: 'node',
          include: ['test/{admin,docs,mcp,simulation}/**/*.test.ts', ofFiles],
          ...patience,
          isolate: false,
        },
      },
      {
        resolve: {
          alias: [drizzleInNode, { find: /^cloudflare:(workers|test)$/, replacement: inProcessModule }],
        },
        test: {
          name: 'in process',
          include: inProcess,
          ...patience,
          setupFiles: [afterEach],
          isolate: false,
        },
      },
      { plugins: [workerd], test: { ...workerTests, name: 'apart', include: apart } },
      {
        plugins: [workerd],
        test: {
          ...workerTests,
          name: 'worker',
          include: ['test/{spec,unit,runtime,contract,attack,sdk}/**/*.test.ts'],
          exclude: [...apart, ...inProcess, ofFiles, ...ofBoth],
          // A runtime of its own for each file would take half of the suite's time. Tests keep apart by making
          // companies, campaigns, keys and addresses that no other has.
          isolate: false,
          // Of modules that are cached on disk, workerd is sent the code again for each test file, loaded or not.
          fsModuleCache: false,
        },
      },
    ],
  },
})
