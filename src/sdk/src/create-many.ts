// Many leads, of which nobody needs to know how many fit into one request: cut by count and bytes, as fast as the rate
// limits allow, and cut again where the service finds a request too large. Each lead gets one result, in order.
import { BodyTooLargeError, RateLimitedError } from './errors.ts'
import type { DataOf, LeadResult, NewLead } from './models.ts'
import { untilAllowedMs } from './rate-limits.ts'
import { type Answer, type RequestOptions, type Send, sleep } from './send.ts'

export type CreateManyOptions = RequestOptions & {
  /**
   * Names the whole: the same leads in the same order with the same key are answered as the first time. Each request
   * has a key of its own made of it; without it, a random one.
   */
  readonly idempotencyKey?: string
  /** Of one request. 8 MiB when not set, which is what the service takes. */
  readonly maxBytes?: number
}

/** `index`: its place in all that was given, from 0. */
export type ManyResult = LeadResult & { readonly lead: NewLead }

type Item = { readonly lead: NewLead; readonly json: string }

const maxLeads = 1000
const encoder = new TextEncoder()

export async function* createMany(
  send: Send,
  campaignId: string,
  leads: Iterable<NewLead> | AsyncIterable<NewLead>,
  { idempotencyKey = crypto.randomUUID(), maxBytes = 8 * 2 ** 20, ...options }: CreateManyOptions = {},
): AsyncGenerator<ManyResult, void, undefined> {
  const before = `{"campaignId":${JSON.stringify(campaignId)},"leads":[`
  const bytesOf = (text: string) => encoder.encode(text).length
  let largestBytes = maxBytes
  let [takenBytes, offset, restMs] = [0, 0, 0]
  let items: Item[] = []
  let bytes = 0

  async function* flush(): AsyncGenerator<ManyResult> {
    const [first, ...others] = items
    if (first === undefined) return
    if (restMs > 0) await sleep(restMs, options.signal)
    restMs = 0
    const body = `${before}${items.map(({ json }) => json).join()}]}`
    try {
      const { data, headers } = await sendAll(body, `${idempotencyKey}-${offset}-${items.length}`)
      restMs = untilAllowedMs(headers)
      takenBytes = Math.max(takenBytes, bytesOf(body))
      for (const [place, result] of (data.results ?? []).entries())
        yield { ...result, index: offset + place, lead: (items[place] as Item).lead }
      offset += items.length
    } catch (error) {
      if (!(error instanceof BodyTooLargeError)) throw error
      if (others.length === 0) {
        yield { index: offset++, status: 'invalid', error: error.message, lead: first.lead }
      } else {
        // What was learned is kept: what comes after is cut smaller too, but not for the sake of one lead.
        largestBytes = Math.max(takenBytes, Math.ceil(bytesOf(body) / 2))
        const [again, middle] = [items, Math.ceil(items.length / 2)]
        for (const half of [again.slice(0, middle), again.slice(middle)]) {
          items = half
          yield* flush()
        }
      }
    }
  }

  /** A rate limit is waited for as long as it takes: nothing is wrong. */
  async function sendAll(body: string, key: string): Promise<Answer<DataOf<'createLeads'>>> {
    for (;;) {
      try {
        return await send({
          ...options,
          method: 'POST',
          path: '/api/v1/leads/bulk',
          query: { results: true, onInvalid: 'skip' },
          body,
          idempotencyKey: key,
        })
      } catch (error) {
        if (!(error instanceof RateLimitedError)) throw error
        await sleep(error.retryAfterMs ?? 60_000, options.signal)
      }
    }
  }

  for await (const lead of leads) {
    const json = JSON.stringify(lead)
    const itemBytes = bytesOf(json) + 1
    if (items.length === maxLeads || (items.length > 0 && bytes + itemBytes > largestBytes)) {
      yield* flush()
      items = []
    }
    if (items.length === 0) bytes = bytesOf(before) + 2
    items.push({ lead, json })
    bytes += itemBytes
  }
  yield* flush()
}
