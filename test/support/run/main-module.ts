// Each call of a Durable Object, and each request to the Worker, has the plugin import the Worker's main module, for
// which Vitest asks its own process where that is: a third of the time of a request in a test, and an error in the log
// when an alarm runs as a file ends. It stays where it is: one answer will do.

type Import = (id: string, options?: object) => Promise<unknown>
/** What the plugin imports with; a part of Vitest's that it does not promise. Without it tests are slower, no more. */
type Runner = { import: Import; isQuick?: true }

const mainModule = /\/src\/index\.ts$/

export function importMainModuleOnce(): void {
  const { __vitest_mocker__: mocker } = globalThis as { __vitest_mocker__?: { moduleRunner?: Runner } }
  const runner = mocker?.moduleRunner
  if (runner === undefined || runner.isQuick) return
  const load = runner.import.bind(runner)
  const loaded = new Map<string, Promise<unknown>>()
  runner.isQuick = true
  runner.import = (id, options) => {
    if (options !== undefined || !mainModule.test(id)) return load(id, options)
    const module = loaded.get(id) ?? load(id)
    loaded.set(id, module)
    return module
  }
}
