// The endpoints of webhooks. A sender is asked only after the database, which knows which webhooks a key may see.
import { granted, type KeyedExchange, keyAccessOf } from '../../base/access/granted.ts'
import { randomBase62 } from '../../base/base62.ts'
import { type Answer, success } from '../../base/http/envelope.ts'
import { ApiError, invalidField } from '../../base/http/errors.ts'
import { parseBody, readQueryOf, readSmallBody, readSmallBodyIfAny } from '../../base/http/validate.ts'
import { limits, waits } from '../../base/limits.ts'
import { withTimeLimit } from '../../base/time-limit.ts'
import { formatTimestamp } from '../../base/timestamp.ts'
import { alertTypes, sealFormatSecrets } from './format.ts'
import {
  deliveriesQuery,
  findChangeProblem,
  type GivenChange,
  readChangeWebhook,
  readCreateWebhook,
  readReplay,
  readRotate,
} from './input.ts'
import { logAttempt, sendEvent } from './send-event.ts'
import type { WebhookSender } from './sender.ts'
import { chatOf } from './sender-steps.ts'
import { secretOf } from './signature.ts'
import { changeWebhook, findReplay, rotateSecret, type WebhookChange } from './store/change-endpoint.ts'
import { createWebhook, listWebhooks, readWebhook, removeWebhook, type Webhook } from './store/endpoints.ts'
import { serverOf } from './webhook-url.ts'

const readDeliveriesQuery = readQueryOf(deliveriesQuery)

const idChars = 20
const idOf = (x: KeyedExchange) => x.c.req.param('webhookId') ?? ''

export async function postWebhook(x: KeyedExchange): Promise<Answer> {
  const json = await readSmallBody(x)
  const input = parseBody(json, (text) => readCreateWebhook(text, serverOf(x.c.req.url)))
  const root = rootOf(x)
  const { campaignId, secrets, ...given } = { ...input, webhookId: `wh_${randomBase62(idChars)}` }
  const owner = { companyId: x.apiKey.companyId, webhookId: given.webhookId, url: given.url }
  const webhook = { ...given, sealedSecrets: secrets && sealFormatSecrets(root, owner, secrets) }
  await granted(x, createWebhook(x.db, { ...keyAccessOf(x), campaignId }, webhook))
  const { webhookId } = webhook
  const headers = { Location: `/api/v1/webhooks/${webhookId}` }
  return success({ webhookId, secret: secretOf(root, webhookId, 1) }, 201, headers)
}

export async function getWebhooks(x: KeyedExchange): Promise<Answer> {
  const { webhooks } = await granted(x, listWebhooks(x.db, keyAccessOf(x)))
  return success({ webhooks: await Promise.all(webhooks.map((webhook) => webhookJson(x, webhook))) })
}

export async function getWebhook(x: KeyedExchange): Promise<Answer> {
  const { webhook } = await granted(x, readWebhook(x.db, keyAccessOf(x), idOf(x)))
  return success(await webhookJson(x, webhook))
}

export async function patchWebhook(x: KeyedExchange): Promise<Answer> {
  const json = await readSmallBody(x)
  const given = parseBody(json, (text) => readChangeWebhook(text, serverOf(x.c.req.url)))
  const change = await changeFor(x, given)
  const { webhook } = await granted(x, changeWebhook(x.db, keyAccessOf(x), idOf(x), change))
  const { webhookId, disabledAtMs } = webhook
  const mustReset = disabledAtMs === null && (change.isDisabled === false || change.url !== undefined)
  // If this call is lost, the sender finds the change by itself.
  if (mustReset) later(x, x.env.WEBHOOK_SENDERS.getByName(webhookId).resetBackoff(webhookId, x.env.storeName))
  return success(await webhookJson(x, webhook))
}

/** As the format of the webhook allows it. The format itself never changes. */
async function changeFor(x: KeyedExchange, { secrets, ...change }: GivenChange): Promise<WebhookChange> {
  const { url, types, include } = change
  if ([secrets, url, types, include].every((one) => one === undefined)) return change
  const { webhook } = await granted(x, readWebhook(x.db, keyAccessOf(x), idOf(x)))
  const found = findChangeProblem(webhook, { ...change, secrets })
  if (found !== null) throw invalidField(found)
  const { format, companyId, webhookId } = webhook
  if (format === null) return change
  const sealed = secrets && {
    sealedSecrets: sealFormatSecrets(rootOf(x), { companyId, webhookId, url: url ?? webhook.url }, secrets),
  }
  return { ...change, ...(types === null && { types: alertTypes }), ...sealed }
}

export async function deleteWebhook(x: KeyedExchange): Promise<Answer> {
  const webhookId = idOf(x)
  await granted(x, removeWebhook(x.db, keyAccessOf(x), webhookId))
  later(x, x.env.WEBHOOK_SENDERS.getByName(webhookId).remove())
  return success({ deleted: true })
}

