// Receives a post: checks the token (404) and the source (404, 410), reads the body as a row, charges it by what
// becomes of it (429), and stores what the source takes of it. Needs no key: what a post stores is stored by the key of
// the source.

import { inCompany } from '../../base/access/in-company.ts'
import type { KeyAccess } from '../../base/access/store/rights.ts'
import { randomBase62 } from '../../base/base62.ts'
import { DatabaseUnavailable, sourceChanged } from '../../base/database/database.ts'
import { type Answer, success } from '../../base/http/envelope.ts'
import { ApiError, describeProblem, invalidField, isPlain, type Problem } from '../../base/http/errors.ts'
import { timed } from '../../base/http/request-record.ts'
import type { Exchange } from '../../base/http/respond.ts'
import { readBytesOf } from '../../base/http/validate.ts'
import type { NewConsent } from '../../base/ledger/consent/consents.ts'
import { numberHashes } from '../../base/ledger/suppression/number-hash.ts'
import { limits } from '../../base/limits.ts'
import { remember } from '../../base/rate-limits/memory-windows.ts'
import { chargeSource, refuseFullSource } from '../../base/rate-limits/rate-limit.ts'
import { addressRule } from '../../queue/leads/consent-rules.ts'
import { plainNames } from '../../queue/leads/field-table.ts'
import { type NewLead, storedFields } from '../../queue/leads/fields.ts'
import { leadTokenChars } from '../../queue/leads/lead.ts'
import { createLead } from '../../queue/leads/store/create.ts'
import { suppressNumbers } from '../../queue/suppression/store/suppress.ts'
import { openSecrets } from '../dialers/dialer-secrets.ts'
import { crossOrigin, pageOf } from './post-pages.ts'
import type { PostProblem } from './post-problem.ts'
import { isJsonType } from './read-post.ts'
import type { PostRow } from './read-row.ts'
import { type NamedSource, readToken } from './source-token.ts'
import {
  guardSource,
  isDue,
  noteRefusedPosts,
  notesOfPost,
  type OpenSource,
  openSource,
} from './store/open-source.ts'
import { requeueEnded } from './store/requeue-ended.ts'
import { isPerson, ownerOf } from './turnstile.ts'

const readBytes = readBytesOf(limits.leadBodyMaxBytes)

const contentTypeOf = (x: Exchange) => x.c.req.header('content-type') ?? ''

/** A form that the browser itself has sent, whose answer it shows. */
const isOfBrowser = (x: Exchange) =>
  (x.c.req.header('sec-fetch-mode') === 'navigate' ||
    (x.c.req.header('accept') ?? '').startsWith('text/html')) &&
  !isJsonType(contentTypeOf(x))

/** For a page, or for a script of any origin. */
export const answerPost = (x: Exchange, answer: Answer): Answer =>
  isOfBrowser(x) && answer.status >= 400 ? pageOf(answer) : answer

/** What a request does with the source that its URL names. */
type Post = {
  readonly x: Exchange
  readonly db: D1Database
  readonly named: NamedSource
  readonly source: OpenSource
  readonly nowMs: number
  readonly charge: Charge
}

/** Once, also for a post that is repeated. Throws where there is no room. */
type Charge = (isRefused: boolean) => Promise<void>

/** Throws unless Turnstile lets the post pass. */
type MustBePerson = (post: Post, row: PostRow) => Promise<void>

export async function postToSource(x: Exchange): Promise<Answer> {
  Object.assign(x.headers, crossOrigin(x))
  const root = x.env.WEBHOOK_ROOT
  const named = root ? readToken(root, x.c.req.param('token') ?? '') : null
  if (named === null) throw new ApiError({ kind: 'not_found' })
  refuseFullSource(x, named.sourceId)
  let charged: Promise<void> | undefined
  const charge: Charge = (isRefused) => {
    charged ??= chargeSource(x, named.sourceId, isRefused).catch((error: unknown) => {
      // It is no use of the source's key.
      x.record.keyId = undefined
      throw error
    })
    return charged
  }
  // A token of Turnstile is good for one question, so a post that is repeated asks once.
  let asked: Promise<void> | undefined
  const mustBePerson: MustBePerson = (...of) => (asked ??= checkPerson(...of))
  for (let tries = 0; ; tries++) {
    try {
      return await inCompany(x, named.companyId, (db) => receive(x, db, named, charge, mustBePerson))
    } catch (error) {
      const hasChanged = error instanceof DatabaseUnavailable && error.reason === sourceChanged
      if (!hasChanged || tries > 0) throw error
    }
  }
}

