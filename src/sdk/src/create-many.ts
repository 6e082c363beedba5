// Creates any number of leads: splits them into requests by count and bytes, sends as fast as the rate limits allow, and
// splits a request again when the service finds it too large. Each lead gets one result, in order.
import { BodyTooLargeError } from './errors.ts'
import type { DataOf, LeadResult, NewLead } from './models.ts'
import { untilAllowedMs } from './rate-limits.ts'
import { type RequestOptions, type Send, sleep } from './send.ts'

export type CreateManyOptions = RequestOptions & {
  /**
   * For all of the leads: the same leads in the same order with the same key get the same results as the first time.
   * The key of each request is derived from it. Random when not set.
   */
  readonly idempotencyKey?: string
  /** Largest request body. 8 MiB when not set, which is the service's limit. */
  readonly maxBytes?: number
}

/** `index`: the position of the lead in your input, from 0. */
export type ManyResult = LeadResult & { readonly lead: NewLead }

/** `json`: null when the lead cannot be JSON. */
type Item = { readonly lead: NewLead; readonly json: string | null }

const maxLeads = 1000
/** A key has 255 characters, of which each request adds some. */
const prefixMaxChars = 200
const encoder = new TextEncoder()

export async function* createMany(
  send: Send,
  campaignId: string,
  leads: Iterable<NewLead> | AsyncIterable<NewLead>,
  { idempotencyKey = crypto.randomUUID(), maxBytes = 8 * 2 ** 20, ...options }: CreateManyOptions = {},
): AsyncGenerator<ManyResult, void, undefined> {
  const { signal } = options
  const keyPrefix =
    idempotencyKey.length > prefixMaxChars
      ? new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(idempotencyKey))).join('')
      : idempotencyKey
  const before = `{"campaignId":${JSON.stringify(campaignId)},"leads":[`
  const bytesOf = (text: string) => encoder.encode(text).length
  let largestBytes = maxBytes
  let [acceptedBytes, offset, restMs] = [0, 0, 0]
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
          idempotencyKey: `${keyPrefix}-${offset}-${items.length}`,
          outlastsLimits: true,
        })
        restMs = untilAllowedMs(headers)
        acceptedBytes = Math.max(acceptedBytes, bytesOf(body))
        results = data.results ?? []
      } catch (error) {
        if (!(error instanceof BodyTooLargeError)) throw error
        if (sent.length > 1) {
          // Later requests are smaller too, but one large lead does not shrink them below what was accepted.
          largestBytes = Math.max(acceptedBytes, Math.ceil(bytesOf(body) / 2))
          const [whole, middle] = [items, Math.ceil(items.length / 2)]
          for (const half of [whole.slice(0, middle), whole.slice(middle)]) {
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
  /** Ends where reading fails: what was read before is still sent. */
  async function* readable(): AsyncGenerator<NewLead> {
    const iterator = Symbol.asyncIterator in leads ? leads[Symbol.asyncIterator]() : leads[Symbol.iterator]()
    let isOver = false
    let stopWaiting: (reason: unknown) => void
    const end = () => stopWaiting(signal?.reason)
    signal?.addEventListener('abort', end)
    try {
      for (;;) {
        signal?.throwIfAborted()
        const { done, value } = await new Promise<IteratorResult<NewLead>>((resolve, reject) => {
          stopWaiting = reject
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
      // An iterator that waits for its next item closes only after that.
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