export async function postRotate(x: KeyedExchange): Promise<Answer> {
  const previousEndsAtMs = parseBody(await readSmallBodyIfAny(x), (json) => readRotate(json, Date.now()))
  const root = rootOf(x)
  const { webhook } = await granted(x, rotateSecret(x.db, keyAccessOf(x), idOf(x), previousEndsAtMs))
  const { webhookId, secretVersion } = webhook
  return success({
    webhookId,
    secret: secretOf(root, webhookId, secretVersion),
    previousExpiresAt: formatTimestamp(previousEndsAtMs),
  })
}

/** Sends at once, whatever the state of the sender. */
export async function postTest(x: KeyedExchange): Promise<Answer> {
  const { webhook } = await granted(x, readWebhook(x.db, keyAccessOf(x), idOf(x)))
  const { webhookId, url } = webhook
  const event = {
    id: `evt_test${randomBase62(idChars)}`,
    type: 'webhook.test',
    timestamp: formatTimestamp(Date.now()),
    data: { webhookId },
  }
  const spentMs = Date.now() - x.startedAtMs
  const timeoutMs = Math.max(1_000, Math.min(waits.webhookTestMs, waits.answerMs - spentMs - 500))
  const root = rootOf(x)
  const result = await sendEvent(url, { ...webhook, root }, event, timeoutMs, chatOf(x.c.env, webhook))
  logAttempt(x.env, webhookId, event, result)
  const { status, durationMs, error } = result
  return success({ eventId: event.id, status, milliseconds: durationMs, error })
}

export async function postReplay(x: KeyedExchange): Promise<Answer> {
  const sinceMs = parseBody(await readSmallBody(x), (json) => readReplay(json, Date.now()))
  const { firstNumber, webhook } = await granted(x, findReplay(x.db, keyAccessOf(x), idOf(x), sinceMs))
  const { webhookId } = webhook
  if (firstNumber !== null)
    await askSender(x, webhookId, (sender) => sender.replay(webhookId, firstNumber, x.env.storeName))
  return success({ webhookId, since: formatTimestamp(sinceMs) })
}

export async function getDeliveries(x: KeyedExchange): Promise<Answer> {
  const { limit } = await readDeliveriesQuery(x)
  const { webhook } = await granted(x, readWebhook(x.db, keyAccessOf(x), idOf(x)))
  const max = limit ?? limits.deliveriesKept
  const deliveries = await askSender(x, webhook.webhookId, async (sender) => sender.listDeliveries(max))
  return success({
    deliveries: deliveries.map(({ atMs, durationMs, error, ...delivery }) => ({
      ...delivery,
      time: formatTimestamp(atMs),
      milliseconds: durationMs,
      error,
    })),
  })
}

async function webhookJson(x: KeyedExchange, webhook: Webhook) {
  const {
    webhookId,
    url,
    types,
    campaignId,
    include,
    format,
    disabledReason,
    givenUp,
    createdBy,
    actorName,
  } = webhook
  return {
    webhookId,
    url,
    types,
    campaignId,
    include,
    format,
    createdAt: formatTimestamp(webhook.createdAtMs),
    createdBy,
    actorName,
    expiresAt: formatTimestamp(webhook.expiresAtMs),
    disabledAt: formatTimestamp(webhook.disabledAtMs),
    disabledReason,
    previousExpiresAt: formatTimestamp(webhook.previousExpiresAtMs),
    lag: await lagOf(x, webhook),
    failingSince: formatTimestamp(webhook.failingSinceMs),
    givenUp,
  }
}

/** The database is updated once a minute: where a webhook seems to lag, its sender knows better. */
async function lagOf(x: KeyedExchange, { webhookId, passedNumber, end }: Webhook): Promise<number> {
  if (passedNumber >= end.head) return 0
  const sender = x.env.WEBHOOK_SENDERS.getByName(webhookId)
  const passed = await withTimeLimit(sender.passed(end), waits.senderMs).catch(() => null)
  return end.head - (passed ?? passedNumber)
}

/** The answer does not wait for it. */
function later(x: KeyedExchange, work: Promise<void>): void {
  x.c.executionCtx.waitUntil(work.catch(() => {}))
}

/** What secrets and the tokens of nudges follow from. Throws service_unavailable where it is missing. */
export function rootOf(x: KeyedExchange): string {
  if (x.env.WEBHOOK_ROOT) return x.env.WEBHOOK_ROOT
  x.record.problems.push('no WEBHOOK_ROOT')
  throw new ApiError({ kind: 'service_unavailable' })
}

type Sender = DurableObjectStub<WebhookSender>

async function askSender<Value>(
  x: KeyedExchange,
  webhookId: string,
  ask: (sender: Sender) => Promise<Value>,
): Promise<Value> {
  try {
    return await withTimeLimit(ask(x.env.WEBHOOK_SENDERS.getByName(webhookId)), waits.senderMs)
  } catch {
    x.record.problems.push('webhook sender')
    throw new ApiError({ kind: 'service_unavailable' })
  }
}
