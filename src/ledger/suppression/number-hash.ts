// Phone numbers that must not be called and must not be kept either: those of people who were erased. What is stored of
// one is 16 bytes of HMAC-SHA-256(pepper, company, number). A plain hash could be guessed, there are too few numbers; the
// pepper is a secret of the Worker, which the database does not hold.
import { createHmac } from 'node:crypto'

const hashBytes = 16

/** The hashes of one company's numbers; all are empty texts where there is no pepper. */
export type NumberHashes = {
  readonly of: (phoneNumber: string) => string
  /** Of no number: stored beside the first hash, it shows whether the pepper is still the same. Null: nothing was hashed. */
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

/** API keys of companies that were seen to have hashes, or times of calls by hash. */
const keysWithHashes = new Set<string>()

/**
 * Runs without hashes first: a thousand of them take 6 ms, which only companies that have some should pay. There the first
 * run does nothing and returns `pepper_lost`, and a second one has the hashes; from then on, the first one has.
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
