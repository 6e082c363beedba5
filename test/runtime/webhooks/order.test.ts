// In which order a receiver that fails now and then gets events: those of one lead in the order of the log, all others
// without waiting for them.
import { runInDurableObject } from 'cloudflare:test'
import { beforeEach, expect, it } from 'vitest'
import { companyDb } from '../../support/database/store.ts'
import { isThorough } from '../../support/run/thorough.ts'
import { seedWebhook, useFutureClock, type WebhookWorld } from '../../support/webhooks/webhook.ts'

beforeEach(useFutureClock)

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

/** `leads`: its place, or the first and last of those created. */
type Entry = { readonly type: string; readonly leads?: readonly number[]; readonly data?: object }

const ofLead = (lead: number): Entry => ({ type: 'lead.requeued', leads: [lead] })
const created = (first: number, last: number): Entry => ({ type: 'leads.created', leads: [first, last] })
const alert = (type: string, subject: string): Entry => ({ type, data: { kind: 'webhook_failing', subject } })

/** The count of created leads is the number of an entry among these, as `n` is that of others. */
async function log({ companyId }: WebhookWorld, entries: readonly Entry[]): Promise<void> {
  const rows = entries.map(({ type, leads: [first = null, last = null] = [], data }, i) => {
    const ofBulk = { count: i + 1, last, token: 'none' }
    return [type, first, JSON.stringify(type === 'leads.created' ? ofBulk : { n: i + 1, ...data })]
  })
  await companyDb
    .prepare(
      `insert into events (company_id, number, at_ms, type, actor, lead_seq, data)
       select ?1, item.key + 1 + coalesce((select max(number) from events where company_id = ?1), 0), ?2,
         item.value ->> 0, 'operator', item.value ->> 1, item.value ->> 2 from json_each(?3) as item`,
    )
    .bind(companyId, Date.now(), JSON.stringify(rows))
    .run()
}

type Data = Record<string, unknown>
const numberOf = (data: Data) => (data.n ?? data.count) as number
const received = ({ receiver }: WebhookWorld) => receiver.received.map(({ body }) => numberOf(body.data))

/** Fails each of these events once. */
function failingOnce(numbers: readonly number[], status = 500) {
  const left = new Set(numbers)
  return ({ body }: { body: { data: Data } }) => (left.delete(numberOf(body.data)) ? status : 204)
}

/** A hash from 0 to 1, the same for the same numbers. */
function chanceOf(...numbers: readonly number[]): number {
  let hash = 2_166_136_261
  for (const number of numbers) hash = Math.imul(hash ^ (number + 1), 16_777_619)
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_507)
  hash = Math.imul(hash ^ (hash >>> 13), 3_266_489_909)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}

it('An event that fails holds back the later ones of its lead, and no others', async () => {
  const webhook = await seedWebhook({ types: null }, failingOnce([1, 3]))
  await log(webhook, [ofLead(1), ofLead(2), ofLead(1), ofLead(3), ofLead(1), ofLead(2)])
  await webhook.run()
  expect(received(webhook)).toEqual([1, 2, 4, 6])
  while (await webhook.runNext());
  expect(received(webhook).slice(4)).toEqual([1, 3, 3, 5])
})

it('An event that fails and creates leads holds back what is later of each of them', async () => {
  const webhook = await seedWebhook({ types: null }, failingOnce([1]))
  await log(webhook, [created(5, 8), ofLead(8), ofLead(9), ofLead(5), created(10, 11), ofLead(4), ofLead(8)])
  await webhook.run()
  expect(received(webhook)).toEqual([1, 3, 5, 6])
  while (await webhook.runNext());
  expect(received(webhook).slice(4)).toEqual([1, 2, 4, 7])
})

it('An event that fails holds back what is later of the same alert or campaign, and no event without either', async () => {
  const webhook = await seedWebhook({ types: null }, failingOnce([1, 4, 6]))
  await log(webhook, [
    alert('alert.raised', 'a'),
    alert('alert.raised', 'b'),
    alert('alert.cleared', 'a'),
    { type: 'campaign.changed' },
    { type: 'campaign.archived' },
    { type: 'suppression.added' },
    { type: 'suppression.lifted' },
  ])
  await webhook.run()
  const isNumbered = (data: Data) => (data.n === undefined ? [] : [data.n])
  const numbers = () => webhook.receiver.received.flatMap(({ body }) => isNumbered(body.data))
  expect(webhook.receiver.received).toHaveLength(5)
  expect(numbers()).toEqual([1, 2, 4, 6, 7])
  while (await webhook.runNext());
  expect(numbers().filter((n) => [1, 3].includes(n as number))).toEqual([1, 1, 3])
  expect(numbers().filter((n) => [4, 5].includes(n as number))).toEqual([4, 4, 5])
})

it('An event that the receiver refuses holds back no others', async () => {
  const webhook = await seedWebhook({ types: null }, failingOnce([1], 422))
  await log(webhook, [ofLead(1), ofLead(1)])
  await webhook.run()
  expect(received(webhook)).toEqual([1, 2])
})