async function receive(
  x: Exchange,
  db: D1Database,
  named: NamedSource,
  charge: Charge,
  mustBePerson: MustBePerson,
): Promise<Answer> {
  const nowMs = Date.now()
  const source = await timed(x.record, 'databaseMs', openSource(db, named, nowMs))
  if (source === null) throw new ApiError({ kind: 'not_found' })
  Object.assign(x.record, { campaignId: source.campaignId })
  const post = { x, db, named, source, nowMs, charge }
  /** What a post that is refused holds. */
  let names: readonly string[] = []
  try {
    if (!source.enabled) throw new ApiError({ kind: 'source_disabled' })
    x.record.keyId = source.keyId
    const row = await readRowOf(post)
    if (row.isTrapped) {
      await charge(true)
      x.record.postResult = 'honeypot'
      return accepted(post, row)
    }
    names = row.names
    if (row.problem !== null) throw new ApiError(problemOf(row.problem))
    await mustBePerson(post, row)
    // After the version is found, so that an old URL takes nothing from the new one.
    await charge(false)
    await store(post, row)
    return accepted(post, row)
  } catch (error) {
    const status = error instanceof ApiError ? describeProblem(error.problem).status : 500
    if (error instanceof ApiError && status < 500 && status !== 429) {
      await charge(true)
      if (source.enabled) await note(post, error.problem, names)
    }
    throw error
  }
}

async function readRowOf({ x, source }: Post): Promise<PostRow> {
  if (x.c.req.header('content-encoding') !== undefined) throw new ApiError({ kind: 'unsupported_media_type' })
  const body = await readBytes(x).catch((error: unknown) => {
    // A body that ends early is the client's error.
    throw error instanceof ApiError ? error : new ApiError({ kind: 'invalid_json' })
  })
  const { readRow } = await import('./read-row.ts')
  return readRow(source, contentTypeOf(x), body)
}

function problemOf({ code, message: words }: PostProblem): Problem {
  const plain = { kind: code, words }
  return isPlain(plain) ? (plain as Problem) : invalidField(words).problem
}

function accepted({ x, source: { redirectUrl } }: Post, { isJson }: PostRow): Answer {
  const answer = success({ status: 'received' })
  if (!isOfBrowser(x) || isJson) return answer
  if (redirectUrl === null) return pageOf(answer)
  return { status: 303, headers: { Location: new URL(redirectUrl).href }, body: null }
}

/** Throws `turnstile_failed`, or `service_unavailable` when Cloudflare does not answer. */
async function checkPerson({ x, named, source }: Post, { turnstileToken }: PostRow): Promise<void> {
  if (source.sealedSecrets === null) return
  const secrets = openSecrets(
    x.env.WEBHOOK_ROOT,
    ownerOf(named.companyId, named.sourceId),
    source.sealedSecrets,
  )
  if (secrets?.turnstile === undefined) {
    x.record.problems.push('the secret of Turnstile cannot be opened')
    throw new ApiError({ kind: 'service_unavailable' })
  }
  const address = x.c.req.header('cf-connecting-ip')
  const isOne = turnstileToken !== null && (await isPerson(secrets.turnstile, turnstileToken, address))
  if (isOne === true) return
  if (isOne === false) throw new ApiError({ kind: 'turnstile_failed' })
  x.record.problems.push('turnstile')
  throw new ApiError({ kind: 'service_unavailable' })
}

