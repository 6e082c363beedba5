// The endpoints of a campaign's dialer, the list of presets, and the nudges of providers. A dialer's object is asked
// only after the database, which knows whether the key may see it.
import { makeKey } from '../../base/access/api-key.ts'
import { accessTo, granted, type KeyedExchange, keyAccessOf } from '../../base/access/granted.ts'
import { findOwnKey } from '../../base/access/store/own-key.ts'
import { randomBase62 } from '../../base/base62.ts'
import { DatabaseUnavailable } from '../../base/database/database.ts'
import { type Answer, success } from '../../base/http/envelope.ts'
import { ApiError, invalidField } from '../../base/http/errors.ts'
import type { Reading } from '../../base/http/reading.ts'
import type { Exchange } from '../../base/http/respond.ts'
import { parseBody, readSmallBody } from '../../base/http/validate.ts'
import { numberHashes } from '../../base/ledger/suppression/number-hash.ts'
import { waits } from '../../base/limits.ts'
import { chargeNudge, chargeTest } from '../../base/rate-limits/rate-limit.ts'
import { withTimeLimit } from '../../base/time-limit.ts'
import { answerInbound } from '../../queue/calling/callers.ts'
import { findLead } from '../../queue/leads/store/read.ts'
import { rootOf } from '../webhooks/routes.ts'
import { serverOf } from '../webhooks/webhook-url.ts'
import {
  campaignIdOf,
  campaignOf,
  dialerJson,
  exchangesAnswer,
  problemJson,
  secretsOf,
  testJson,
} from './dialer-answer.ts'
import {
  type DialerSettings,
  judgeDialerChange,
  readDialer,
  readDialerChange,
  readPreviewed,
  readTested,
} from './dialer-input.ts'
import { sealSecrets } from './dialer-secrets.ts'
import { nudgeUrl, readNudge } from './nudge.ts'
import { presets } from './presets/presets.ts'
import { providerOf, templateOf } from './provider.ts'
import { type Found, findDialer, removeDialer, type StoredDialer, writeDialer } from './store/set-dialer.ts'
import { beginTest, endTests, judgeTested } from './store/test-call.ts'
import { valuesOfCall } from './template/placeholders.ts'
import { renderRequest } from './template/render.ts'
import { hears } from './template/template.ts'
import { testPrefix } from './trace.ts'
import { dialerOf } from './wake-dialers.ts'

/** The same for all, whether or not a company uses them. */
export async function getDialerPresets(x: KeyedExchange): Promise<Answer> {
  await granted(x, findOwnKey(x.db, keyAccessOf(x)))
  const shown = presets.map(({ findProblem, ...preset }) => ({
    ...preset,
    hearsNo: hears(preset.template.status),
  }))
  return success({ presets: shown })
}

export async function getDialer(x: KeyedExchange): Promise<Answer> {
  const { dialer, number } = await present(x)
  return success(await dialerJson(x, number, dialer))
}

export async function putDialer(x: KeyedExchange): Promise<Answer> {
  const body = await readSmallBody(x)
  const dialer = parseBody(body, (json) => readDialer(json, serverOf(x.c.req.url)))
  return write(x, () => dialer)
}

export async function patchDialer(x: KeyedExchange): Promise<Answer> {
  const body = await readSmallBody(x)
  const server = serverOf(x.c.req.url)
  parseBody(body, judgeDialerChange)
  return write(x, ({ dialer }) => {
    if (dialer === null) throw new ApiError({ kind: 'dialer_not_found' })
    const before = { ...dialer, secrets: secretsOf(x, dialer) ?? {} }
    return parseBody(body, (json): Reading<DialerSettings> => readDialerChange(json, before, server))
  })
}

const maxTries = 5

/** Concurrent changes are applied one after the other. `write` returns null when another one came first. */
export async function inTurn<Written>(write: () => Promise<Written | null>): Promise<Written> {
  for (let tries = 0; tries < maxTries; tries++) {
    const written = await write()
    if (written !== null) return written
  }
  throw new DatabaseUnavailable('settings are being changed by others')
}