it('An event that fails and is given up lets those behind it continue', async () => {
  const webhook = await seedWebhook({ types: null }, ({ body }) =>
    body.type === 'lead.requeued' && body.data.n === 1 ? 500 : 204,
  )
  await log(webhook, [ofLead(1), ofLead(1)])
  await webhook.run()
  expect(received(webhook)).not.toContain(2)
  while (await webhook.runNext()) await webhook.log(1)
  expect(received(webhook).filter((n) => n === 2)).toEqual([2])
  expect(await webhook.ask('GET')).toMatchObject({ givenUp: 1 })
})

it('A receiver that was down misses nothing when its failed events are no longer wanted', async () => {
  let isDown = true
  const webhook = await seedWebhook({ types: null }, () => (isDown ? 500 : 204))
  const lifted = { type: 'suppression.lifted' }
  await log(webhook, [...range(1, 5).map(ofLead), lifted, lifted])
  await webhook.run()
  isDown = false
  await webhook.ask('PATCH', '', { types: ['suppression.lifted'] })
  while (await webhook.runNext());
  expect(received(webhook).slice(5)).toEqual([6, 7])
})

it.each(range(1, isThorough ? 6 : 3))(
  'A receiver that fails one time in five gets every event in few rounds, each lead’s in order, though its sender dies once (seed %d)',
  async (seed) => {
    const tries = new Map<number, number>()
    const delivered: number[] = []
    let attempts = 0
    const webhook = await seedWebhook({ types: null }, ({ body }) => {
      const n = numberOf(body.data)
      const attempt = (tries.get(n) ?? 0) + 1
      tries.set(n, attempt)
      if (chanceOf(seed, n, attempt) < 0.2) return attempt % 2 === 0 ? 'closed' : 503
      if (!delivered.includes(n)) delivered.push(n)
      if (++attempts !== 20 * seed) return 204
      void runInDurableObject(webhook.sender(), (_, ctx) => ctx.abort('died')).catch(() => {})
      return new Promise((settle) => void setTimeout(settle, 50, 204))
    })
    const entries = range(1, 150).map((n) => {
      const lead = 1 + Math.floor(chanceOf(seed, n) * 20)
      return n % 15 === 0 ? created(lead, lead + 3) : ofLead(lead)
    })
    await log(webhook, entries)
    await webhook.run().catch(() => {})
    await webhook.run()
    let rounds = 0
    while (rounds < 150 && (await webhook.runNext().catch(() => webhook.run())) !== false) rounds++
    expect(delivered.toSorted((a, b) => a - b)).toEqual(range(1, 150))
    expect(rounds).toBeLessThan(150)
    for (const lead of range(1, 24)) {
      // A bulk creates its leads: nothing is earlier than it, except here.
      const isOf = (n: number) =>
        entries[n - 1]?.type === 'lead.requeued' && entries[n - 1]?.leads?.[0] === lead
      const sent = delivered.filter(isOf)
      expect(sent).toEqual(sent.toSorted((a, b) => a - b))
      for (const bulk of range(1, 150).filter((n) => n % 15 === 0)) {
        const [first = 0, last = 0] = entries[bulk - 1]?.leads ?? []
        if (lead < first || lead > last) continue
        for (const n of sent.filter((other) => other > bulk))
          expect(delivered.indexOf(n)).toBeGreaterThan(delivered.indexOf(bulk))
      }
    }
  },
)

it('A receiver that fails one time in five is soon tried again once it was held, however late its oldest event is due', async () => {
  let isDown = true
  const webhook = await seedWebhook({ types: null }, ({ body }) => (isDown || body.data.n === 1 ? 500 : 204))
  isDown = false
  await log(webhook, [ofLead(1)])
  await webhook.run()
  for (let i = 0; i < 2; i++) await webhook.runNext()
  isDown = true
  await log(webhook, [created(0, 0), ...range(2, 8).map(ofLead)])
  await webhook.run()
  isDown = false
  const beforeMs = Date.now()
  webhook.receiver.reply = () => 204
  for (let i = 0; i < 3; i++) await webhook.runNext()
  expect(Date.now() - beforeMs).toBeLessThan(60_000)
  expect(new Set(received(webhook))).toEqual(new Set(range(1, 8)))
})

it('A sender whose 10,000 events wait takes nothing new until one of them is delivered', async () => {
  const webhook = await seedWebhook({ types: null }, failingOnce([1]))
  await log(webhook, [ofLead(1), ofLead(1)])
  await webhook.run()
  await runInDurableObject(webhook.sender(), (_, { storage }) => {
    storage.sql.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 9998)
      insert into parked select 1000000 + i, 0, 0, ${Number.MAX_SAFE_INTEGER}, 'lead', 7, 7 from n`)
  })
  await log(webhook, [{ ...ofLead(2), data: { n: 3 } }])
  await webhook.run()
  expect(received(webhook)).toEqual([1])
  await webhook.runNext()
  expect(received(webhook)).toEqual([1, 1, 2, 3])
})
