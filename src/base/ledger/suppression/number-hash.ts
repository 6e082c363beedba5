// Hashes of phone numbers that must be neither called nor stored: those of erased people. A hash is 16 bytes of
// HMAC-SHA-256(pepper, company, number). There are so few numbers that a plain hash could be guessed; the pepper is a
// secret of the Worker, which the database does not hold.
import { createHash, createHmac } from 'node:crypto'

const hashBytes = 16

/** Hashes of one company's numbers; empty texts without a pepper. */
export type NumberHashes = {
  readonly of: (phoneNumber: string) => string
  /**
   * The hash of no number, stored with the first hash: shows whether the pepper is still the same. Null: not hashed.
   */
  readonly pepperCheck: string | null
  /** A digest by which the same content is found again: keyed, so that nobody confirms a guess without the pepper. */
  readonly ofContent: (content: string) => string
}

export function numberHashes(
  pepper: string | undefined,
  companyId: string,
): NumberHashes & { readonly pepperCheck: string } {
  const digestOf = (text: string) =>
    (pepper ? createHmac('sha256', pepper) : createHash('sha256'))
      .update(text)
      .digest()
      .subarray(0, hashBytes)
      .toString('base64url')
  const of = (phoneNumber: string) => (pepper ? digestOf(`${companyId}\n${phoneNumber}`) : '')
  return {
    of,
    ofContent: (content) => digestOf(`content ${companyId}\n${content}`),
    get pepperCheck() {
      return of('')
    },
  }
}

/** For the company whose key sends a request. */
export const hashesOf = (x: { readonly env: Env; readonly apiKey: { readonly companyId: string } }) =>
  numberHashes(x.env.SUPPRESSION_PEPPER, x.apiKey.companyId)

/** For the numbers of leads. Consents are hashed by the others. */
const withoutHashes = ({ ofContent }: NumberHashes): NumberHashes => ({
  of: () => '',
  pepperCheck: null,
  ofContent,
})

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
    const result = await run(withoutHashes(hashes))
    if (result.kind !== 'pepper_lost') return result
    keysWithHashes.add(keyId)
  }
  return run(hashes)
}
