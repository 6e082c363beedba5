// Who a request to sign in is from: what Cloudflare Access, or another proxy that signs, says in a header of each
// request that it lets through. Its signature is verified; no other header is believed.
import { decode, verifyWithJwks } from 'hono/jwt'
import { limits } from '../../base/limits.ts'
import { serverOf } from '../../channels/webhooks/webhook-url.ts'
import { certificatesFor } from './certificates.ts'
import { isEmail, lowerEmail } from './email.ts'

/** The variables of wrangler.toml. */
type Variables = Pick<Env, 'ACCESS_TEAM' | 'ACCESS_AUD' | 'ACCESS_ISSUER' | 'ACCESS_CERTS'>

type SignInSettings = {
  readonly issuer: string
  readonly certificates: string
  readonly audience: string
}

/** Null: nobody signs people in. */
export function signInSettingsOf(variables: Variables): SignInSettings | null {
  const {
    ACCESS_TEAM: team,
    ACCESS_AUD: audience,
    ACCESS_ISSUER: issuer,
    ACCESS_CERTS: certificates,
  } = variables
  if (!audience) return null
  if (issuer && certificates) return { issuer, certificates, audience }
  const domain = `https://${team}.cloudflareaccess.com`
  return team ? { issuer: domain, certificates: `${domain}/cdn-cgi/access/certs`, audience } : null
}

/** `problem` is for the log: it holds nothing of the token. */
export type Verified =
  | { readonly kind: 'verified'; readonly email: string }
  | { readonly kind: 'refused' | 'unavailable'; readonly problem: string }

export const notTrusted = 'ACCESS_CERTS is no https:// URL'

/** A server of one's own machine may have the certificates on it, without encryption. */
export function isTrustedUrl(certificates: string): boolean {
  const url = URL.parse(certificates)
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && serverOf(certificates).isLocal)
}

const refused = (problem: string): Verified => ({ kind: 'refused', problem })

export async function verifySignIn(
  { issuer, certificates, audience }: SignInSettings,
  token: string,
  nowMs: number,
): Promise<Verified> {
  if (!isTrustedUrl(certificates)) return { kind: 'unavailable', problem: notTrusted }
  const kid = keyIdOf(token)
  if (kid === null) return refused('no token')
  const keys = await certificatesFor(certificates, kid, nowMs)
  if (keys === null) return { kind: 'unavailable', problem: 'certificates unreachable' }
  try {
    // Its own check of times takes a token without an end, and allows no difference of clocks.
    const claims = await verifyWithJwks(token, {
      keys: [...keys] as NonNullable<Parameters<typeof verifyWithJwks>[1]['keys']>,
      allowedAlgorithms: ['RS256'],
      verification: { iss: issuer, aud: audience, exp: false, nbf: false, iat: false },
    })
    return judgeClaims(claims, nowMs)
  } catch (error) {
    // Its name only: a message may quote the token.
    return refused((error as Error).name)
  }
}

/** Null: it is no token, or names no key. */
function keyIdOf(token: string): string | null {
  try {
    const { kid } = decode(token).header
    return typeof kid === 'string' ? kid : null
  } catch {
    return null
  }
}

function judgeClaims({ exp, nbf, email }: Readonly<Record<string, unknown>>, nowMs: number): Verified {
  const { signInGraceMs } = limits
  if (!isTime(exp) || exp * 1000 + signInGraceMs <= nowMs) return refused('expired')
  if (nbf !== undefined && (!isTime(nbf) || nbf * 1000 - signInGraceMs > nowMs))
    return refused('not yet valid')
  if (typeof email !== 'string' || !isEmail(email)) return refused('no e-mail address')
  return { kind: 'verified', email: lowerEmail(email) }
}

/** In Unix seconds. */
const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
