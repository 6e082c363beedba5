// The outcome of each test of a run of the suite, and the tests whose outcome is not the same in every run. Pure.

/** What vitest's JSON reporter writes, as far as it is read. */
export type SuiteReport = {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
  }[]
}

/** By the name of the test, after its file. */
export type Outcomes = ReadonlyMap<string, string>

/** A whole run fails without any test when something outside of all tests does, or when it leaves no report. */
export const wholeRun = 'the run as a whole'

export function outcomesOf(report: SuiteReport | null, exitCode: number, projectDir: string): Outcomes {
  const outcomes = new Map<string, string>()
  // Of tests with one name, the one that failed.
  const note = (name: string, outcome: string) => {
    if (outcomes.get(name) !== 'failed') outcomes.set(name, outcome)
  }
  for (const { name, status, assertionResults } of report?.testResults ?? []) {
    const file = name.replace(`${projectDir}/`, '')
    for (const { fullName, status } of assertionResults) note(`${file}: ${fullName}`, status)
    // A file that cannot be loaded, or fails in a hook.
    note(`${file} as a whole`, assertionResults.length === 0 ? status : 'passed')
  }
  const isExplained = exitCode === 0 || [...outcomes.values()].includes('failed')
  outcomes.set(wholeRun, report !== null && isExplained ? 'passed' : 'failed')
  return outcomes
}

/** Each test that has not had the same outcome in all runs, and its outcomes in their order. */
export function differingTests(runs: readonly Outcomes[]): { name: string; outcomes: string[] }[] {
  const names = new Set(runs.flatMap((run) => [...run.keys()]))
  return [...names]
    .sort()
    .map((name) => ({ name, outcomes: runs.map((run) => run.get(name) ?? 'not run') }))
    .filter(({ outcomes }) => new Set(outcomes).size > 1)
}
