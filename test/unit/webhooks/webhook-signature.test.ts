// What webhooks are signed with, and how: the official package of Standard Webhooks accepts it, and a receiver that
// changes a character is found out.
import { Webhook } from 'standardwebhooks'
import { beforeEach, expect, it, vi } from 'vitest'
import { sendEvent } from '../../../src/channels/webhooks/send-event.ts'
import { secretOf, secretPattern, signedHeaders } from '../../../src/channels/webhooks/signature.ts'

const nowMs = Date.UTC(2026, 10, 20, 9, 3, 12, 999)
const root = 'root of the tests'
const signer = {
  ...{ root, webhookId: 'wh_1', secretVersion: 2, previousExpiresAtMs: nowMs + 1 },
  olderSecrets: [],
}
const body = '{"type":"call.reported","timestamp":"2026-11-20T09:03:12.000Z","data":{"name":"Zoë 😀"}}'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: nowMs }))

it('A signature is verified with the newest secret, and with the one before until it ends', () => {
  const headers = signedHeaders(signer, 'evt_1', body, nowMs)
  expect(headers['webhook-id']).toBe('evt_1')
  expect(headers['webhook-timestamp']).toBe('1795165392')
  for (const version of [1, 2])
    expect(new Webhook(secretOf(root, 'wh_1', version)).verify(body, headers)).toEqual(JSON.parse(body))
  expect(() => new Webhook(secretOf(root, 'wh_1', 3)).verify(body, headers)).toThrow()

  const later = signedHeaders({ ...signer, previousExpiresAtMs: nowMs }, 'evt_1', body, nowMs)
  expect(() => new Webhook(secretOf(root, 'wh_1', 1)).verify(body, later)).toThrow()
  expect(signedHeaders({ ...signer, previousExpiresAtMs: null }, 'evt_1', body, nowMs)).toEqual(later)
})

it('A signature is one of each version whose end lies ahead, the newest first', () => {
  const older = [[1, nowMs + 1] as const, [2, nowMs] as const, [3, nowMs + 2] as const]
  const rotated = { ...signer, secretVersion: 5, previousExpiresAtMs: nowMs, olderSecrets: older }
  const headers = signedHeaders(rotated, 'evt_1', body, nowMs)
  const signatures = headers['webhook-signature']?.split(' ') ?? []
  expect(signatures).toHaveLength(3)
  for (const [i, version] of [5, 3, 1].entries()) {
    const verifier = new Webhook(secretOf(root, 'wh_1', version))
    expect(verifier.verify(body, headers)).toEqual(JSON.parse(body))
    expect(verifier.verify(body, { ...headers, 'webhook-signature': signatures[i] ?? '' })).toEqual(
      JSON.parse(body),
    )
  }
  for (const version of [2, 4])
    expect(() => new Webhook(secretOf(root, 'wh_1', version)).verify(body, headers)).toThrow('No matching')
})

it('A signature holds for no other body, id or time', () => {
  const headers = signedHeaders(signer, 'evt_1', body, nowMs)
  const verifier = new Webhook(secretOf(root, 'wh_1', 2))
  expect(() => verifier.verify(`${body} `, headers)).toThrow('No matching')
  expect(() => verifier.verify(body, { ...headers, 'webhook-id': 'evt_2' })).toThrow('No matching')
  expect(() => verifier.verify(body, { ...headers, 'webhook-timestamp': '1795165393' })).toThrow()
})

it('A secret is 32 bytes that follow from the root, the webhook and the version', () => {
  const secret = secretOf(root, 'wh_1', 1)
  expect(secret).toMatch(new RegExp(`^${secretPattern}$`))
  expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32)
  // By openssl: printf 'wh_1.1' | openssl dgst -sha256 -hmac 'root of the tests' -binary | base64
  expect(secret).toBe('whsec_HSx2BEH4f+FGjhbJaWho0ar+OLtUs0yxVFsd9gi0HfE=')
  const others = [secretOf('other', 'wh_1', 1), secretOf(root, 'wh_2', 1), secretOf(root, 'wh_1', 2)]
  expect(new Set([secret, ...others]).size).toBe(4)
})

it('A delivery is signed by the time of the machine, whatever the clock of the service shows', async () => {
  const ahead = vi.spyOn(Date, 'now').mockReturnValue(nowMs + 14 * 86_400_000)
  const sent: RequestInit[] = []
  const receiver = vi.spyOn(globalThis, 'fetch').mockImplementation(async (_, init) => {
    sent.push(init as RequestInit)
    return new Response()
  })
  const event = { id: 'evt_1', type: 'call.reported', timestamp: '2026-11-20T09:03:12.000Z', data: {} }
  await sendEvent('https://receiver.example/', { ...signer, previousExpiresAtMs: nowMs + 1 }, event, 1_000)
  ahead.mockRestore()
  receiver.mockRestore()
  const headers = sent[0]?.headers as Record<string, string>
  expect(headers['webhook-timestamp']).toBe('1795165392')
  // The secret before has ended by the clock of the service.
  expect(headers['webhook-signature']?.split(' ')).toHaveLength(1)
})
