// Many leads, of which nobody needs to know how many fit into one request: cut by count and bytes, as fast as the rate
// limits allow, and cut again where the service finds a request too large. Each lead gets one result, in order.
import { BodyTooLargeError } from './errors.ts'
import type { DataOf, LeadResult, NewLead } from './models.ts'
import { untilAllowedMs } from './rate-limits.ts'
import { type RequestOptions, type Send, sleep } from './send.ts'

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

/** `json`: null when it cannot be written as such. */
type Item = { readonly lead: NewLead; readonly json: string | null }

const maxLeads = 1000
/** What is left of the 255 characters of a key, after those that name one request. */
const longestKey = 200
const encoder = new TextEncoder()

export async function* createMany(
  send: Send,
  campaignId: string,
  leads: Iterable<NewLead> | AsyncIterable<NewLead>,
  { idempotencyKey = crypto.randomUUID(), maxBytes = 8 * 2 ** 20, ...options }: CreateManyOptions = {},
): AsyncGenerator<ManyResult, void, undefined> {
  const { signal } = options
  const wholeKey =
    idempotencyKey.length > longestKey
      ? new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(idempotencyKey))).join('')
      : idempotencyKey
  const before = `{"campaignId":${JSON.stringify(campaignId)},"leads":[`
  const bytesOf = (text: string) => encoder.encode(text).length
  let largestBytes = maxBytes
  let [takenBytes, offset, restMs] = [0, 0, 0]
  let items: Item[] = []
  let bytes = 0

  async function* flush(): AsyncGenerator<ManyResult> {
    const sent = items.flatMap(({ json }) => json ?? [])
    let results: readonly object[] = []
    if (sent.length > 0) {
      if (restMs > 0) await sleep(restMs, signal)
      restMs = 0
      const body = `${before}${sent.join()}]}`
      try {
        const { data, headers } = await send<DataOf<'createLeads'>>({
          ...options,
          method: 'POST',
          path: '/api/v1/leads/bulk',
          query: { results: true, onInvalid: 'skip' },
          body,
          idempotencyKey: `${wholeKey}-${offset}-${items.length}`,
          // Nothing is wrong.
          outlastsLimits: true,
        })
        restMs = untilAllowedMs(headers)
        takenBytes = Math.max(takenBytes, bytesOf(body))
        results = data.results ?? []
      } catch (error) {
        if (!(error instanceof BodyTooLargeError)) throw error
        if (sent.length > 1) {
          // What was learned is kept: what comes after is cut smaller too, but not for the sake of one lead.
          largestBytes = Math.max(takenBytes, Math.ceil(bytesOf(body) / 2))
          const [again, middle] = [items, Math.ceil(items.length / 2)]
          for (const half of [again.slice(0, middle), again.slice(middle)]) {
            items = half
            yield* flush()
          }
          return
        }
        results = [{ status: 'invalid', error: error.message }]
      }
    }
    let place = 0
    for (const { lead, json } of items) {
      const result = json === null ? { status: 'invalid', error: 'A lead must be JSON' } : results[place++]
      yield { ...result, index: offset++, lead } as ManyResult
    }
  }

  let failure: unknown[] = []
  /** Ends where the reading fails: what was read before is as good as any. */
  async function* readable(): AsyncGenerator<NewLead> {
    const iterator = Symbol.asyncIterator in leads ? leads[Symbol.asyncIterator]() : leads[Symbol.iterator]()
    let isOver = false
    let giveUp: (reason: unknown) => void
    const end = () => giveUp(signal?.reason)
    signal?.addEventListener('abort', end)
    try {
      for (;;) {
        signal?.throwIfAborted()
        const { done, value } = await new Promise<IteratorResult<NewLead>>((resolve, reject) => {
          giveUp = reject
          Promise.resolve(iterator.next()).then(resolve, reject)
        })
        isOver = !!done
        if (isOver) return
        yield await value
      }
    } catch (error) {
      failure = [error]
    } finally {
      signal?.removeEventListener('abort', end)
      const closing = Promise.resolve(isOver || iterator.return?.())
      // One that is waiting closes when it waits no more.
      if (signal?.aborted) closing.catch(() => {})
      else await closing
    }
  }

  for await (const lead of readable()) {
    const json = jsonOf(lead)
    const itemBytes = bytesOf(`${json},`)
    if (items.length === maxLeads || (items.length > 0 && bytes + itemBytes > largestBytes)) {
      yield* flush()
      items = []
    }
    if (items.length === 0) bytes = bytesOf(before) + 2
    items.push({ lead, json })
    bytes += itemBytes
  }
  yield* flush()
  if (failure.length > 0) throw failure[0]
}

function jsonOf(lead: unknown): string | null {
  try {
    return JSON.stringify(lead) ?? null
  } catch {
    return null
  }
}
