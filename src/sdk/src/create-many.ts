// Creates any number of leads: splits them into requests by count and bytes, sends as fast as the rate limits allow,
// and splits a request again when the service finds it too large. Each lead gets one result, in order.
import { BodyTooLargeError } from './errors.ts'
import type { DataOf, LeadResult, NewLead } from './models.ts'
import { untilAllowedMs } from './rate-limits.ts'
import { type RequestOptions, type Send, sleep } from './send.ts'

export type CreateManyOptions<Lead = NewLead> = RequestOptions & {
  /**
   * For all of the leads: the same leads in the same order with the same key get the same results as the first time.
   * The key of each request is derived from it. Random when not set. A function returns the key of one request, with
   * `count` leads from `index` on. It is called when all results before `index` are read, to store your progress:
   * the request is sent after that and after `waitMs`, by the rate limits.
   */
  readonly idempotencyKey?:
    | string
    | ((index: number, count: number, waitMs: number) => string | Promise<string>)
  /** Largest request body. 8 MiB when not set, which is the service's limit. */
  readonly maxBytes?: number
  /** What the import is called, such as its file: the leads keep it as their origin. At most 100 characters. */
  readonly importName?: string
  /** Stores nothing: the results are those that the leads would get now. */
  readonly dryRun?: boolean
  /** The JSON of a lead, such as one with numbers of more than 15 digits. Undefined: it is invalid, and not sent. */
  readonly toJson?: (lead: Lead) => string | undefined
}

/** `index`: the position of the lead in your input, from 0. */
export type ManyResult<Lead = NewLead> = LeadResult & { readonly lead: Lead }

/** `json`: undefined when the lead cannot be JSON. */
type Item<Lead> = { readonly lead: Lead; readonly json: string | undefined }

const maxLeads = 1000
/** A key has 255 characters, of which each request adds some. */
const prefixMaxChars = 200
const encoder = new TextEncoder()
const bytesOf = (text: string) => encoder.encode(text).length

export async function* createMany<Lead = NewLead>(
  send: Send,
  campaignId: string,
  leads: Iterable<Lead> | AsyncIterable<Lead>,
  {
    idempotencyKey = crypto.randomUUID(),
    maxBytes: largestBytes = 8 * 2 ** 20,
    toJson = JSON.stringify,
    dryRun = false,
    ...options
  }: CreateManyOptions<Lead> = {},
): AsyncGenerator<ManyResult<Lead>, void, undefined> {
  const { signal, importName } = options
  // A function is no longer than its number of parameters.
  const keyPrefix =
    idempotencyKey.length > prefixMaxChars
      ? new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(`${idempotencyKey}`))).join('')
      : idempotencyKey
  const before = `{"campaignId":${JSON.stringify(campaignId)},"leads":[`
  let [acceptedBytes, offset, restMs] = [0, 0, 0]
  let items: Item<Lead>[] = []
  let bytes = 0
  let tooLarge: BodyTooLargeError

  async function* flush(): AsyncGenerator<ManyResult<Lead>> {
    const sent = items.flatMap(({ json }) => json ?? [])
    let results: readonly object[] | undefined
    if (sent.length > 0) {
      const body = `${before}${sent.join()}]}`
      const bodyBytes = bytesOf(body)
      try {
        // Known from a part of the same request.
        if (sent.length > 1 && bodyBytes > largestBytes) throw tooLarge
        const key =
          typeof keyPrefix === 'string'
            ? `${keyPrefix}-${offset}-${items.length}`
            : await keyPrefix(offset, items.length, restMs)
        if (restMs > 0) await sleep(restMs, signal)
        restMs = 0
        const { data, headers } = await send<DataOf<'createLeads'>>({
          ...options,
          method: 'POST',
          path: `/api/v1/leads/bulk?results=true&onInvalid=skip${dryRun ? '&dryRun=true' : ''}`,
          body,
          idempotencyKey: key,
          ...(importName && { headers: { 'x-import-name': encodeURIComponent(importName) } }),
          outlastsLimits: true,
        })
        restMs = untilAllowedMs(headers)
        acceptedBytes = Math.max(acceptedBytes, bodyBytes)
        results = data.results
      } catch (error) {
        if (!(error instanceof BodyTooLargeError)) throw error
        if (sent.length > 1) {
          tooLarge = error
          // Later requests are smaller too, but one large lead does not shrink them below what was accepted.
          largestBytes = Math.max(acceptedBytes, bodyBytes / 2 + before.length)
          const middle = items.length / 2
          for (items of [items.slice(0, middle), items.slice(middle)]) yield* flush()
          return
        }
        results = [{ status: 'invalid', error: error.message }]
      }
    }
    let place = 0
    for (const { lead, json } of items) {
      const result = json ? results?.[place++] : { status: 'invalid', error: 'Not JSON' }
      yield { ...result, index: offset++, lead } as ManyResult<Lead>
    }
  }

  let failure: unknown[] = []
  /** Ends where reading fails: what was read before is still sent. */
  async function* readable(): AsyncGenerator<Lead> {
    const iterator = Symbol.asyncIterator in leads ? leads[Symbol.asyncIterator]() : leads[Symbol.iterator]()
    let isOver = false
    let stopWaiting: (reason: unknown) => void
    const end = () => stopWaiting(signal?.reason)
    signal?.addEventListener('abort', end)
    try {
      for (;;) {
        signal?.throwIfAborted()
        const { done, value } = await new Promise<IteratorResult<Lead>>((resolve, reject) => {
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
    let json: string | undefined
    try {
      json = toJson(lead)
    } catch {}
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
