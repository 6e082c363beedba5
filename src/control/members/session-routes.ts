// /console/session: makes a session for a person whom Access has let through, and ends one. A navigation alone makes
// one: its page puts the key into the tab.
import { makeKey } from '../../base/access/api-key.ts'
import { granted, type KeyedExchange, keyAccessOf } from '../../base/access/granted.ts'
import { markRevoked } from '../../base/access/in-directory.ts'
import { enterKey, findMemberships } from '../../base/access/store/directory.ts'
import { findOwnKey } from '../../base/access/store/own-key.ts'
import { endSession } from '../../base/access/store/sessions.ts'
import { randomBase62 } from '../../base/base62.ts'
import { envOfStore } from '../../base/database/company-env.ts'
import { type Answer, success } from '../../base/http/envelope.ts'
import { ApiError, invalidField } from '../../base/http/errors.ts'
import { timed } from '../../base/http/request-record.ts'
import type { Exchange } from '../../base/http/respond.ts'
import { limits } from '../../base/limits.ts'
import { chargeKey, hourlyPerKey } from '../../base/rate-limits/rate-limit.ts'
import { hashEmail } from './email.ts'
import { choicePage, nobodyPage, sessionPage } from './session-page.ts'
import { signIn } from './store/sign-in.ts'
import { signInSettingsOf, verifySignIn } from './verify-sign-in.ts'

/** For the console: whether there is anything to sign in to. */
export async function getSignIn({ c }: Exchange): Promise<Answer> {
  return success({ signIn: signInSettingsOf(c.env) !== null })
}

export async function getSession(x: Exchange): Promise<Answer> {
  const { c } = x
  const settings = signInSettingsOf(c.env)
  if (settings === null) throw new ApiError({ kind: 'not_found' })
  // What another page fetches or frames is none, and HEAD would make a session for nobody.
  if (c.req.header('sec-fetch-dest') !== 'document' || c.req.method !== 'GET')
    throw invalidField('Open this page in a browser')
  const nowMs = Date.now()
  const verified = await verifySignIn(settings, c.req.header('cf-access-jwt-assertion') ?? '', nowMs)
  if (verified.kind !== 'verified') {
    x.record.problems.push(`sign-in: ${verified.problem}`)
    throw new ApiError({ kind: verified.kind === 'refused' ? 'not_signed_in' : 'service_unavailable' })
  }
  const { email } = verified
  const nonce = randomBase62(22)
  const wanted = c.req.query('company')
  const looking = findMemberships(c.env.DB, hashEmailOf(x, email), wanted ?? null)
  const found = await timed(x.record, 'databaseMs', looking)
  const company =
    wanted === undefined && found.length === 1 ? found[0] : found.find(({ id }) => id === wanted)
  if (company === undefined)
    return wanted === undefined && found.length > 0
      ? choicePage(nonce, email, found)
      : nobodyPage(nonce, email)
  await chargeKey(x, company.memberId, [hourlyPerKey])
  const { key, material } = makeKey()
  const endsAtMs = nowMs + limits.sessionMs
  if (company.store !== null) await enterKey(c.env.DB, { ...material, companyId: company.id }, endsAtMs)
  const db = envOfStore(c.env, company.store).DB
  const values = { companyId: company.id, email, nowMs, endsAtMs }
  const isMember = await timed(x.record, 'databaseMs', signIn(db, material, values))
  return isMember ? sessionPage(nonce, key, found.length) : nobodyPage(nonce, email)
}

/** Throws without the secret that all addresses are hashed with. */
export function hashEmailOf({ env, record }: Pick<Exchange, 'env' | 'record'>, email: string): string {
  if (env.SUPPRESSION_PEPPER) return hashEmail(env.SUPPRESSION_PEPPER, email)
  record.problems.push('SUPPRESSION_PEPPER is missing')
  throw new ApiError({ kind: 'service_unavailable' })
}

/** Ends the session that asks. A key stays. */
export async function deleteSession(x: KeyedExchange): Promise<Answer> {
  if (signInSettingsOf(x.c.env) === null) throw new ApiError({ kind: 'not_found' })
  await granted(x, findOwnKey(x.db, keyAccessOf(x)))
  if (x.apiKey.memberId === null) throw new ApiError({ kind: 'session_not_found' })
  const nowMs = Date.now()
  await timed(x.record, 'databaseMs', endSession(x.db, x.apiKey.id, nowMs))
  await markRevoked(x, [x.apiKey.id], nowMs)
  return { status: 204, headers: {}, body: null }
}
