// One call of the client: what is sent, what is tried again and how long, and which error it ends with.
import { expect, it, vi } from 'vitest'
import {
  ConnectionError,
  type LeadIntake,
  NotFoundError,
  RateLimitedError,
  UnavailableError,
} from '../../src/sdk/src/lead-intake.ts'
import { passing, type Scripted, scripted } from './scripted-service.ts'

const lead = { campaignId: 'spring', phoneNumber: '+14155550123' }
const created: Scripted = { status: 201, data: { leadId: 'lead-1' } }

it('A lead is created by one request, with the key, a request id and an idempotency key', async () => {
  const { client, asked } = scripted(() => created)
  expect(await client.leads.create(lead)).toEqual({ leadId: 'lead-1', replayed: false })
  const [{ method, path, headers, body } = {} as never] = asked
  expect({ method, path, body }).toEqual({ method: 'POST', path: '/api/v1/leads', body: lead })
  expect(Object.fromEntries(headers)).toEqual({
    'x-api-key': 'lk_test',
    'content-type': 'application/json',
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    'idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
})

it('A lead stored by an earlier request with the same key is returned as replayed', async () => {
  const { client, asked } = scripted(() => ({ ...created, headers: { 'idempotent-replayed': 'true' } }))
  expect(await client.leads.create(lead, { idempotencyKey: 'crm-42' })).toMatchObject({ replayed: true })
  expect(asked[0]?.headers.get('idempotency-key')).toBe('crm-42')
})

it('Ids are percent-encoded in paths, and parameters that are not set are omitted', async () => {
  const { client, asked } = scripted(() => ({ data: {} }))
  await client.campaigns.get('a/b c')
  await client.suppressions.list({ campaignId: 'a&b' }).page()
  expect(asked.map(({ path }) => path)).toEqual([
    '/api/v1/campaigns/a%2Fb%20c',
    '/api/v1/suppressions?campaignId=a%26b',
  ])
})

it('A lead is changed only if nobody else has changed it since it was read', async () => {
  const { client, asked } = scripted(() => ({ data: { lead: { _id: 'x' } }, headers: { etag: '"8"' } }))
  const read = await client.leads.get('x')
  expect(await client.leads.update('x', { priority: 3 }, { ifMatch: read.etag as string })).toMatchObject({
    etag: '"8"',
  })
  expect(asked[1]?.headers.get('if-match')).toBe('"8"')
})

it('The health of a failing service is returned, without a retry', async () => {
  const { client, asked } = scripted(() => ({
    status: 503,
    data: { status: 'error' },
    error: 'Service temporarily unavailable',
  }))
  expect(await client.health()).toEqual({ status: 'error' })
  expect(asked).toHaveLength(1)
})

it.each<[string, Scripted]>([
  ['no answer', 'no answer'],
  ['a 429', { status: 429, error: 'Rate limit exceeded', headers: { 'retry-after': '1' } }],
  ['a 503', { status: 503, error: 'Service temporarily unavailable' }],
  ['a proxy that fails', { status: 502, text: '<html>' }],
])('A call is tried again after %s, as the same request', async (_, failure) => {
  const { client, asked } = scripted((_, number) => (number < 4 ? failure : created))
  const { value } = await passing(client.leads.create(lead))
  expect(value).toEqual({ leadId: 'lead-1', replayed: false })
  expect(asked).toHaveLength(4)
  expect(new Set(asked.map(({ headers, text }) => JSON.stringify([...headers, text]))).size).toBe(1)
})

it('Retry-After is respected, and clients that were refused together do not retry together', async () => {
  const limited: Scripted = { status: 429, error: 'Rate limit exceeded', headers: { 'retry-after': '12' } }
  const waits = new Set<number>()
  for (let client = 0; client < 5; client++) {
    const { tookMs } = await passing(
      scripted((_, number) => (number === 1 ? limited : created)).client.leads.create(lead),
    )
    expect(tookMs).toBeGreaterThanOrEqual(12_000)
    expect(tookMs).toBeLessThan(13_000)
    waits.add(tookMs)
  }
  expect(waits.size).toBeGreaterThan(1)
})

it('Waits between retries grow without a Retry-After, and end with the time of a request', async () => {
  const waits: number[] = []
  const { client, asked } = scripted(() => 'no answer', { onRetry: ({ waitMs }) => waits.push(waitMs) })
  const { error, tookMs } = await passing(client.leads.create(lead))
  expect(error).toBeInstanceOf(ConnectionError)
  expect(error).toMatchObject({ status: 0, code: 'connection_failed', message: 'ECONNRESET' })
  expect(error.requestId).toBe(asked[0]?.headers.get('x-request-id'))
  expect(tookMs).toBeLessThanOrEqual(60_000)
  expect(tookMs).toBeGreaterThan(20_000)
  expect(waits.at(-1)).toBeGreaterThan(4 * (waits[0] as number))
})

it('A retry whose wait would exceed the time of a request is not begun', async () => {
  const { client, asked } = scripted(() => ({
    status: 429,
    error: 'Rate limit exceeded',
    headers: { 'retry-after': '61' },
  }))
  const { error, tookMs } = await passing(client.leads.create(lead))
  expect(error).toBeInstanceOf(RateLimitedError)
  expect(error).toMatchObject({ code: 'unexpected_answer', retryAfterMs: 61_000 })
  expect([asked.length, tookMs]).toEqual([1, 0])
})

it('A request that must not be repeated is sent once', async () => {
  const { client, asked } = scripted(() => 'no answer', { retryForMs: 0 })
  await expect(client.leads.get('x')).rejects.toThrow(ConnectionError)
  expect(asked).toHaveLength(1)
})

it('A request that would be done twice is repeated only when nothing was done', async () => {
  const webhook = { url: 'https://crm.test/', types: ['call.reported' as const] }
  for (const [answer, tries] of [
    ['no answer', 1],
    [{ status: 503, error: 'No' }, 1],
    [{ status: 429, error: 'No' }, 2],
  ] as const) {
    const { client, asked } = scripted((_, number) =>
      number === 1 ? answer : { status: 201, data: { webhookId: 'wh_1' } },
    )
    await passing(client.webhooks.create(webhook))
    expect(asked).toHaveLength(tries)
  }
})

it('A 404 of the second try means that the first one removed it, unless that was refused', async () => {
  const gone = { status: 404, error: 'Webhook not found', headers: { 'x-error-code': 'webhook_not_found' } }
  const removals = [
    (client: LeadIntake) => client.webhooks.delete('wh_1'),
    (client: LeadIntake) => client.campaigns.dialer.remove('demo'),
    (client: LeadIntake) => client.campaigns.gate.remove('demo'),
    (client: LeadIntake) => client.campaigns.sources.remove('demo', 'src_1'),
  ]
  for (const first of ['no answer', { status: 503, error: 'No' }] as const)
    for (const remove of removals) {
      const { client, asked } = scripted((_, number) => (number === 1 ? first : gone))
      expect((await passing(remove(client))).value).toEqual({ deleted: true })
      expect(asked).toHaveLength(2)
    }
  for (const first of [gone, { status: 429, error: 'No' }] as const) {
    const { client } = scripted((_, number) => (number === 1 ? first : gone))
    expect((await passing(client.webhooks.delete('wh_1'))).error).toBeInstanceOf(NotFoundError)
  }
  const { client } = scripted((_, number) => (number === 1 ? 'no answer' : gone))
  expect((await passing(client.webhooks.get('wh_1'))).error).toBeInstanceOf(NotFoundError)
})

it('A try ends when the service does not answer in time', async () => {
  const { client, asked } = scripted((_, number) => (number === 1 ? 'silence' : created), {
    timeoutMs: 7_000,
  })
  const { value, tookMs } = await passing(client.leads.create(lead))
  expect(value).toMatchObject({ leadId: 'lead-1' })
  expect(tookMs).toBeGreaterThanOrEqual(7_000)
  expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, false])
  expect(vi.getTimerCount()).toBe(0)
})

