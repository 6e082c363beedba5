// Many leads through the client: how they are split, how fast they are sent, and which result each gets.
import { expect, it } from 'vitest'
import { AccessDeniedError, type ManyResult, type NewLead } from '../../src/sdk/src/lead-intake.ts'
import { type Asked, passing, type Scripted, scripted } from './scripted-service.ts'

const leadsOf = (count: number, metadata?: object): NewLead[] =>
  Array.from({ length: count }, (_, index) => ({
    phoneNumber: `+1415555${String(index).padStart(4, '0')}`,
    ...(metadata && { metadata: { ...metadata } }),
  }))

const sentIn = ({ body }: Asked) => body.leads as NewLead[]

const stored = (asked: Asked, headers: HeadersInit = {}): Scripted => ({
  data: {
    results: sentIn(asked).map(({ phoneNumber }, index) => ({
      index,
      status: 'created',
      leadId: `id ${phoneNumber}`,
    })),
  },
  headers,
})

async function all(results: AsyncIterable<ManyResult>): Promise<ManyResult[]> {
  const gathered: ManyResult[] = []
  for await (const result of results) gathered.push(result)
  return gathered
}

const windows = (hour: string, bulk: string) => ({
  'ratelimit-policy': '"hour";q=1000;w=3600, "bulk";q=10;w=60',
  ratelimit: `"hour";${hour}, "bulk";${bulk}`,
})