async function store(post: Post, row: PostRow): Promise<void> {
  const { x, db, named, source, nowMs } = post
  const { keyId, campaignId } = source
  const access: KeyAccess = { keyId, companyId: named.companyId, actor: keyId, requestId: x.requestId, nowMs }
  const { unusable, names, isClockUnanswered } = row
  const problem =
    unusable === null ? null : ({ code: 'invalid_field', message: unusable, isNote: true } as const)
  const before = [
    guardSource(db, named),
    ...notesOfPost(db, named, source, { names, problem, isClockUnanswered }, nowMs),
  ]
  const phoneNumber = row.phoneNumber?.value ?? ''
  if (row.suppresses) {
    const no = { phoneNumbers: row.suppressed, campaignId, reason: 'do-not-call field of a form' }
    grantedToSource(x, await timed(x.record, 'databaseMs', suppressNumbers(db, access, no, before)))
    x.record.postResult = 'number_suppressed'
    return
  }
  const hashes = numberHashes(x.env.SUPPRESSION_PEPPER, named.companyId)
  const origin = {
    ...access,
    ...{ campaignId, sourceId: named.sourceId, hashes },
    ...{ token: randomBase62(leadTokenChars), requestKey: null },
  }
  const consent = row.consent ? consentOf(post, phoneNumber) : null
  const created = createLead(db, origin, leadOf(row, phoneNumber), consent, before)
  const result = grantedToSource(x, await timed(x.record, 'databaseMs', created))
  if (result.kind === 'created') {
    x.record.leadsCreated = 1
    return
  }
  x.record.postResult = 'lead_exists'
  if (source.onExisting === 'keep') return
  const requeued = requeueEnded(db, { ...access, campaignId }, phoneNumber, hashes, guardSource(db, named))
  if (!(await timed(x.record, 'databaseMs', requeued))) throw new ApiError({ kind: 'source_disabled' })
}

/** The key of the source is its right: it was revoked since, or the campaign archived. */
function grantedToSource<Result extends { readonly kind: string }>(x: Exchange, result: Result): Result {
  if (['key_refused', 'campaign_denied', 'company_denied'].includes(result.kind))
    throw new ApiError({ kind: 'source_disabled' })
  if (result.kind !== 'pepper_lost') return result
  x.record.problems.push('SUPPRESSION_PEPPER is missing, or not the one that numbers were suppressed with')
  throw new ApiError({ kind: 'service_unavailable' })
}

const leadOf = ({ fields, timeZone, metadata }: PostRow, phoneNumber: string): NewLead => {
  const taken = Object.fromEntries(plainNames.map((name) => [name, fields[name]?.value]))
  return {
    ...storedFields(timeZone === null ? taken : { ...taken, timeZone }),
    phoneNumber,
    metadata: Object.keys(metadata).length === 0 ? null : JSON.stringify(metadata),
  }
}

/** Where it comes from is known of a browser alone, which says its origin. */
function consentOf(
  { x, named: { sourceId }, source: { consent }, nowMs }: Post,
  phoneNumber: string,
): NewConsent | null {
  if (consent === null) return null
  const { purpose, text, expiresAfterDays } = consent
  const header = (name: string) => x.c.req.header(name)
  const isFromBrowser = header('origin') !== undefined
  const address = header('cf-connecting-ip') ?? ''
  const [isAddress] = addressRule
  return {
    ...{ phoneNumber, purpose, givenAtMs: nowMs, text, textSha256: null },
    expiresAtMs: expiresAfterDays === null ? null : nowMs + expiresAfterDays * limits.dayMs,
    url: isFromBrowser ? (originOf(header('referer')) ?? originOf(header('origin'))) : null,
    ip: isFromBrowser && isAddress(address) ? address : null,
    ...{ userAgent: null, certificateUrl: null, reference: sourceId, onceWithinMs: limits.minuteMs },
  }
}

/** Null: it names no website. */
function originOf(url = ''): string | null {
  const { protocol = '', origin = '' } = URL.parse(url) ?? {}
  return /^https?:$/.test(protocol) && origin.length <= limits.consentUrlMaxChars ? origin : null
}

/** By source: since the last one was noted. In this isolate alone: when it ends, they are lost. */
const refusedPosts = new Map<string, number>()
const maxSources = 10_000

/** A note that is lost changes nothing for the sender. */
async function note(
  { x, db, named, source }: Post,
  problem: Problem,
  names: readonly string[],
): Promise<void> {
  const { code, error: message } = describeProblem(problem)
  const nowMs = Date.now()
  const count = (refusedPosts.get(named.sourceId) ?? 0) + 1
  remember(refusedPosts, named.sourceId, count, maxSources)
  if (!isDue(source.refusedAtMs, nowMs)) return
  const post = { names, problem: { code, message }, count, actor: source.keyId, requestId: x.requestId }
  const noted = noteRefusedPosts(db, named, post, nowMs)
  await timed(x.record, 'databaseMs', noted).then(
    () => refusedPosts.delete(named.sourceId),
    () => false,
  )
}
