// A request of the console as a value: what panels show of it, and that nothing is sent twice.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { settle } from '../../../src/console/service/answer.ts'
import { clientOf, openClient } from '../../../src/console/service/client.ts'
import { senderFor } from '../../../src/sdk/src/send.ts'

/** The console's client, with a service that answers in this way. */
function serviceThat(answer: () => Response) {
  const sent: string[] = []
  const send = senderFor({
    baseUrl: 'https://leads.example.com',
    apiKey: 'lk_1',
    retryForMs: 0,
    fetch: async (url) => {
      sent.push(url)
      return answer()
    },
  })
  return { client: clientOf(send), sent }
}

const refusal = (status: number, error: string, headers = {}) =>
  Response.json(
    { success: false, data: null, error },
    { status, headers: { 'x-error-code': 'any', ...headers } },
  )

it.each<[name: string, answer: () => Response, status: number, error: string, retryAfterMs: number | null]>([
  ['says why in the words of the service', () => refusal(409, 'Not now'), 409, 'Not now', null],
  [
    'says when to retry',
    () => refusal(429, 'Too many requests', { 'retry-after': '7' }),
    429,
    'Too many requests',
    7_000,
  ],
  [
    'says that a key of the company is needed',
    () => refusal(403, 'Insufficient permissions', { 'x-error-code': 'company_key_required' }),
    403,
    'Insufficient permissions: this needs a company-wide API key',
    null,
  ],
  [
    'says the status of a proxy',
    () => new Response('<html>', { status: 502 }),
    502,
    'The service answered 502.',
    null,
  ],
  [
    'says that there was no answer',
    () => {
      throw new TypeError('no route')
    },
    0,
    'Cannot reach the service.',
    null,
  ],
])('%s, and is sent once', async (_, answer, status, error, retryAfterMs) => {
  const { client, sent } = serviceThat(answer)
  expect(await settle(client.webhooks.test('w'))).toEqual({ status, data: null, error, retryAfterMs })
  expect(sent).toEqual(['https://leads.example.com/api/v1/webhooks/w/test'])
})

it('A request that failed is not mistaken for a mistake in the program', async () => {
  await expect(settle(Promise.reject(new TypeError('mistake')))).rejects.toThrow('mistake')
})

it('A request that succeeded is its data', async () => {
  const { client, sent } = serviceThat(() =>
    Response.json({ success: true, data: { suppressions: [] }, error: null }),
  )
  const answer = await settle(client.suppressions.list({ limit: 1 }).page())
  expect(answer).toEqual({ status: 200, data: { suppressions: [] }, error: null, retryAfterMs: null })
  expect(sent).toEqual(['https://leads.example.com/api/v1/suppressions?limit=1'])
})

describe('The page', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('The page gets each answer once its body is read, with the newest quota, and before the panel does', async () => {
    const events: string[] = []
    const quota = { 'x-ratelimit-limit': '1000', 'x-ratelimit-remaining': '998', 'x-ratelimit-reset': '0' }
    const answers = [Response.json({ data: { keys: [] } }, { headers: quota }), refusal(401, 'Revoked')]
    vi.stubGlobal('fetch', async () => {
      const response = answers.shift() as Response
      const text = async () => {
        const read = await response.text()
        events.push('body')
        return read
      }
      return { status: response.status, ok: response.ok, headers: response.headers, text }
    })
    const client = openClient('https://leads.example.com', 'lk_1', ({ status, quota }) =>
      events.push(`${status}, ${quota?.remaining} left`),
    )
    await settle(client.keys())
    events.push('panel')
    await settle(client.keys())
    events.push('panel')
    expect(events).toEqual(['body', '200, 998 left', 'panel', 'body', '401, 998 left', 'panel'])
  })
})
