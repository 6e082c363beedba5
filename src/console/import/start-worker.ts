// The one script that the page may start by its address: everything else that text could become code by is refused by
// the page's policy.

type Policies = {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): unknown }
}

const workerUrl = '/console/import-worker.js'

const policy = (globalThis as { trustedTypes?: Policies }).trustedTypes?.createPolicy('lead-intake-console', {
  createScriptURL: () => workerUrl,
})

export function startWorker(): Worker {
  return new Worker((policy?.createScriptURL(workerUrl) ?? workerUrl) as string, { type: 'module' })
}
