// Whether the service accepts the key, and whether the key may do more, or less, than this server needs.
import { InvalidApiKeyError, type LeadIntake, LeadIntakeError } from '../sdk/src/lead-intake.ts'

export type Checked =
  | { readonly kind: 'accepted'; readonly warnings: readonly string[] }
  | { readonly kind: 'refused'; readonly message: string }

/** Short, because the assistant waits for it. A service that does not answer may answer later. */
const checkTimes = { timeoutMs: 5_000, retryForMs: 0 }

export async function checkKey(client: LeadIntake, allowsWrites: boolean): Promise<Checked> {
  try {
    const { key } = await client.keys.self(checkTimes)
    return { kind: 'accepted', warnings: warningsOf(key.scope, key.rights, allowsWrites) }
  } catch (error) {
    if (!(error instanceof LeadIntakeError)) throw error
    if (error instanceof InvalidApiKeyError)
      return { kind: 'refused', message: `the service refuses LEAD_INTAKE_KEY: ${error.message}` }
    return { kind: 'accepted', warnings: [`the key could not be checked: ${error.message}`] }
  }
}

function warningsOf(scope: string, rights: readonly string[], allowsWrites: boolean): string[] {
  const needed = allowsWrites ? ['look', 'read', 'write'] : ['look', 'read']
  const best = allowsWrites ? 'write' : 'read'
  const extra = rights.filter((right) => !needed.includes(right))
  const missing = needed.filter((right) => !rights.includes(right))
  const warnings = [
    extra.length > 0 && `may do more than needed (${extra.join(', ')}): use one of scope ${best}`,
    missing.length > 0 && `lacks rights (${missing.join(', ')}): some tools will be refused`,
  ]
  return warnings.filter((one) => one !== false).map((one) => `the key has scope ${scope} and ${one}`)
}
