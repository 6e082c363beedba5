// The endpoints of a campaign's sources, and what a source's URL answers to others than posts. receive.ts receives
// those.
import { makeKey } from '../../base/access/api-key.ts'
import { accessTo, granted, type KeyedExchange } from '../../base/access/granted.ts'
import { newIdOf } from '../../base/access/idempotency-key.ts'
import { type Answer, failure, success } from '../../base/http/envelope.ts'
import { invalidField } from '../../base/http/errors.ts'
import type { Exchange } from '../../base/http/respond.ts'
import { parseBody, readBodyOf, readSmallBody } from '../../base/http/validate.ts'
import { limits } from '../../base/limits.ts'
import { formatTimestamp } from '../../base/timestamp.ts'
import { sealSecrets } from '../dialers/dialer-secrets.ts'
import { rootOf } from '../webhooks/routes.ts'
import { allowedOfPreflight, crossOrigin } from './post-pages.ts'
import { otherPosts } from './post-problem.ts'
import {
  problemOfNational,
  readSource,
  readSourceChange,
  readTry,
  type SourceChange,
} from './source-input.ts'
import type { SourceSettings } from './source-settings.ts'
import { sourceUrl } from './source-token.ts'
import { findCampaignZone, findSource, listSources, type StoredSource } from './store/read-source.ts'
import { changeSource, createSource, removeSource, rotateSource } from './store/set-source.ts'
import { ownerOf } from './turnstile.ts'

const idChars = 20
/** A post of 64 KiB as a text in JSON. */
const readTryBody = readBodyOf(4 * limits.leadBodyMaxBytes)

const campaignIdOf = (x: KeyedExchange) => x.c.req.param('campaignId') ?? ''
const sourceIdOf = (x: KeyedExchange) => x.c.req.param('sourceId') ?? ''
const access = (x: KeyedExchange) => accessTo(x, campaignIdOf(x))

export async function postSource(x: KeyedExchange): Promise<Answer> {
  const body = await readSmallBody(x)
  const input = parseBody(body, readSource)
  const root = rootOf(x)
  await mustFit(input, async () => (await granted(x, findCampaignZone(x.db, access(x)))).campaignZone)
  const { id: sourceId, idStart } = newIdOf(x, body, 'src_', idChars)
  const { id: newKeyId, hash } = makeKey().material
  const source = {
    sealedSecrets: null,
    ...sealed(x, root, sourceId, input),
    sourceId,
    idStart,
    newKeyId,
    hash,
  }
  const found = await granted(x, createSource(x.db, access(x), source))
  const isReplay = idStart !== null && found.isReplay
  return answer(x, root, found.source, 201, isReplay ? { 'Idempotent-Replayed': 'true' } : {})
}

export async function getSources(x: KeyedExchange): Promise<Answer> {
  const root = rootOf(x)
  const { sources } = await granted(x, listSources(x.db, access(x)))
  x.record.campaignId = campaignIdOf(x)
  return success({ sources: sources.map((source) => sourceJson(x, root, source)) })
}

export async function getSource(x: KeyedExchange): Promise<Answer> {
  const root = rootOf(x)
  const { source } = await granted(x, findSource(x.db, access(x), sourceIdOf(x)))
  return answer(x, root, source)
}

export async function patchSource(x: KeyedExchange): Promise<Answer> {
  const input = parseBody(await readSmallBody(x), readSourceChange)
  const root = rootOf(x)
  const sourceId = sourceIdOf(x)
  const { countries, nationalCountry, timeZones } = input
  if ((countries ?? nationalCountry ?? timeZones) !== undefined) {
    const { source } = await granted(x, findSource(x.db, access(x), sourceId))
    // One that is not called any more is the first one from now on.
    const stays = countries?.includes(source.nationalCountry ?? '') !== false
    const national = stays ? source.nationalCountry : (countries?.[0] ?? null)
    const changed = { ...source, nationalCountry: national, ...input }
    const asksClock = (countries ?? timeZones) !== undefined
    await mustFit(changed, async () => (asksClock ? source.campaignZone : null))
  }
  const { id: newKeyId, hash } = makeKey().material
  const change = sealed(x, root, sourceId, input)
  const found = await granted(x, changeSource(x.db, access(x), sourceId, change, { newKeyId, hash }))
  return answer(x, root, found.source)
}

export async function deleteSource(x: KeyedExchange): Promise<Answer> {
  await granted(x, removeSource(x.db, access(x), sourceIdOf(x)))
  x.record.campaignId = campaignIdOf(x)
  return success({ deleted: true })
}

export async function postRotateSource(x: KeyedExchange): Promise<Answer> {
  const root = rootOf(x)
  const { source } = await granted(x, rotateSource(x.db, access(x), sourceIdOf(x)))
  return answer(x, root, source)
}