it('Leads of any iterable are sent a thousand at a time, with a result for each in order', async () => {
  const { client, asked } = scripted((one) => stored(one))
  const leads = leadsOf(2500)
  async function* slowly() {
    yield* leads
  }
  for (const given of [leads, new Set(leads), slowly()]) {
    asked.length = 0
    const { value = [] } = await passing(all(client.leads.createMany('spring', given)))
    expect(asked.map((one) => sentIn(one).length)).toEqual([1000, 1000, 500])
    expect(asked[0]).toMatchObject({
      path: '/api/v1/leads/bulk?results=true&onInvalid=skip',
      body: { campaignId: 'spring' },
    })
    expect(value.map(({ index }) => index)).toEqual(leads.map((_, index) => index))
    expect(value[1700]).toEqual({
      index: 1700,
      status: 'created',
      leadId: 'id +14155551700',
      lead: leads[1700],
    })
    expect(new Set(asked.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(3)
  }
})

it('Without leads there is no request, and nothing is read or sent before results are read', async () => {
  const { client, asked } = scripted((one) => stored(one))
  expect((await passing(all(client.leads.createMany('spring', [])))).value).toEqual([])
  let read = 0
  function* counted() {
    for (const lead of leadsOf(3000)) {
      read++
      yield lead
    }
  }
  const results = client.leads.createMany('spring', counted())[Symbol.asyncIterator]()
  expect([read, asked.length]).toEqual([0, 0])
  await passing(results.next())
  expect(read).toBeLessThanOrEqual(1001)
  expect(asked).toHaveLength(1)
})

it('No body is larger than the service accepts, in bytes of UTF-8', async () => {
  const { client, asked } = scripted((one) => stored(one))
  const leads = leadsOf(1000, { text: 'ä'.repeat(7000) })
  const { value } = await passing(all(client.leads.createMany('spring', leads)))
  expect(value).toHaveLength(1000)
  const sizes = asked.map(({ text }) => new TextEncoder().encode(text).length)
  expect(sizes).toHaveLength(2)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(8 * 2 ** 20)
  expect(sizes[0]).toBeGreaterThan(8 * 2 ** 20 - 20_000)
})

it('A request that is too large is halved until it is accepted, and later ones are as small', async () => {
  const { client, asked } = scripted((one) =>
    one.text.length > 10_000 || one.text.includes('0700')
      ? { status: 413, error: 'Request body too large' }
      : stored(one),
  )
  const leads = leadsOf(1500)
  const { value = [] } = await passing(all(client.leads.createMany('spring', leads)))
  expect(value.map(({ index, lead }) => [index, lead])).toEqual(leads.map((lead, index) => [index, lead]))
  expect(value.filter(({ status }) => status !== 'created')).toEqual([
    { index: 700, status: 'invalid', error: 'Request body too large', lead: leads[700] },
  ])
  expect(asked.filter(({ text }) => text.length > 10_000)).toHaveLength(2)
  expect(new Set(asked.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(asked.length)
})

it('The pace follows the rate limits, so that none refuses', async () => {
  const { client, asked } = scripted((one, number) => {
    if (number < 3) return stored(one, windows('r=900;t=3000', `r=${2 - number};t=41`))
    return stored(one, windows('r=0;t=1200', 'r=5;t=10'))
  })
  const { tookMs } = await passing(all(client.leads.createMany('spring', leadsOf(4000))))
  expect(asked).toHaveLength(4)
  expect(tookMs).toBe(41_000 + 1_200_000)
})

it('The same request is sent after a rate limit, however long that takes', async () => {
  const { client, asked } = scripted((one, number) =>
    number < 3
      ? { status: 429, error: 'Rate limit exceeded', headers: { 'retry-after': '3000' } }
      : stored(one),
  )
  const waits: number[] = []
  const onRetry = ({ waitMs }: { waitMs: number }) => waits.push(waitMs)
  const { value, tookMs } = await passing(
    all(client.leads.createMany('spring', leadsOf(2), { onRetry, retryForMs: 0 })),
  )
  expect(value).toHaveLength(2)
  expect(tookMs).toBeGreaterThanOrEqual(6_000_000)
  expect(tookMs).toBeLessThan(6_002_000)
  expect(waits.map((ms) => Math.floor(ms / 1000))).toEqual([3000, 3000])
  expect(new Set(asked.map(({ headers, text }) => `${headers.get('idempotency-key')} ${text}`)).size).toBe(1)
})

it('The same leads under the same key are the same requests', async () => {
  const { client, asked } = scripted((one) => stored(one))
  for (const _ of ['once', 'again'])
    await passing(all(client.leads.createMany('spring', leadsOf(1100), { idempotencyKey: 'file-7' })))
  expect(asked.map(({ headers }) => headers.get('idempotency-key'))).toEqual([
    'file-7-0-1000',
    'file-7-1000-100',
    'file-7-0-1000',
    'file-7-1000-100',
  ])
})

it('A function names each request before it is sent, when all results before it are read', async () => {
  const { client, asked } = scripted((one) => stored(one))
  const named: string[] = []
  let read = 0
  const idempotencyKey = async (index: number, count: number) => {
    named.push(`${index} ${count} ${read} ${asked.length}`)
    return `key-${index}`
  }
  const run = async () => {
    for await (const _ of client.leads.createMany('spring', leadsOf(1100), { idempotencyKey })) read++
  }
  await passing(run())
  expect(named).toEqual(['0 1000 0 0', '1000 100 1000 1'])
  expect(asked.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['key-0', 'key-1000'])
})

it('The name of an import goes with each of its requests, and with no other', async () => {
  const { client, asked } = scripted((one) => stored(one))
  for (const options of [{ importName: 'März.csv' }, {}]) {
    const run = async () => {
      for await (const _ of client.leads.createMany('spring', leadsOf(1100), options));
    }
    await passing(run())
  }
  const names = asked.map(({ headers }) => headers.get('x-import-name'))
  expect(names).toEqual(['M%C3%A4rz.csv', 'M%C3%A4rz.csv', null, null])
})

it('A lead is sent as the JSON that the caller makes of it, with all digits; without JSON it is not sent', async () => {
  const { client, asked } = scripted((one) => stored(one))
  const toJson = ({ phoneNumber, priority }: NewLead) =>
    priority === 1 ? undefined : `{"phoneNumber":"${phoneNumber}","metadata":{"n":12345678901234567890}}`
  const [first, second] = leadsOf(2) as [NewLead, NewLead]
  const given = [{ ...first, priority: 1 }, second]
  const { value } = await passing(all(client.leads.createMany('a"b', given, { toJson })))
  expect(value?.map(({ status }) => status)).toEqual(['invalid', 'created'])
  expect(asked.map(({ text }) => text)).toEqual([`{"campaignId":"a\\"b","leads":[${toJson(second)}]}`])
})

it('A refusal ends the sending of many leads, and earlier results stay', async () => {
  const { client } = scripted((one, number) =>
    number === 1 ? stored(one) : { status: 403, error: 'Denied' },
  )
  const told: ManyResult[] = []
  const run = async () => {
    for await (const result of client.leads.createMany('spring', leadsOf(1500))) told.push(result)
  }
  expect((await passing(run())).error).toBeInstanceOf(AccessDeniedError)
  expect(told).toHaveLength(1000)
})

it('A long idempotency key still gives a valid key for each request, the same each time', async () => {
  const { client, asked } = scripted((one) => stored(one))
  for (const idempotencyKey of ['k'.repeat(255), 'k'.repeat(255), 'k'.repeat(254)])
    await passing(all(client.leads.createMany('spring', leadsOf(1), { idempotencyKey })))
  const [first, second, other] = asked.map(({ headers }) => headers.get('idempotency-key') ?? '')
  expect(first).toMatch(/^[!-~]{1,255}$/)
  expect([second === first, other === first]).toEqual([true, false])
})

it('A lead that cannot be JSON gets an invalid result, and the others are sent', async () => {
  const { client, asked } = scripted((one) => stored(one))
  const [first, last] = leadsOf(2)
  const given = [undefined, first, () => 1, { priority: 1n }, last, 7n] as NewLead[]
  const { value = [] } = await passing(all(client.leads.createMany('spring', given)))
  expect(value.map(({ index, status }) => `${index} ${status}`)).toEqual([
    '0 invalid',
    '1 created',
    '2 invalid',
    '3 invalid',
    '4 created',
    '5 invalid',
  ])
  expect(value.map(({ lead }) => lead)).toEqual(given)
  expect(asked.map(sentIn)).toEqual([[first, last]])
  await passing(all(client.leads.createMany('spring', [undefined as never])))
  expect(asked).toHaveLength(1)
})

it('Leads that were read before the reading failed are sent, and then its error is thrown', async () => {
  const { client } = scripted((one) => stored(one))
  function* failing() {
    yield* leadsOf(1200)
    throw new Error('no such row')
  }
  const told: ManyResult[] = []
  const run = async () => {
    for await (const result of client.leads.createMany('spring', failing())) told.push(result)
  }
  expect((await passing(run())).error).toEqual(new Error('no such row'))
  expect(told).toHaveLength(1200)
})

it('A signal that is aborted before the start reads no lead', async () => {
  const { client, asked } = scripted((one) => stored(one))
  const ending = new AbortController()
  let read = 0
  ending.abort(new Error('enough'))
  function* rows() {
    for (const lead of leadsOf(2)) {
      read++
      yield lead
    }
  }
  const run = all(client.leads.createMany('spring', rows(), { signal: ending.signal }))
  expect((await passing(run)).error).toEqual(new Error('enough'))
  expect([read, asked.length]).toEqual([0, 0])
})

it('An iterable is closed when its results are no longer read', async () => {
  const { client } = scripted((one) => stored(one))
  let isClosed = false
  function* rows() {
    try {
      yield* leadsOf(2000)
    } finally {
      isClosed = true
    }
  }
  for await (const _ of client.leads.createMany('spring', rows())) break
  expect(isClosed).toBe(true)
})

it('A signal ends the sending while it waits for the next lead, and what gives the leads is closed', async () => {
  const { client, asked } = scripted((one) => stored(one))
  const ending = new AbortController()
  const { promise: row, resolve: giveRow } = Promise.withResolvers<void>()
  let isClosed = false
  async function* rows() {
    try {
      yield* leadsOf(2)
      await row
      yield* leadsOf(1)
    } finally {
      isClosed = true
    }
  }
  const run = passing(all(client.leads.createMany('spring', rows(), { signal: ending.signal })))
  await Promise.resolve()
  ending.abort(new Error('enough'))
  expect((await run).error).toEqual(new Error('enough'))
  expect(asked).toEqual([])
  giveRow()
  await expect.poll(() => isClosed).toBe(true)
})

it('A signal that is aborted while results are read ends the sending before the next lead is waited for', async () => {
  const { client } = scripted((one) => stored(one))
  const ending = new AbortController()
  async function* rows() {
    yield* leadsOf(1001)
    await new Promise(() => {})
  }
  const run = async () => {
    for await (const _ of client.leads.createMany('spring', rows(), { signal: ending.signal }))
      ending.abort(new Error('enough'))
  }
  expect((await passing(run())).error).toEqual(new Error('enough'))
})

it('An iterable that waits for its leads is closed when its results are no longer read, with or without a signal', async () => {
  const { client } = scripted((one) => stored(one))
  for (const signal of [undefined, new AbortController().signal]) {
    let isClosed = false
    async function* rows() {
      try {
        yield* leadsOf(2000)
      } finally {
        isClosed = true
      }
    }
    for await (const _ of client.leads.createMany('spring', rows(), { ...(signal && { signal }) })) break
    expect(isClosed).toBe(true)
  }
})

it('A signal ends the sending while it waits for a rate limit', async () => {
  const { client } = scripted((one) => stored(one, windows('r=0;t=3600', 'r=1;t=1')))
  const ending = new AbortController()
  const run = async () => {
    for await (const { index } of client.leads.createMany('spring', leadsOf(1500), {
      signal: ending.signal,
    }))
      if (index === 999) ending.abort(new Error('enough'))
  }
  const { error, tookMs } = await passing(run())
  expect([error.message, tookMs]).toEqual(['enough', 0])
})
