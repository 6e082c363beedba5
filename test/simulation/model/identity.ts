// Who signs people in, as Cloudflare Access does: a key pair, its certificate at a URL, and tokens. No answer of the
// service depends on the key, so each process makes its own.
import { createSign, generateKeyPairSync } from 'node:crypto'
import type { Service } from '../platform/service.ts'

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const host = 'sim.cloudflareaccess.com'

export function openIdentity({ hosts }: Service): void {
  const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'first', alg: 'RS256' }]
  // At once: an isolate asks for it once for all companies, and in a world that runs again another one asks first.
  hosts.set(host, async () => ({ takesMs: 0, answered: Response.json({ keys }) }))
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Who has it comes from there, and has this address. */
export function tokenFor(email: string, nowMs: number): string {
  const seconds = Math.floor(nowMs / 1000)
  const claims = { iss: `https://${host}`, aud: ['audience'], email, nbf: seconds, exp: seconds + 600 }
  const signed = `${encoded({ alg: 'RS256', typ: 'JWT', kid: 'first' })}.${encoded(claims)}`
  return `${signed}.${createSign('sha256').update(signed).sign(privateKey, 'base64url')}`
}
