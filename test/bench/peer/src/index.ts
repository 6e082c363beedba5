// The peer: what a competent team would write in a day from the usual parts, each used as its own guide shows.
// Hono with its logger, hono-rate-limiter over a Durable Object, zod-validator, Drizzle; the key is looked up on
// every request. It keeps the contract's shapes but not its finer points (exact windows, order of checks).

import { zValidator } from '@hono/zod-validator'
import { DurableObjectRateLimiter, DurableObjectStore } from '@hono-rate-limiter/cloudflare'
import { and, asc, eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { type Context, Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { HTTPException } from 'hono/http-exception'
import { logger } from 'hono/logger'
import { rateLimiter } from 'hono-rate-limiter'
import { z } from 'zod'
import { claimBody, claimLeads, reportBody, reportCalls } from './calls.ts'
import { apiKeys, campaigns, leads } from './schema.ts'

export { DurableObjectRateLimiter }

type App = {
  Bindings: { DB: D1Database; RATE_LIMITER: DurableObjectNamespace<DurableObjectRateLimiter> }
  Variables: { apiKey: typeof apiKeys.$inferSelect }
}

const app = new Hono<App>()
app.use(logger())

function limit(windowMs: number, max: number, key: (c: Context<App>) => string) {
  return createMiddleware<App>((c, next) =>
    rateLimiter<App>({
      windowMs,
      limit: max,
      standardHeaders: 'draft-6',
      keyGenerator: key,
      store: new DurableObjectStore({ namespace: c.env.RATE_LIMITER }),
    })(c, next),
  )
}

const hourly = limit(3_600_000, 1000, (c) => `key:${c.var.apiKey.id}`)
const bulkMinute = limit(60_000, 10, (c) => `bulk:${c.var.apiKey.id}`)
const healthMinute = limit(60_000, 60, (c) => `ip:${c.req.header('cf-connecting-ip') ?? ''}`)

const fail = (status: 400 | 401 | 403 | 409, error: string) =>
  new HTTPException(status, { res: Response.json({ success: false, data: null, error }, { status }) })

async function sha256(text: string) {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

const authenticate = createMiddleware<App>(async (c, next) => {
  const db = drizzle(c.env.DB)
  const hash = await sha256(c.req.header('x-api-key') ?? '')
  const apiKey = await db.select().from(apiKeys).where(eq(apiKeys.hash, hash)).get()
  const expired = apiKey?.expiresAt !== null && apiKey !== undefined && apiKey.expiresAt < new Date()
  if (apiKey === undefined || apiKey.revokedAt !== null || expired)
    throw fail(401, 'Invalid or inactive API key')
  c.set('apiKey', apiKey)
  await next()
})

const requireWrite = createMiddleware<App>(async (c, next) => {
  if (c.var.apiKey.scope !== 'write') throw fail(403, 'Insufficient permissions')
  await next()
})

async function requireCampaign(c: Context<App>, campaignId: string) {
  const { companyId, campaignId: only } = c.var.apiKey
  const found = await drizzle(c.env.DB)
    .select()
    .from(campaigns)
    .where(and(eq(campaigns.id, campaignId), eq(campaigns.companyId, companyId)))
    .get()
  if (found === undefined || (only !== null && only !== campaignId))
    throw fail(403, 'Campaign not found or access denied')
}

const lead = z.object({
  phoneNumber: z.string().regex(/^\+[1-9]\d{6,14}$/, 'phoneNumber must be in E.164 format'),
  externalId: z.string().max(255).optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  scheduledFor: z.iso.datetime({ offset: true }).optional(),
  priority: z.number().int().min(0).max(100).default(0),
})
const dueAtOf = ({ scheduledFor }: z.infer<typeof lead>) =>
  scheduledFor === undefined ? new Date() : new Date(scheduledFor)
const createBody = lead.extend({ campaignId: z.string().min(1).max(128) })
const bulkBody = z.object({
  campaignId: z.string().min(1).max(128),
  leads: z.array(lead).min(1).max(1000),
})
const listQuery = z.object({
  campaignId: z.string().min(1),
  status: z.enum(['raw', 'attempting', 'exhausted', 'concluded']).optional(),
})

app.get('/api/health', healthMinute, async (c) => {
  const startedAt = Date.now()
  await drizzle(c.env.DB).run(sql`select 1`)
  const data = {
    status: 'ok',
    timestamp: new Date().toISOString(),
    checks: { database: { status: 'ok', latencyMs: Date.now() - startedAt } },
  }
  return c.json({ success: true, data, error: null })
})

app.use('/api/v1/*', authenticate)

app.post('/api/v1/leads', hourly, requireWrite, zValidator('json', createBody), async (c) => {
  const input = c.req.valid('json')
  await requireCampaign(c, input.campaignId)
  const [created] = await drizzle(c.env.DB)
    .insert(leads)
    .values({ ...input, dueAt: dueAtOf(input) })
    .onConflictDoNothing()
    .returning({ id: leads.id })
  if (created === undefined) throw fail(409, 'Lead already exists')
  return c.json({ success: true, data: { leadId: created.id }, error: null }, 201)
})

/** D1 takes 100 parameters a statement, and Drizzle binds up to eleven for each lead. */
const chunkRows = 9

app.post('/api/v1/leads/bulk', hourly, bulkMinute, requireWrite, zValidator('json', bulkBody), async (c) => {
  const { campaignId, leads: items } = c.req.valid('json')
  await requireCampaign(c, campaignId)
  const db = drizzle(c.env.DB)
  const chunks = []
  for (let i = 0; i < items.length; i += chunkRows) chunks.push(items.slice(i, i + chunkRows))
  const inserts = chunks.map((chunk) =>
    db
      .insert(leads)
      .values(chunk.map((item) => ({ ...item, campaignId, dueAt: dueAtOf(item) })))
      .onConflictDoNothing()
      .returning({ id: leads.id, phoneNumber: leads.phoneNumber }),
  )
  const created = (await db.batch(inserts as [(typeof inserts)[number]])).flat()
  const createdPhones = new Set(created.map((row) => row.phoneNumber))
  const skippedPhones = items.map((item) => item.phoneNumber).filter((phone) => !createdPhones.has(phone))
  const data = {
    created: created.length,
    skipped: skippedPhones.length,
    createdIds: created.map((row) => row.id),
    skippedPhones,
  }
  return c.json({ success: true, data, error: null })
})

app.get('/api/v1/leads', hourly, zValidator('query', listQuery), async (c) => {
  const { campaignId, status } = c.req.valid('query')
  await requireCampaign(c, campaignId)
  const rows = await drizzle(c.env.DB)
    .select()
    .from(leads)
    .where(and(eq(leads.campaignId, campaignId), status === undefined ? undefined : eq(leads.status, status)))
    .orderBy(asc(leads.createdAt))
  const listed = rows.map(({ id, createdAt, externalId, metadata, scheduledFor, ...row }) => ({
    _id: id,
    ...row,
    externalId: externalId ?? undefined,
    metadata: metadata ?? undefined,
    scheduledFor: scheduledFor ?? undefined,
    _creationTime: createdAt.getTime(),
  }))
  return c.json({ success: true, data: { leads: listed, count: listed.length }, error: null })
})

app.post('/api/v1/calls/claim', hourly, requireWrite, zValidator('json', claimBody), async (c) => {
  const claim = c.req.valid('json')
  await requireCampaign(c, claim.campaignId)
  return c.json({ success: true, data: await claimLeads(drizzle(c.env.DB), claim), error: null })
})

app.post('/api/v1/calls/report', hourly, requireWrite, zValidator('json', reportBody), async (c) => {
  const { calls, claim } = c.req.valid('json')
  if (claim !== undefined) await requireCampaign(c, claim.campaignId)
  const db = drizzle(c.env.DB)
  const results = await reportCalls(db, c.var.apiKey.companyId, calls)
  const claimed = claim && (await claimLeads(db, claim))
  return c.json({ success: true, data: { results, claim: claimed }, error: null })
})

app.onError((error) =>
  error instanceof HTTPException
    ? error.getResponse()
    : Response.json({ success: false, data: null, error: 'Internal server error' }, { status: 500 }),
)

export default app
