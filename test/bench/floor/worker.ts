// The floor: the least that a correct service of this shape must do, and nothing else. One Durable Object call
// with one row written, the same rows in the same tables (the hour's activity and the search's words are among them),
// written in one batch with the access check, one answer. No framework, no validation, no ORM, no log, no time limits,
// no retries: what is left is the platform's cost. It knows the happy path only, and answers 500 where a request leaves
// it.

import { DurableObject } from 'cloudflare:workers'
import { createHash } from 'node:crypto'
// A text that is bound has at most 2 MB, for everybody.
import { inSlices } from '../../../src/base/database/json-slices.ts'
// Which words these are is a rule, so it is the service's.
import { indexOf } from '../../../src/queue/leads/search-words.ts'
import { claimCalls, reportCalls } from './calls.ts'

type FloorEnv = { DB: D1Database; RATE_LIMITER: DurableObjectNamespace<FloorLimiter> }

/** A count is not a limit, but it costs what the cheapest limit must: one call, one row written. */
export class FloorLimiter extends DurableObject {
  #spent = this.ctx.storage.kv.get<number>('spent') ?? 0

  spend(): number {
    this.ctx.storage.kv.put('spent', ++this.#spent)
    return this.#spent
  }
}

const activeKey = `k.hash = ?1 and k.revoked_at_ms is null and (k.expires_at_ms is null or k.expires_at_ms > ?2)`
const campaign = `c.id = ?3 and c.company_id = k.company_id
  and (k.campaign_number is null or k.campaign_number = c.number)`
const granted = (scope: string) => `(select c.number as number from api_keys k join campaigns c on ${campaign}
  where ${activeKey} and k.scope in (${scope})) as granted`
const verdict = (
  scope: string,
) => `(select c.number as number from api_keys k left join campaigns c on ${campaign}
  where ${activeKey} and k.scope in (${scope})) as granted`
const write = `'write', 'manage'`
const read = `'read', 'write', 'manage'`

const lastSeq = `coalesce((select seq from leads where seq between granted.number << 32
  and ((granted.number + 1) << 32) - 1 order by seq desc limit 1), granted.number << 32)`
const columns = `seq, campaign_number, phone_number, external_id, metadata, scheduled_for, priority,
  created_at_ms, token, queue_rank, due_at_ms, number_word, external_word, words`

const insertOne = `insert into leads (${columns})
  select ${lastSeq} + 1, granted.number, ?4, ?5, ?6, ?7, ?8, ?2, ?12, ?8, ?2, ?9, ?10, ?11 from ${granted(write)}
  where true on conflict do nothing`
// Runs behind the insert: what that has changed is what is new.
const count = `insert into campaign_hours (campaign_number, hour, created, skipped, d_raw, writes)
  select granted.number, cast(?2 as integer) / 3600000, changes(), ?4 - changes(), changes(), 1 from ${granted(write)}
  where true on conflict do update set created = created + excluded.created, skipped = skipped + excluded.skipped,
    d_raw = d_raw + excluded.d_raw, writes = writes + 1`
const readBack = `select granted.number, l.seq, l.created_at_ms, l.token from ${verdict(write)}
  left join leads l on l.campaign_number = granted.number and l.phone_number = ?4`
const insertMany = `insert into leads (${columns})
  select ${lastSeq} + item.key + 1, granted.number, item.value ->> 0, item.value ->> 1, item.value ->> 2,
    item.value ->> 3, item.value ->> 4, ?2, ?5, item.value ->> 4, ?2, item.value ->> 5, item.value ->> 6,
    item.value ->> 7 from ${granted(write)}, json_each(?4) as item
  where true on conflict do nothing`
const writeVerdict = `select granted.number from ${verdict(write)}`
const readVerdict = `select granted.number, ${lastSeq} as lastSeq from ${verdict(read)}`
const readBackMany = `select item.key as "index", l.seq from ${granted(write)}
  cross join json_each(?4) as item cross join leads l on l.campaign_number = granted.number
    and l.phone_number = item.value
  where l.token = ?5 order by item.key`
const page = `select l.seq, l.phone_number as phoneNumber, l.external_id as externalId, l.metadata, l.status,
    l.scheduled_for as scheduledFor, l.priority, l.attempts, l.created_at_ms as createdAtMs, l.token
  from ${granted(read)} join leads l on l.seq > granted.number << 32
    and l.seq <= ((granted.number + 1) << 32) - 1 order by l.seq limit 1000`

export default {
  async fetch(request: Request, env: FloorEnv): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/api/health') return health(request, env)
    const key = hash(request)
    const spent = await env.RATE_LIMITER.getByName(key).spend()
    if (pathname === '/api/v1/leads/bulk') return bulk(request, env, key, spent)
    if (pathname.startsWith('/api/v1/calls/')) {
      const act = pathname === '/api/v1/calls/claim' ? claimCalls : reportCalls
      return answer(await act(env.DB, [key, Date.now()], (await request.json()) as never), 200, spent)
    }
    if (request.method === 'POST') return create(request, env, key, spent)
    return list(searchParams.get('campaignId'), env, key, spent)
  },
}