/** Answers as GET. */
async function write(x: KeyedExchange, change: (before: Found) => DialerSettings): Promise<Answer> {
  const campaignId = campaignIdOf(x)
  const root = rootOf(x)
  const { number, dialer } = await inTurn(async () => {
    const before = await granted(x, findDialer(x.db, accessTo(x, campaignId)))
    const { secrets, ...settings } = change(before)
    const owner = { ...settings, companyId: x.apiKey.companyId, campaignId }
    const { id: newKeyId, hash } = makeKey().material
    const written = await granted(
      x,
      writeDialer(x.db, accessTo(x, campaignId), {
        ...settings,
        sealedSecrets: sealSecrets(root, owner, secrets),
        hasSameSecrets:
          JSON.stringify(before.dialer && secretsOf(x, before.dialer)) === JSON.stringify(secrets),
        origin: new URL(x.c.req.url).origin,
        wasEnabled: before.dialer?.isEnabled ?? false,
        version: before.version + 1,
        newKeyId,
        hash,
      }),
    )
    return written.kind === 'changed' || written.dialer === null
      ? null
      : { number: written.number, dialer: written.dialer }
  })
  x.record.campaignId = campaignId
  await wake(x, number)
  return success(await dialerJson(x, number, dialer))
}

export async function deleteDialer(x: KeyedExchange): Promise<Answer> {
  const campaignId = campaignIdOf(x)
  const { number } = await granted(x, removeDialer(x.db, accessTo(x, campaignId)))
  x.record.campaignId = campaignId
  await wake(x, number)
  return success({ deleted: true })
}

/** A start as it would be sent. Sends nothing. */
export async function postDialerPreview(x: KeyedExchange): Promise<Answer> {
  const leadId = parseBody(await readSmallBody(x), readPreviewed)
  const { dialer, number } = await present(x)
  const campaignId = campaignIdOf(x)
  const found = await granted(x, findLead(x.db, x.apiKey.id, leadId, Date.now()))
  const lead = found.kind === 'found' ? JSON.parse(found.json) : null
  if (lead === null || lead.campaignId !== campaignId) throw new ApiError({ kind: 'lead_not_found' })
  const template = templateOf(dialer)
  const campaign = campaignOf(x, number)
  const endUrl = nudgeUrl(rootOf(x), dialer.origin, { ...campaign, callId: null })
  const timeZone = lead.timeZone ?? dialer.timeZone
  const dialled = { ...lead, leadId, attempt: lead.attempts + 1 }
  // The call does not exist yet.
  const ofCall = valuesOfCall(dialled, { callId: '…', endUrl }, timeZone, Date.now())
  const values = { ...ofCall, provider: {}, variables: dialer.variables }
  const made = renderRequest(template.start, template.auth ?? null, values, null)
  if (!made.isRendered) throw invalidField(`The start cannot be sent for this lead: ${made.problem}`)
  const { method, url, headers, members } = made.request
  return success({ method, url, headers, body: members })
}

/** Sends a request that needs nothing but valid credentials. */
export async function postDialerCheck(x: KeyedExchange): Promise<Answer> {
  const { dialer, number } = await present(x)
  const secrets = secretsOf(x, dialer)
  const provider = providerOf(dialer, secrets ?? {}, (url, init) => fetch(url, init))
  const checked = await provider.check(waits.webhookTestMs)
  if (checked !== null)
    await answered(objectOf(x, number).noteCheck(checked.seen, checked.isOk)).catch(() => {})
  return success({ ok: checked?.isOk ?? null, problem: problemJson(checked?.problem ?? null) })
}

/** What the object keeps of the last requests, without those of leads that are erased. */
export async function getDialerTrace(x: KeyedExchange): Promise<Answer> {
  const { number } = await present(x)
  const traced = await answered(objectOf(x, number).readTrace())
  return exchangesAnswer(x, number, traced, false)
}

