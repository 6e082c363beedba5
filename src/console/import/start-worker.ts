// Starts the import's worker: the only script address that the page's Trusted Types policy allows.

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
