// Warns when what answers at a deployed address is not the service but a sign-in: Access in front of all of it would
// keep every system and form out.
import { existsSync, readFileSync } from 'node:fs'

type Entry = { readonly type?: string; readonly targets?: readonly string[] }

/**
 * Addresses of a deployment. `report`: what wrangler has written of it (WRANGLER_OUTPUT_FILE_PATH), a JSON object a
 * line.
 */
export function targetsOf(report: string): readonly string[] {
  if (!existsSync(report)) return []
  const entries = readFileSync(report, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Entry)
  // Routes with patterns and schedules are among them.
  return entries
    .flatMap(({ type, targets = [] }) => (type === 'deploy' ? targets : []))
    .filter((target) => /^https?:\/\/[^*\s]+$/.test(target))
}

export async function redirectWarnings(targets: readonly string[]): Promise<readonly string[]> {
  const warnings: string[] = []
  for (const target of targets)
    if (await isRedirected(`${target}/api/health`))
      warnings.push(
        `warning: ${target}/api/health is redirected: protect ${target}/console/session alone ` +
          `(src/admin/operations/people.md)\n`,
      )
  return warnings
}

async function isRedirected(url: string): Promise<boolean> {
  const signal = AbortSignal.timeout(10_000)
  const answer = await fetch(url, { redirect: 'manual', signal }).catch(() => null)
  return answer !== null && answer.status >= 300 && answer.status < 400
}
