// The requests of the benchmark as bytes, made as cheaply as can be: phone numbers that no database has seen, in
// an order that is no order, and payloads of random text, since equal bytes would flatter every index and page.
import { randomBytes } from 'node:crypto'
import { address, addressCount, apiKey, keyCount } from './subjects.ts'

export type RequestKind =
  | { readonly path: 'create'; readonly campaignId: string }
  | {
      readonly path: 'bulk'
      readonly campaignId: string
      readonly leads: number
      readonly metadataBytes: number
    }
  | { readonly path: 'list'; readonly campaignId: string }
  | { readonly path: 'health' }
  /** One key, so that it is soon refused. */
  | { readonly path: 'refused'; readonly campaignId: string; readonly key: number }

const keys = Array.from({ length: keyCount }, (_, index) => apiKey(index))
const addresses = Array.from({ length: addressCount }, (_, index) => address(index))

/** Unique for every number below 10^10, and scattered. */
const phoneDigits = (number: number) => String((number * 765_433) % 10_000_000_000).padStart(10, '0')

/**
 * Words of 24 letters out of 3,000, so that the 200 bytes of a lead hold nine, as a person's name, company and notes
 * do.
 */
const vocabulary = Array.from({ length: 3000 }, () => randomBytes(12).toString('hex'))
const noise = Array.from({ length: 40_000 }, () => vocabulary[Math.floor(Math.random() * 3000)]).join(' ')
const randomText = (chars: number) => {
  const at = Math.floor(Math.random() * (noise.length - chars))
  return noise.slice(at, at + chars)
}

export function requestMaker(kind: RequestKind): (number: number) => Buffer {
  switch (kind.path) {
    case 'create':
      return (number) => {
        const body =
          `{"campaignId":"${kind.campaignId}","phoneNumber":"+1${phoneDigits(number)}","externalId":"crm-${number}",` +
          `"metadata":{"name":"${randomText(16)}","company":"${randomText(24)}","notes":"${randomText(100)}"},` +
          `"priority":${number % 101}}`
        return post('/api/v1/leads', keys[number % keyCount] as string, body)
      }
    case 'bulk':
      return bulkMaker(kind)
    case 'list':
      return (number) =>
        get(`/api/v1/leads?campaignId=${kind.campaignId}`, `x-api-key: ${keys[number % keyCount]}`)
    case 'health':
      return (number) => get('/api/health', `cf-connecting-ip: ${addresses[number % addressCount]}`)
    case 'refused': {
      const request = get(`/api/v1/leads?campaignId=${kind.campaignId}`, `x-api-key: ${apiKey(kind.key)}`)
      return () => request
    }
  }
}

function get(path: string, header: string): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nhost: bench\r\n${header}\r\n\r\n`, 'latin1')
}

function post(path: string, key: string, body: string): Buffer {
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nhost: bench\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\n` +
      `content-length: ${body.length}\r\n\r\n${body}`,
    'latin1',
  )
}

/** Building 1000 leads costs more than sending them, so bodies are kept and given new phone numbers each time. */
function bulkMaker(kind: RequestKind & { path: 'bulk' }): (number: number) => Buffer {
  const bodies = kind.leads * kind.metadataBytes > 1_000_000 ? 2 : 16
  const keyAt = 'POST /api/v1/leads/bulk HTTP/1.1\r\nhost: bench\r\nx-api-key: '.length
  const templates = Array.from({ length: bodies }, () => {
    const leads = Array.from(
      { length: kind.leads },
      (_, index) =>
        `{"phoneNumber":"+10000000000","externalId":"crm-${index}",` +
        `"metadata":{"name":"${randomText(16)}","notes":"${randomText(kind.metadataBytes - 38)}"},` +
        `"priority":${index % 101}}`,
    )
    const bytes = post(
      '/api/v1/leads/bulk',
      keys[0] as string,
      `{"campaignId":"${kind.campaignId}","leads":[${leads.join()}]}`,
    )
    const phonesAt: number[] = []
    for (let at = bytes.indexOf('"+1'); at !== -1; at = bytes.indexOf('"+1', at + 1)) phonesAt.push(at + 3)
    return { bytes, phonesAt }
  })
  return (number) => {
    const { bytes, phonesAt } = templates[number % bodies] as (typeof templates)[number]
    // A copy: the socket may still be sending the last one.
    const request = Buffer.from(bytes)
    request.latin1Write(keys[number % keyCount] as string, keyAt)
    // Bulks count apart from creates, which they must not meet.
    phonesAt.forEach((at, index) => {
      request.latin1Write(phoneDigits(1_000_000_000 + number * kind.leads + index), at)
    })
    return request
  }
}