/** A call outside the queue, to a number that somebody enters. It is started after the answer. */
export async function postDialerTest(x: KeyedExchange): Promise<Answer> {
  const tested = parseBody(await readSmallBody(x), readTested)
  const { dialer, number } = await present(x)
  const { companyId } = x.apiKey
  const access = accessTo(x, campaignIdOf(x))
  const hashes = numberHashes(x.env.SUPPRESSION_PEPPER, companyId)
  await granted(x, judgeTested(x.db, access, tested.phoneNumber, hashes))
  if (secretsOf(x, dialer) === null) throw invalidField('secrets cannot be read: set them again')
  const campaign = campaignOf(x, number)
  const object = objectOf(x, number)
  if (!(await answered(object.takeTestTurn()))) throw new ApiError({ kind: 'test_running' })
  const testId = `${testPrefix}${randomBase62(testIdChars)}`
  try {
    await chargeTest(x, companyId, number)
    // Nothing rings without its entry, and nobody else may ring the phone from now on.
    const { kind } = await granted(x, beginTest(x.db, access, { testId, ...tested }))
    if (kind !== 'begun') throw new ApiError({ kind })
  } catch (error) {
    await answered(object.endTestTurn()).catch(() => {})
    throw error
  }
  const starting = object.startTest(campaign, x.env.storeName ?? null, { testId, ...tested })
  if (!(await answered(starting))) {
    await endTests(x.db, campaign, [testId], Date.now())
    throw new ApiError({ kind: 'test_running' })
  }
  return { ...success({ testId }), status: 202 }
}

const testIdChars = 22

export async function getDialerTest(x: KeyedExchange): Promise<Answer> {
  const { number } = await present(x)
  const object = objectOf(x, number)
  const found = await answered(object.readTest(x.c.req.param('testId') ?? ''))
  if (found === null) throw new ApiError({ kind: 'test_not_found' })
  return success(testJson(found))
}

/** Without its object, nothing is known of a dialer's requests. */
export function answered<Result>(asked: Promise<Result>): Promise<Result> {
  return withTimeLimit(asked, waits.senderMs).catch(() => {
    throw new ApiError({ kind: 'service_unavailable' })
  })
}

/** From a provider: needs no key, believes nothing, and brings the next asking forward. */
export async function postNudge(x: Exchange): Promise<Answer> {
  const token = x.c.req.param('token') ?? ''
  const nudge = x.env.WEBHOOK_ROOT ? readNudge(x.env.WEBHOOK_ROOT, token) : null
  if (nudge === null) throw new ApiError({ kind: 'not_found' })
  await chargeNudge(x, token)
  await answered(dialerOf(x.env, nudge).nudge(nudge.callId))
  return { ...success({ accepted: true }), status: 202 }
}

async function present(
  x: KeyedExchange,
): Promise<{ readonly dialer: StoredDialer; readonly number: number }> {
  const campaignId = campaignIdOf(x)
  const { dialer, number } = await granted(x, findDialer(x.db, accessTo(x, campaignId)))
  x.record.campaignId = campaignId
  if (dialer === null) throw new ApiError({ kind: 'dialer_not_found' })
  return { dialer, number }
}

const objectOf = (x: KeyedExchange, number: number) => dialerOf(x.env, campaignOf(x, number))

/** The answer says how it is now. A lost wake-up costs a minute. */
async function wake(x: KeyedExchange, number: number): Promise<void> {
  const campaign = campaignOf(x, number)
  await answered(objectOf(x, number).wake(campaign, x.env.storeName ?? null)).catch(() => {})
}

/** A dialer about to ring the person who rings in does not. An object that does not answer may have started it. */
const stopStartOf = (x: KeyedExchange) => (number: number, callId: string) =>
  answered(objectOf(x, number).stopStart(callId)).catch(() => false)

export const postInbound = answerInbound(stopStartOf)
