// Webhooks as the official library of Standard Webhooks signs them, and as nobody should take them.
import { Webhook } from 'standardwebhooks'
import { expect, it } from 'vitest'
import { verifyWebhook, WebhookRefusedError } from '../../src/sdk/src/lead-intake.ts'

const secretOf = (letter: string) => `whsec_${btoa(letter.repeat(32))}`
const [ours, older, theirs] = [secretOf('a'), secretOf('b'), secretOf('c')]
const event = { type: 'call.reported', timestamp: '2026-11-20T09:00:00.000Z', data: { leadId: 'é' } }
const text = JSON.stringify(event)

/** Signed with these secrets, so long ago. */
function signed(secrets: readonly string[], { secondsAgo = 0, body = text } = {}): Record<string, string> {
  const sentAt = new Date(Date.now() - secondsAgo * 1000)
  const signatures = secrets.map((secret) => new Webhook(secret).sign('evt_1', sentAt, body))
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  }
}

const request = (headers: Record<string, string>, body = text) =>
  new Request('https://crm.test/hook', { method: 'POST', headers, body })

it('A webhook signed with the secret returns its event, in each form of a request', async () => {
  const headers = signed([ours])
  const told = { id: 'evt_1', ...event }
  expect(await verifyWebhook(request(headers), ours)).toEqual(told)
  expect(await verifyWebhook({ headers, body: text }, ours)).toEqual(told)
  expect(
    await verifyWebhook({ headers: new Headers(headers), body: new TextEncoder().encode(text) }, ours),
  ).toEqual(told)
})

it('While a secret is rotated, a signature by either is enough', async () => {
  for (const secrets of [[ours], [older], [older, ours]])
    expect(await verifyWebhook(request(signed(secrets)), [ours, older])).toMatchObject({ id: 'evt_1' })
})

it.each<[string, () => Request]>([
  ['with another secret', () => request(signed([theirs]))],
  ['for another body', () => request(signed([ours]), text.replace('é', 'e'))],
  ['for another id', () => request({ ...signed([ours]), 'webhook-id': 'evt_2' })],
  ['too long ago', () => request(signed([ours], { secondsAgo: 310 }))],
  ['in the future', () => request(signed([ours], { secondsAgo: -310 }))],
  [
    'by another scheme',
    () =>
      request({
        ...signed([ours]),
        'webhook-signature': signed([ours])['webhook-signature']?.replace('v1,', 'v1a,') ?? '',
      }),
  ],
  ['with no base64', () => request({ ...signed([ours]), 'webhook-signature': 'v1,?? v1,' })],
  ['not at all', () => request({})],
])('A webhook that was signed %s is refused', async (_, make) => {
  await expect(verifyWebhook(make(), [ours, older])).rejects.toThrow(WebhookRefusedError)
})

it('Names of headers are read in any case, and the signed id counts', async () => {
  const body = JSON.stringify({ ...event, id: 'evt_9' })
  const headers = signed([ours], { body })
  const upper = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
  )
  const buffer = new TextEncoder().encode(body).buffer as ArrayBuffer
  for (const given of [upper, { get: (name: string) => headers[name] }] as Record<string, string>[])
    expect(await verifyWebhook({ headers: given, body: buffer }, ['', ours, undefined])).toMatchObject({
      id: 'evt_1',
    })
  await expect(verifyWebhook({ headers, body: event as never }, ours)).rejects.toThrow(TypeError)
  await expect(verifyWebhook({ headers, body }, ['', undefined])).rejects.toThrow(TypeError)
  const never = verifyWebhook({ headers, body }, ours, { toleranceSeconds: Number.NaN })
  await expect(never).rejects.toThrow(WebhookRefusedError)
  const noJson = { headers: signed([ours], { body: '{' }), body: '{' }
  await expect(verifyWebhook(noJson, ours)).rejects.toThrow(WebhookRefusedError)
})

it('A malformed secret throws a TypeError, not a refusal', async () => {
  await expect(verifyWebhook(request(signed([ours])), 'whsec_?')).rejects.toThrow(TypeError)
})
