// What `npm run test:flaky` makes of the reports of several runs.
import { expect, it } from 'vitest'
import { differingTests, outcomesOf, type SuiteReport, wholeRun } from '../support/run/outcomes.ts'

const reportOf = (tests: Readonly<Record<string, string>>): SuiteReport => ({
  testResults: [
    {
      name: '/project/test/a.test.ts',
      status: 'passed',
      assertionResults: Object.entries(tests).map(([fullName, status]) => ({ fullName, status })),
    },
  ],
})
const run = (tests: Readonly<Record<string, string>>, exitCode = 0) =>
  outcomesOf(reportOf(tests), exitCode, '/project')

it('Several runs of the suite differ in no test when each has one outcome, failed or not', () => {
  const same = { first: 'passed', second: 'failed', third: 'skipped' }
  expect(differingTests([run(same, 1), run(same, 1)])).toEqual([])
})

it('Several runs of the suite differ in a test that failed once, or was not there once', () => {
  const runs = [run({ first: 'passed', second: 'passed' }), run({ first: 'failed' }, 1)]
  expect(differingTests(runs)).toEqual([
    { name: 'test/a.test.ts: first', outcomes: ['passed', 'failed'] },
    { name: 'test/a.test.ts: second', outcomes: ['passed', 'not run'] },
  ])
})

it('Several runs of the suite differ when one fails without a test that does, or leaves no report', () => {
  const names = (other: ReturnType<typeof run>) =>
    differingTests([run({ first: 'passed' }), other]).map(({ name }) => name)
  expect(names(run({ first: 'passed' }, 1))).toEqual([wholeRun])
  expect(names(outcomesOf(null, 1, '/project'))).toContain(wholeRun)
})

it('Several runs of the suite differ in a file that could not be loaded once', () => {
  const broken = { name: '/project/test/a.test.ts', status: 'failed', assertionResults: [] }
  const runs = [run({ first: 'passed' }), outcomesOf({ testResults: [broken] }, 1, '/project')]
  expect(differingTests(runs).map(({ name }) => name)).toEqual([
    'test/a.test.ts as a whole',
    'test/a.test.ts: first',
  ])
})

it('Several runs of the suite count tests of one name as failed when any of them is', () => {
  const twice = (...outcomes: string[]) =>
    outcomesOf(
      {
        testResults: [
          {
            name: '/project/test/a.test.ts',
            status: 'failed',
            assertionResults: outcomes.map((status) => ({ fullName: 'first', status })),
          },
        ],
      },
      1,
      '/project',
    ).get('test/a.test.ts: first')
  expect([twice('failed', 'passed'), twice('passed', 'failed')]).toEqual(['failed', 'failed'])
})
