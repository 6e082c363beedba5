// What `admin doctor` and the end of a deployment show: whether the set-up is right, by what the Worker says to an
// operator key, and by wrangler.toml.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LeadIntakeError } from '../../sdk/src/lead-intake.ts'
import { describeError, openService, reachTimeoutMs, type Service } from '../service.ts'
import { printLine } from '../text/print.ts'
import { type Check, diagnoseConfig } from './diagnose-config.ts'
import { projectDir } from './wrangler.ts'

const again = 'LEAD_INTAKE_URL=https://... LEAD_INTAKE_KEY=lk_op_... npm run admin -- doctor'

const setVariable = '[vars] in wrangler.toml, then npm run deploy'
const setSecret =
  'npx wrangler secret put, from your backup; what a new one costs: src/admin/operations/keys.md'

/** How to fix it, by the name of what the Worker has checked; of variables, setVariable. */
const fixes: Readonly<Record<string, string>> = {
  SUPPRESSION_PEPPER: setSecret,
  WEBHOOK_ROOT: setSecret,
  migrations: 'npm run deploy',
  cron:
    'the Cron Triggers of the Worker in the dashboard (after a first deployment, wait); a local ' +
    'service runs it with npm start',
  objects: 'wait five minutes, then npm run deploy: wrangler.toml has code_update_strategy',
}

/** Of a service that cannot be asked. */
export const notAsked = (message: string): Check => ({
  name: 'service',
  status: 'broken',
  message,
  fix: again,
})

/** Never throws. */
export async function diagnose(service: Pick<Service, 'url' | 'apiKey'>): Promise<readonly Check[]> {
  const { client, url } = openService(service.url, service.apiKey, { retryForMs: 0, onRetry: () => {} })
  try {
    const call = { method: 'GET', path: '/api/v1/diagnosis', timeoutMs: reachTimeoutMs } as const
    const { data } = await client.request<{ checks: Omit<Check, 'fix'>[] }>(call)
    const checks = data.checks.map((check) => ({
      ...check,
      fix: check.status === 'ok' ? null : (fixes[check.name] ?? setVariable),
    }))
    return [{ name: 'service', status: 'ok', message: url, fix: null }, ...checks]
  } catch (error) {
    if (!(error instanceof LeadIntakeError)) throw error
    return [notAsked(describeError(url, error))]
  }
}

export const diagnoseFile = () => diagnoseConfig(readFileSync(join(projectDir, 'wrangler.toml'), 'utf8'))

export function printChecks(checks: readonly Check[]): void {
  const longest = Math.max(...checks.map(({ name }) => name.length))
  for (const { name, status, message, fix } of checks) {
    printLine(`${status.padEnd(7)}  ${name.padEnd(longest)}  ${message}`)
    if (fix !== null) printLine(`${' '.repeat(7)}  ${' '.repeat(longest)}  mend: ${fix}`)
  }
}

/**
 * After a deployment to these addresses: what wrangler.toml has, and where the environment names one of them with an
 * operator key, what the Worker says. That key is sent nowhere else.
 */
export async function showDeployed(targets: readonly string[]): Promise<void> {
  const { LEAD_INTAKE_URL: url = '', LEAD_INTAKE_KEY: apiKey = '' } = process.env
  const isIts = apiKey.startsWith('lk_op_') && targets.some((target) => isSameHost(target, url))
  const checks = [...(isIts ? await diagnose({ url, apiKey }) : []), ...diagnoseFile()]
  if (checks.length > 0) printChecks(checks)
  if (!isIts) printLine(`Is the set-up right? ${again.replace('https://...', targets[0] ?? 'https://...')}`)
}

const isSameHost = (one: string, other: string) =>
  URL.parse(one)?.host !== undefined && URL.parse(one)?.host === URL.parse(other)?.host
