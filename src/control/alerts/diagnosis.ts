// GET /api/v1/diagnosis: whether the set-up of the service is right, as far as the Worker sees it, for the operator
// alone. Says nothing of what a secret is. The command line adds how to fix it, and what wrangler.toml has
// (admin/deploy/diagnose.ts).
import { version } from '../../../package.json'
import type { KeyedExchange } from '../../base/access/granted.ts'
import { missingMigrations } from '../../base/database/applied-migrations.ts'
import { type Answer, success } from '../../base/http/envelope.ts'
import { timed } from '../../base/http/request-record.ts'
import { refuseUnknownParameters } from '../../base/http/validate.ts'
import { limits } from '../../base/limits.ts'
import { readPulse } from '../../base/rate-limits/pulse.ts'
import { formatTimestamp, isTimestamp, parseTimestampMs } from '../../base/timestamp.ts'
import { fetchCertificates } from '../members/certificates.ts'
import { isTrustedUrl, notTrusted, signInSettingsOf } from '../members/verify-sign-in.ts'

type Verdict = readonly [status: 'ok' | 'warning' | 'broken', message: string]

const notSetUp: Verdict = ['ok', 'not set up']

export async function getDiagnosis(x: KeyedExchange): Promise<Answer> {
  refuseUnknownParameters(x)
  const { env } = x.c
  const nowMs = Date.now()
  const [missing, pulse, signIn] = await Promise.all([
    timed(x.record, 'databaseMs', missingMigrations(env.DB)),
    readPulse(env),
    judgeSignIn(env),
  ])
  const verdicts: Readonly<Record<string, Verdict>> = {
    SUPPRESSION_PEPPER: judgeSecret(env.SUPPRESSION_PEPPER),
    WEBHOOK_ROOT: judgeSecret(env.WEBHOOK_ROOT),
    migrations: missing.length > 0 ? ['broken', `not applied: ${missing.join(', ')}`] : ['ok', 'all applied'],
    cron: judgeCron(pulse?.atMs ?? null, nowMs),
    objects: [
      pulse?.version === version ? 'ok' : 'broken',
      `the Worker runs ${version}, its objects ${pulse?.version ?? 'do not answer'}`,
    ],
    'sign-in': signIn,
    'security.txt': judgeSecurity(env, nowMs),
    PUBLIC_URL: judgePublicUrl(env.PUBLIC_URL ?? ''),
  }
  const checks = Object.entries(verdicts).map(([name, [status, message]]) => ({ name, status, message }))
  return success({ version, checks })
}

/** Of the alphabet that deploy uses, 192 bits. */
const secretMinChars = 32

function judgeSecret(secret: string | undefined): Verdict {
  if (!secret) return ['broken', 'the Worker does not have it']
  return secret.length < secretMinChars
    ? ['warning', `shorter than ${secretMinChars} characters: it may be guessed`]
    : ['ok', 'set']
}

/** Late minutes that the platform may take. */
const cronLateMs = 3 * limits.minuteMs

function judgeCron(atMs: number | null, nowMs: number): Verdict {
  if (atMs === null) return ['warning', 'not run yet']
  return [nowMs - atMs > cronLateMs ? 'broken' : 'ok', `last run at ${formatTimestamp(atMs)}`]
}

async function judgeSignIn(env: Env): Promise<Verdict> {
  if (![env.ACCESS_TEAM, env.ACCESS_AUD, env.ACCESS_ISSUER, env.ACCESS_CERTS].some(Boolean)) return notSetUp
  const settings = signInSettingsOf(env)
  if (settings === null)
    return ['broken', 'ACCESS_AUD, and ACCESS_TEAM or ACCESS_ISSUER with ACCESS_CERTS, belong together']
  if (!isTrustedUrl(settings.certificates)) return ['broken', notTrusted]
  const keys = await fetchCertificates(settings.certificates)
  return keys?.length
    ? ['ok', `${keys.length} certificates read`]
    : ['broken', 'its certificates cannot be read']
}

function judgeSecurity({ SECURITY_CONTACT, SECURITY_EXPIRES }: Env, nowMs: number): Verdict {
  if (!SECURITY_CONTACT && !SECURITY_EXPIRES) return notSetUp
  if (!SECURITY_CONTACT || !isTimestamp(SECURITY_EXPIRES))
    return ['broken', 'a SECURITY_CONTACT and SECURITY_EXPIRES, a time, belong together']
  const hasExpired = parseTimestampMs(SECURITY_EXPIRES) <= nowMs
  return [hasExpired ? 'warning' : 'ok', `${hasExpired ? 'expired at' : 'until'} ${SECURITY_EXPIRES}`]
}

function judgePublicUrl(url: string): Verdict {
  if (url === '') return notSetUp
  return /^https?:\/\/[^/]/.test(url) && URL.canParse(url) ? ['ok', url] : ['broken', 'it is no https:// URL']
}