function hash(request: Request): string {
  return createHash('sha256')
    .update(request.headers.get('x-api-key') ?? '')
    .digest('hex')
}

function answer(body: string, status: number, spent: number): Response {
  return new Response(`{"success":true,"data":${body},"error":null}`, {
    status,
    headers: {
      'Content-Type': 'application/json',
      'X-RateLimit-Limit': '1000',
      'X-RateLimit-Remaining': String(1000 - spent),
      'X-RateLimit-Reset': String(Math.ceil(Date.now() / 1000)),
    },
  })
}

async function health(request: Request, env: FloorEnv): Promise<Response> {
  const spent = await env.RATE_LIMITER.getByName(request.headers.get('cf-connecting-ip') ?? '').spend()
  await env.DB.prepare('select 1').all()
  return answer('{"status":"ok"}', 200, spent)
}

type Lead = {
  phoneNumber: string
  externalId?: string
  metadata?: object
  scheduledFor?: string
  priority?: number
}

const index = indexOf('floor')

function values({ phoneNumber, externalId, metadata, scheduledFor, priority }: Lead) {
  const texts = [
    phoneNumber,
    externalId ?? null,
    metadata === undefined ? null : JSON.stringify(metadata),
  ] as const
  const { numberWord, externalWord, words } = index({
    phoneNumber,
    externalId: texts[1],
    metadata: texts[2],
  })
  return [...texts, scheduledFor ?? null, priority ?? 0, numberWord, externalWord, words]
}

async function create(request: Request, env: FloorEnv, key: string, spent: number): Promise<Response> {
  const { campaignId, ...lead } = (await request.json()) as Lead & { campaignId: string }
  const token = crypto.randomUUID()
  const access = [key, Date.now(), campaignId]
  const [, , found] = await env.DB.batch<{ number: number; seq: number; token: string }>([
    env.DB.prepare(insertOne).bind(...access, ...values(lead), token),
    env.DB.prepare(count).bind(...access, 1),
    env.DB.prepare(readBack).bind(...access, lead.phoneNumber),
  ])
  const row = found?.results[0]
  if (row?.token !== token) throw new Error('not created')
  return answer(`{"leadId":"${row.seq}-${token}"}`, 201, spent)
}

async function bulk(request: Request, env: FloorEnv, key: string, spent: number): Promise<Response> {
  const { campaignId, leads } = (await request.json()) as { campaignId: string; leads: Lead[] }
  const token = crypto.randomUUID()
  const access = [key, Date.now(), campaignId]
  const phoneNumbers = JSON.stringify(leads.map((lead) => lead.phoneNumber))
  const results = await env.DB.batch<{ seq: number }>([
    env.DB.prepare(writeVerdict).bind(...access),
    ...inSlices(leads.map(values)).map((slice) => env.DB.prepare(insertMany).bind(...access, slice, token)),
    env.DB.prepare(count).bind(...access, leads.length),
    env.DB.prepare(readBackMany).bind(...access, phoneNumbers, token),
  ])
  const createdIds = (results.at(-1)?.results ?? []).map((row) => `${row.seq}-${token}`)
  const skippedPhones: string[] = []
  return answer(
    JSON.stringify({
      created: createdIds.length,
      skipped: leads.length - createdIds.length,
      createdIds,
      skippedPhones,
    }),
    200,
    spent,
  )
}

type Row = Record<
  'seq' | 'phoneNumber' | 'status' | 'priority' | 'attempts' | 'createdAtMs' | 'token',
  string
> &
  Record<'externalId' | 'metadata' | 'scheduledFor', string | null>

async function list(campaignId: string | null, env: FloorEnv, key: string, spent: number): Promise<Response> {
  const access = [key, Date.now(), campaignId]
  const [, found] = await env.DB.batch<Row>([
    env.DB.prepare(readVerdict).bind(...access),
    env.DB.prepare(page).bind(...access),
  ])
  const rows = found?.results ?? []
  const leads = rows.map(
    (row) =>
      `{"_id":"${row.seq}-${row.token}","campaignId":"${campaignId}","phoneNumber":"${row.phoneNumber}"` +
      `${row.externalId === null ? '' : `,"externalId":"${row.externalId}"`}` +
      `${row.metadata === null ? '' : `,"metadata":${row.metadata}`},"status":"${row.status}"` +
      `${row.scheduledFor === null ? '' : `,"scheduledFor":"${row.scheduledFor}"`},"priority":${row.priority}` +
      `,"attempts":${row.attempts},"_creationTime":${row.createdAtMs}}`,
  )
  return answer(`{"leads":[${leads.join()}],"count":${leads.length}}`, 200, spent)
}