/** What would become of a post. Stores and counts nothing. */
export async function postTry(x: KeyedExchange): Promise<Answer> {
  const { contentType, body } = parseBody(await readTryBody(x), readTry)
  const { source } = await granted(x, findSource(x.db, access(x), sourceIdOf(x)))
  x.record.campaignId = campaignIdOf(x)
  const { readRow } = await import('./read-row.ts')
  const bytes = Uint8Array.from(Buffer.from(body)).buffer
  const row = await readRow(source, contentType, bytes)
  const isTooLarge = bytes.byteLength > limits.leadBodyMaxBytes
  const trapped = {
    code: 'honeypot',
    message: 'A field that people do not see is filled in: nothing is stored',
  }
  const problem = isTooLarge
    ? { code: 'body_too_large', message: 'Request body too large' }
    : (row.problem ?? (row.isTrapped ? trapped : null))
  const { phoneNumber, fields, timeZone, metadata, consent, suppresses, leftOut } = row
  return success({ phoneNumber, fields, timeZone, metadata, consent, suppresses, problem, leftOut })
}

type Whose = Pick<SourceSettings, 'countries' | 'nationalCountry' | 'timeZones'>

/** Throws where settings do not fit together, or a country has several clocks and nobody says which counts. */
async function mustFit(source: Whose, findZone: () => Promise<string | null>): Promise<void> {
  const problem = problemOfNational(source)
  if (problem !== null) throw invalidField(problem)
  const { mayAskClock, unansweredCountries } = await import('./whose/lead-clock.ts')
  const nowMs = Date.now()
  if (!mayAskClock(source, nowMs)) return
  const unanswered = unansweredCountries(source, await findZone(), nowMs)
  if (unanswered.length > 0)
    throw invalidField(
      `timeZones must say by whose clock numbers of ${unanswered.join(', ')} are called: a time ` +
        `zone of each, or campaign`,
    )
}

/** With the secret of Turnstile as it is stored, where it is set. */
function sealed<Change extends SourceChange>(
  x: KeyedExchange,
  root: string,
  sourceId: string,
  change: Change,
) {
  const { turnstileSecret, ...settings } = change
  if (turnstileSecret === undefined) return settings
  const owner = ownerOf(x.apiKey.companyId, sourceId)
  const sealedSecrets =
    turnstileSecret === null ? null : sealSecrets(root, owner, { turnstile: turnstileSecret })
  return { ...settings, sealedSecrets }
}

function answer(
  x: KeyedExchange,
  root: string,
  source: StoredSource,
  status = 200,
  headers: Answer['headers'] = {},
): Answer {
  x.record.campaignId = campaignIdOf(x)
  return success(sourceJson(x, root, source), status, headers)
}

function sourceJson(x: KeyedExchange, root: string, source: StoredSource) {
  const { sourceId, companyId, campaignNumber, version, createdAtMs, received, problemAtMs, lastProblem } =
    source
  const countOf = (isOne: (code: string) => boolean) =>
    received.reduce((sum, [code, posts]) => sum + (isOne(code) ? posts : 0), 0)
  const lastAtMs = received.length === 0 ? null : Math.max(...received.map(([, , atMs]) => atMs))
  const { name, countries, nationalCountry, timeZones, fields, ignored, notDoNotCall, permissions } = source
  const { consent, onExisting, redirectUrl, hasTurnstile, enabled } = source
  return {
    sourceId,
    ...{ name, countries, nationalCountry, timeZones, fields, ignored, notDoNotCall, permissions },
    ...{ consent, onExisting, redirectUrl, hasTurnstile, enabled },
    createdAt: formatTimestamp(createdAtMs),
    url: sourceUrl(root, new URL(x.c.req.url).origin, {
      companyId,
      number: campaignNumber,
      sourceId,
      version,
    }),
    received: {
      stored: countOf((code) => code === ''),
      existing: countOf((code) => code === 'lead_exists'),
      suppressed: countOf((code) => code === 'number_suppressed'),
      dropped: countOf((code) => code === 'honeypot'),
      refused: countOf((code) => code !== '' && !otherPosts.includes(code)),
      lastAt: formatTimestamp(lastAtMs),
    },
    lastNames: source.lastNames,
    lastProblem: lastProblem && {
      at: formatTimestamp(problemAtMs),
      code: lastProblem.code,
      message: lastProblem.message,
    },
  }
}

/** For who opens the URL in a browser. */
export async function getSourceUrl(x: Exchange): Promise<Answer> {
  const headers = { ...crossOrigin(x), 'Content-Type': 'text/plain; charset=utf-8' }
  return { status: 200, headers, body: 'Send the form here by POST.' }
}

/** Neither a post nor a look: a preflight, or a method that a source does not have. */
export async function answerOther(x: Exchange): Promise<Answer> {
  const allow = ['GET', 'HEAD', 'POST', 'OPTIONS']
  if (x.c.req.method === 'OPTIONS')
    return { status: 204, headers: { ...crossOrigin(x), ...allowedOfPreflight(x) }, body: null }
  const answered = failure({ kind: 'method_not_allowed', allow })
  return { ...answered, headers: { ...crossOrigin(x), ...answered.headers } }
}
