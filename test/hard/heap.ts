// The largest requests that the contract allows, and the largest that it refuses, each in a Worker whose heap is
// bounded well below the 128 MB of an isolate, which must also hold buffers. bombs.ts measures a whole process
// instead, and finds what lies outside of the heap.
import { join } from 'node:path'
import { generateApiKey, hashApiKey } from '../../src/base/access/api-key.ts'
import { limits } from '../../src/base/limits.ts'
import { type HeapServer, type StubDatabase, startHeapServer, startStubDatabase } from './heap-server.ts'
import { createFindings, type Report } from './report.ts'
import { scratchDir } from './server.ts'

const refusalHeapMib = 64
const listHeapMib = 64
const bulkHeapMib = 96
/** Beside a bulk. */
const waitHeapMib = 32

/** Sends its requests, and says what is wrong with the answers, or null. */
type Ask = (port: number) => Promise<string | null>

export type HeapCase = { readonly name: string; readonly heapMib: number; readonly ask: Ask }

const [key, agentKey] = [generateApiKey(), generateApiKey()]
const headers = { 'x-api-key': key, 'content-type': 'application/json' }
const bulkBytes = 8 * 1024 * 1024
const leadCount = 1000
const phoneNumber = (index: number) => `+49${10_000_000_000 + index}`

/** As much as a lead may have: every other byte a quote, which JSON escapes, and one that doubles the string. */
const metadataOf = (bytes: number) => {
  const around = '{"":"→"}'
  const quotes = Math.floor((bytes - Buffer.byteLength(around)) / 2)
  return `{"":"→${'\\"'.repeat(quotes)}"}`
}

function seed({ sqlite }: StubDatabase): void {
  sqlite.exec(`insert into companies (id, name, created_at_ms) values ('hard', 'Hard', 0);
    insert into campaigns (number, id, company_id, name, created_at_ms) values (1, 'full', 'hard', '', 0),
      (2, 'empty', 'hard', '', 0)`)
  const insertKey =
    sqlite.prepare(`insert into api_keys (id, company_id, scope, name, hash, hint, created_at_ms)
      values (?1, 'hard', ?1, 'key', ?2, '', 0)`)
  insertKey.run('write', hashApiKey(key))
  insertKey.run('agent', hashApiKey(agentKey))
  sqlite.exec(`insert into calling_settings (campaign_number, paused, time_zone, calling_hours, appointment_hours,
      closed_dates, max_attempts, lease_seconds, outcomes, version)
    values (2, 0, 'UTC', '{"mon":[["00:00","24:00"]]}', '{"mon":[["00:00","24:00"]]}', '[]', 5, 600, '{}', 1)`)
  const insert =
    sqlite.prepare(`insert into leads (seq, campaign_number, phone_number, external_id, metadata, created_at_ms, token)
    values ((1 << 32) + ?, 1, ?, ?, ?, 0, 'seed0000000')`)
  const metadata = metadataOf(16_384)
  for (let index = 1; index <= leadCount; index++)
    insert.run(index, phoneNumber(index), '"'.repeat(255), metadata)
}

const list =
  (query: string, accept: string): Ask =>
  async (port) => {
    let leads = 0
    for (let next: string | null = `/api/v1/leads?campaignId=full${query}`; next !== null; ) {
      const response: Response = await fetch(`http://127.0.0.1:${port}${next}`, {
        headers: { ...headers, accept },
      })
      const text = await response.text()
      if (response.status !== 200) return `${response.status} ${text.slice(0, 200)}`
      leads += text.split('seed0000000').length - 1
      next = /^<(.*)>/.exec(response.headers.get('link') ?? '')?.[1] ?? null
    }
    return leads === leadCount ? null : `${leads} leads`
  }

