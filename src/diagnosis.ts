// GET /api/v1/diagnosis: whether the set-up of the service is right, as far as the Worker sees it, for the operator alone. Says
// nothing of what a secret is. What the local configuration has is judged by the command line (admin/deploy/diagnose-config.ts).
import { version } from '../package.json'
import type { KeyedExchange } from './access/authenticate.ts'
import { missingMigrations } from './database/applied-migrations.ts'
import { type Answer, success } from './http/envelope.ts'
import { timed } from './http/request-record.ts'
import { refuseUnknownParameters } from './http/validate.ts'
import { limits } from './limits.ts'
import { fetchCertificates } from './members/certificates.ts'
import { signInSettingsOf } from './members/verify-sign-in.ts'
import { readPulse } from './rate-limits/pulse.ts'
import { formatTimestamp, isTimestamp, parseTimestampMs } from './timestamp.ts'
import { serverOf } from './webhooks/webhook-url.ts'

/** `fix`: the command or the place that mends it; null: nothing to do. */
type Check = {
  readonly name: string
  readonly status: 'ok' | 'warning' | 'broken'
  readonly message: string
  readonly fix: string | null
}

type Verdict = Omit<Check, 'name'>

const ok = (message: string): Verdict => ({ status: 'ok', message, fix: null })
const warning = (message: string, fix: string): Verdict => ({ status: 'warning', message, fix })
const broken = (message: string, fix: string): Verdict => ({ status: 'broken', message, fix })

const deploy = 'npm run deploy'
/** Of a variable. */
const setVariable = `wrangler.toml, [vars], then ${deploy}`

export async function getDiagnosis(x: KeyedExchange): Promise<Answer> {
  refuseUnknownParameters(x)
  const env = x.c.env
  const nowMs = Date.now()
  const [missing, pulse, signIn] = await Promise.all([
    timed(x.record, 'databaseMs', missingMigrations(env.DB)),
    readPulse(env),
    judgeSignIn(env),
  ])
  const verdicts: Readonly<Record<string, Verdict>> = {
    SUPPRESSION_PEPPER: judgeSecret(env.SUPPRESSION_PEPPER),
    WEBHOOK_ROOT: judgeSecret(env.WEBHOOK_ROOT),
    migrations: judgeMigrations(missing),
    cron: judgeCron(pulse?.atMs ?? null, nowMs),
    objects: judgeObjects(pulse?.version ?? null),
    'sign-in': signIn,
    'security.txt': judgeSecurity(env, nowMs),
    PUBLIC_URL: judgePublicUrl(env.PUBLIC_URL ?? ''),
  }
  const checks = Object.entries(verdicts).map(([name, verdict]): Check => ({ name, ...verdict }))
  return success({ version, checks })
}

/** 32 characters of the alphabet that deploy uses are 192 bits. */
const secretMinChars = 32

function judgeSecret(secret: string | undefined): Verdict {
  if (!secret)
    return broken('The Worker does not have it', `set it from your backup, or for a new service ${deploy}`)
  if (secret.length >= secretMinChars) return ok('set')
  return warning(
    `It is shorter than ${secretMinChars} characters, and may be guessed`,
    'src/admin/operations/keys.md, Secrets: what its replacement costs',
  )
}

function judgeMigrations(missing: readonly string[]): Verdict {
  if (missing.length === 0) return ok('all applied')
  return broken(`The database has not applied ${missing.join(', ')}`, deploy)
}

/** Late minutes that the platform may take. */
const cronLateMs = 3 * limits.minuteMs

function judgeCron(atMs: number | null, nowMs: number): Verdict {
  const fix =
    'look at the Cron Triggers of the Worker in the dashboard; a local service runs it with npm start, not with wrangler dev'
  if (atMs === null) return warning('It has not run yet: a first deployment needs a few minutes', fix)
  const at = formatTimestamp(atMs)
  if (nowMs - atMs <= cronLateMs) return ok(`last ran at ${at}`)
  return broken(`It last ran at ${at}: alerts, retention and lost leases wait`, fix)
}

function judgeObjects(ofObjects: string | null): Verdict {
  if (ofObjects === version) return ok(`Worker and objects run ${version}`)
  const fix = `wait five minutes, then ${deploy}: wrangler.toml has code_update_strategy`
  return ofObjects === null
    ? broken(`The Worker runs ${version}, and no object of it answers`, fix)
    : broken(`The Worker runs ${version}, its objects ${ofObjects}`, fix)
}

async function judgeSignIn(env: Env): Promise<Verdict> {
  const { ACCESS_TEAM, ACCESS_AUD, ACCESS_ISSUER, ACCESS_CERTS } = env
  if (![ACCESS_TEAM, ACCESS_AUD, ACCESS_ISSUER, ACCESS_CERTS].some(Boolean))
    return ok('not set up: people use API keys')
  const settings = signInSettingsOf(env)
  if (settings === null)
    return broken(
      'ACCESS_AUD and ACCESS_TEAM, or ACCESS_ISSUER with ACCESS_CERTS, belong together',
      setVariable,
    )
  const { certificates } = settings
  const url = URL.parse(certificates)
  if (url?.protocol !== 'https:' && !(url?.protocol === 'http:' && serverOf(certificates).isLocal))
    return broken('ACCESS_CERTS is no https:// URL', setVariable)
  const keys = await fetchCertificates(certificates)
  if (keys !== null && keys.length > 0) return ok(`${keys.length} certificates read`)
  return broken(
    'The certificates cannot be read: nobody can sign in',
    `ACCESS_TEAM or ACCESS_CERTS: ${setVariable}`,
  )
}

function judgeSecurity({ SECURITY_CONTACT, SECURITY_EXPIRES }: Env, nowMs: number): Verdict {
  if (!SECURITY_CONTACT && !SECURITY_EXPIRES) return ok('not set up')
  if (!SECURITY_CONTACT || !SECURITY_EXPIRES)
    return broken('SECURITY_CONTACT and SECURITY_EXPIRES belong together', setVariable)
  if (!isTimestamp(SECURITY_EXPIRES))
    return broken('SECURITY_EXPIRES is no time, such as 2027-11-26T00:00:00Z', setVariable)
  if (parseTimestampMs(SECURITY_EXPIRES) > nowMs) return ok(`holds until ${SECURITY_EXPIRES}`)
  return warning(`It has expired at ${SECURITY_EXPIRES}`, `SECURITY_EXPIRES: ${setVariable}`)
}

function judgePublicUrl(url: string): Verdict {
  if (url === '') return ok('not set up: alerts in chats have no links')
  if (/^https?:\/\/[^/]/.test(url) && URL.canParse(url)) return ok(url)
  return broken('It is no URL such as https://leads.example.com', setVariable)
}
