// Hashes of phone numbers that must be neither called nor stored: those of erased people. A hash is 16 bytes of
// HMAC-SHA-256(pepper, company, number). There are so few numbers that a plain hash could be guessed; the pepper is a
// secret of the Worker, which the database does not hold.
import { createHmac } from 'node:crypto'

const hashBytes = 16

/** Hashes of one company's numbers; empty texts without a pepper. */
export type NumberHashes = {
  readonly of: (phoneNumber: string) => string
  /**
   * The hash of no number, stored with the first hash: shows whether the pepper is still the same. Null: not hashed.
   */
  readonly pepperCheck: string | null
}

export function numberHashes(
  pepper: string | undefined,
  companyId: string,
): NumberHashes & { readonly pepperCheck: string } {
  if (!pepper) return { of: () => '', pepperCheck: '' }
  const of = (phoneNumber: string) =>
    createHmac('sha256', pepper)
      .update(`${companyId}\n${phoneNumber}`)
      .digest()
      .subarray(0, hashBytes)
      .toString('base64url')
  return {
    of,
    get pepperCheck() {
      return of('')
    },
  }
}

const noHashes: NumberHashes = { of: () => '', pepperCheck: null }

/** API keys whose company is known to have hashes. */
const keysWithHashes = new Set<string>()

/**
 * Runs without hashes first: a thousand take 6 ms, which only companies with stored hashes should pay. For those the
 * first run does nothing and returns `pepper_lost`, and the second has hashes; later runs hash at once.
 */
export async function hashingWhenNeeded<Result extends { readonly kind: string }>(
  keyId: string,
  hashes: NumberHashes,
  run: (hashes: NumberHashes) => Promise<Result>,
): Promise<Result> {
  if (!keysWithHashes.has(keyId)) {
    const result = await run(noHashes)
    if (result.kind !== 'pepper_lost') return result
    keysWithHashes.add(keyId)
  }
  return run(hashes)
}