it('A body that stalls and ignores the abort ends at the time of a try, and with the signal', async () => {
  const stalled = { fetch: async () => new Response(new ReadableStream()), retryForMs: 0 }
  const { client } = scripted(() => 'silence', { ...stalled, timeoutMs: 7_000 })
  const { error, tookMs } = await passing(client.leads.create(lead))
  expect([(error as ConnectionError).code, tookMs]).toEqual(['connection_failed', 7_000])
  const aborter = new AbortController()
  setTimeout(() => aborter.abort(new Error('enough')), 1_000)
  const { error: reason } = await passing(client.leads.create(lead, { signal: aborter.signal }))
  expect(reason).toEqual(new Error('enough'))
  expect(vi.getTimerCount()).toBe(0)
})

it('Only the first try may last longer than the time of a request', async () => {
  const { client, asked } = scripted(() => 'silence', { timeoutMs: 40_000 })
  const { error, tookMs } = await passing(client.leads.create(lead))
  expect(error).toBeInstanceOf(ConnectionError)
  expect([asked.length, tookMs]).toEqual([2, 60_000])
  const { tookMs: first } = await passing(client.leads.get('x', { retryForMs: 10_000 }))
  expect(first).toBe(40_000)
})

it('An option that is undefined is as if omitted', async () => {
  const set = { timeoutMs: undefined, retryForMs: undefined, requestId: undefined } as object
  const { client, asked } = scripted((_, number) => (number === 1 ? 'silence' : created), set)
  const { value, tookMs } = await passing(client.leads.create(lead, set))
  expect(value).toMatchObject({ leadId: 'lead-1' })
  expect(tookMs).toBeGreaterThanOrEqual(30_000)
  expect(asked[0]?.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
})

it('A Retry-After that is a date is respected', async () => {
  const { client } = scripted((_, number) => {
    if (number > 1) return created
    const at = new Date(Math.ceil(Date.now() / 1000) * 1000 + 20_000).toUTCString()
    return { status: 503, error: 'No', headers: { 'retry-after': at } }
  })
  const { tookMs } = await passing(client.leads.create(lead))
  expect(tookMs).toBeGreaterThanOrEqual(20_000)
  expect(tookMs).toBeLessThan(21_500)
})

it.each<[string, () => string]>([
  ['0', () => '0'],
  ['a date that has just passed', () => new Date(Date.now() - 1_000).toUTCString()],
])('A Retry-After of %s is waited for no less than if there were none', async (_, retryAfter) => {
  const waits: number[] = []
  const { client } = scripted(
    () => ({ status: 503, error: 'No', headers: { 'retry-after': retryAfter() } }),
    { onRetry: ({ waitMs }) => waits.push(waitMs) },
  )
  const { error, tookMs } = await passing(client.leads.create(lead))
  expect(error).toBeInstanceOf(UnavailableError)
  expect(tookMs).toBeGreaterThan(20_000)
  const least = [250, 500, 1_000, 2_000, 4_000, 8_000, 8_000]
  for (const [index, waitMs] of waits.entries()) expect(waitMs).toBeGreaterThanOrEqual(least[index] ?? 8_000)
})

it.each([400, 401, 403, 404, 409, 413, 500])('A %i is final', async (status) => {
  const { client, asked } = scripted(() => ({ status, error: 'No' }))
  expect((await passing(client.leads.create(lead))).error).toMatchObject({ status, message: 'No' })
  expect(asked).toHaveLength(1)
})

it.each<object>([
  { baseUrl: undefined },
  { baseUrl: '' },
  { baseUrl: 'leads.test' },
  { baseUrl: 'https://[leads' },
  { baseUrl: 'https://me:secret@leads.test' },
  { apiKey: undefined },
  { apiKey: '' },
  { apiKey: 'lk_test\n' },
  { apiKey: 'lk_tést' },
])('A client that could never send anything is not made: %o', (wrong) => {
  expect(() => scripted(() => created, wrong)).toThrow(
    new TypeError(
      'baseUrl' in wrong
        ? 'baseUrl must be an http or https URL'
        : 'apiKey must be 1 to 255 visible ASCII characters',
    ),
  )
})

it('A request that can never be sent fails at once', async () => {
  const { client, asked } = scripted(() => created)
  for (const idempotencyKey of ['', 'a b', 'é', 'x'.repeat(256), 7 as never])
    await expect(client.leads.create(lead, { idempotencyKey })).rejects.toThrow(TypeError)
  await expect(client.leads.get('x', { requestId: 'x\ny' })).rejects.toThrow(TypeError)
  await expect(client.leads.create({ ...lead, priority: 1n as never })).rejects.toThrow(TypeError)
  expect(asked).toEqual([])
})

it('A signal ends a try, a wait, and a call that has not begun, with its own reason', async () => {
  const reason = new Error('the visitor has left')
  for (const answer of ['silence', 'no answer'] as const) {
    const { client, asked } = scripted(() => answer)
    const ending = new AbortController()
    const call = client.leads.create(lead, { signal: ending.signal })
    await vi.advanceTimersByTimeAsync(100)
    ending.abort(reason)
    expect((await passing(call)).error).toBe(reason)
    expect((await passing(client.leads.get('x', { signal: ending.signal }))).error).toBe(reason)
    expect(asked).toHaveLength(1)
  }
})