const bulk =
  (status: number, body: () => string): Ask =>
  async (port) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/leads/bulk`, {
      method: 'POST',
      headers,
      body: body(),
    })
    const text = await response.text()
    return response.status === status ? null : `${response.status} ${text.slice(0, 200)}`
  }

/** A bulk of one lead as large as a body may be, with `long` somewhere in it: four million characters. */
const refused = (body: (long: string) => string) =>
  bulk(400, () => body('я'.repeat((bulkBytes - Buffer.byteLength(body(''))) / 2)))

const importOf = (metadataBytes: number, metadata: (bytes: number) => string) => () => {
  const items = Array.from(
    { length: leadCount },
    (_, index) => `{"phoneNumber":"${phoneNumber(index)}","metadata":${metadata(metadataBytes)}}`,
  )
  const body = `{"campaignId":"empty","leads":[${items.join()}]}`
  return body + ' '.repeat(bulkBytes - Buffer.byteLength(body))
}
/** What is left for each lead's. */
const metadataBytes = Math.floor((bulkBytes - 50 * leadCount) / leadCount)

const lists: Readonly<Record<string, Ask>> = {
  'list, whole': list('', 'application/json'),
  'list, limit=1000': list('&limit=1000', 'application/json'),
  'list as CSV, whole': list('', 'text/csv'),
  'list as CSV, limit=1000': list('&limit=1000', 'text/csv'),
}

const startOfLeads = '{"campaignId":"empty","leads":['

const refusals: Readonly<Record<string, Ask>> = {
  'refusal: externalId': refused(
    (long) => `{"campaignId":"empty","leads":[{"phoneNumber":"${phoneNumber(0)}","externalId":"${long}"}]}`,
  ),
  'refusal: campaignId': refused(
    (long) => `{"campaignId":"${long}","leads":[{"phoneNumber":"${phoneNumber(0)}"}]}`,
  ),
  'refusal: phoneNumber': refused((long) => `{"campaignId":"empty","leads":[{"phoneNumber":"${long}"}]}`),
  'refusal: metadata': refused(
    (long) =>
      `{"campaignId":"empty","leads":[{"phoneNumber":"${phoneNumber(0)}","metadata":{"a":"${long}"}}]}`,
  ),
  'refusal: nested arrays': bulk(413, () => {
    const levels = bulkBytes / 2 - 100
    return `{"campaignId":"empty","leads":[${'['.repeat(levels)}${']'.repeat(levels)}]}`
  }),
  'refusal: numbers': bulk(400, () => `${startOfLeads}${'1.5,'.repeat(bulkBytes / 4 - 20)}1]}`),
  'refusal: one lead of many keys': bulk(400, () => {
    const members = Array.from({ length: 800_000 }, (_, index) => `"${index}":0`).join()
    return `${startOfLeads}{${members.slice(0, members.lastIndexOf(',', bulkBytes - 100))}}]}`
  }),
  'refusal: as many objects as a body may have': bulk(400, () => {
    return `${startOfLeads}${'{"a":0},'.repeat(limits.bodyMaxContainers - 10)}{}]}`
  }),
  'refusal: a lead of as many objects': bulk(400, () => {
    return `${startOfLeads}{"metadata":[${'{"a":0},'.repeat(limits.bodyMaxContainers - 10)}{}]}]}`
  }),
  'refusal: not JSON': bulk(400, () => `"${'→'.repeat(bulkBytes / 3 - 1)}`),
}

const bulks: Readonly<Record<string, Ask>> = {
  'bulk, plain': bulk(
    200,
    importOf(metadataBytes, (bytes) => `{"":"${'x'.repeat(bytes - 7)}"}`),
  ),
  'bulk, outside of Latin-1': bulk(
    200,
    importOf(metadataBytes, (bytes) => `{"":"→${'x'.repeat(bytes - 10)}"}`),
  ),
  'bulk, quotes outside of Latin-1': bulk(200, importOf(metadataBytes, metadataOf)),
}

/** One begins after the other: the database that is played here would be too slow for all at once. */
const waits: Ask = async (port) => {
  const waiting = Array.from({ length: limits.waitsPerIsolate }, async (_, index) => {
    await new Promise((resolve) => setTimeout(resolve, 100 * index))
    const { status } = await fetch(`http://127.0.0.1:${port}/api/v1/calls/claim`, {
      method: 'POST',
      headers: { ...headers, 'x-api-key': agentKey },
      body: JSON.stringify({ campaignId: 'empty', waitSeconds: limits.waitMaxSeconds }),
    })
    return status
  })
  const refused = (await Promise.all(waiting)).filter((status) => status !== 200)
  return refused.length === 0 ? null : refused.join()
}

const casesOf = (heapMib: number, asks: Readonly<Record<string, Ask>>) =>
  Object.entries(asks).map(([name, ask]) => ({ name, heapMib, ask }))

export const heapCases: readonly HeapCase[] = [
  ...casesOf(listHeapMib, lists),
  ...casesOf(refusalHeapMib, refusals),
  ...casesOf(bulkHeapMib, bulks),
  ...casesOf(waitHeapMib, { 'waits, as many as an isolate holds': waits }),
]

export async function boundHeap(code: string): Promise<Report> {
  const findings = createFindings()
  const figures: Record<string, string> = {}
  for (const { name, heapMib, ask } of heapCases) {
    const problem = await tryUnder(heapMib, code, ask)
    figures[`${name}, under ${heapMib} MB`] = problem ?? 'answered'
    if (problem !== null) findings.add('heap', `${name}: ${problem}`)
  }
  return { name: 'heap', figures, broken: findings.all() }
}

let servers = 0

/** A server of its own: one that has served before may have a larger heap to begin with. */
export async function tryUnder(heapMib: number, code: string, ask: Ask): Promise<string | null> {
  const db = await startStubDatabase()
  seed(db)
  const server: HeapServer = await startHeapServer(code, join(scratchDir, `heap-${servers++}`), db, heapMib)
  try {
    return await ask(server.port)
  } catch (error) {
    return server.isAlive() ? (error as Error).message : 'the isolate ran out of memory'
  } finally {
    await server.stop()
    db.stop()
  }
}
