// The peer's calling: the queue as most teams write it, an UPDATE of what a SELECT finds by priority and due time, and
// a row for each call. No opening hours, no suppression, no limits of a number, no claim that can be repeated.
import { and, asc, desc, eq, inArray, lte, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { z } from 'zod'
import { calls, campaigns, leads } from './schema.ts'

export const claimBody = z.object({
  campaignId: z.string().min(1).max(128),
  limit: z.number().int().min(1).max(100).default(1),
  leaseSeconds: z.number().int().min(30).max(7200).default(600),
})
export const reportBody = z.object({
  calls: z
    .array(
      z.object({
        callId: z.string(),
        outcome: z.enum(['answered', 'no_answer', 'busy', 'wrong_number']),
        durationSeconds: z.number().int().min(0).optional(),
      }),
    )
    .min(1)
    .max(100),
  claim: claimBody.optional(),
})

/** D1 takes 100 parameters a statement, and Drizzle binds up to five for each call. */
const chunkRows = 20

export async function claimLeads(db: DrizzleD1Database, claim: z.infer<typeof claimBody>) {
  const { campaignId, limit, leaseSeconds } = claim
  const next = db
    .select({ id: leads.id })
    .from(leads)
    .where(and(eq(leads.campaignId, campaignId), lte(leads.dueAt, new Date())))
    .orderBy(desc(leads.priority), asc(leads.dueAt))
    .limit(limit)
  const leasedUntil = new Date(Date.now() + leaseSeconds * 1000)
  const claimed = await db
    .update(leads)
    .set({ status: 'attempting', attempts: sql`${leads.attempts} + 1`, dueAt: null, leasedUntil })
    .where(inArray(leads.id, next))
    .returning()
  const inserts = []
  for (let i = 0; i < claimed.length; i += chunkRows) {
    const chunk = claimed.slice(i, i + chunkRows)
    inserts.push(
      db
        .insert(calls)
        .values(chunk.map(({ id, attempts }) => ({ leadId: id, attempt: attempts })))
        .returning(),
    )
  }
  const rows = inserts.length > 0 ? (await db.batch(inserts as [(typeof inserts)[number]])).flat() : []
  const leadsById = new Map(claimed.map((lead) => [lead.id, lead]))
  return {
    calls: rows.map((call) => ({
      callId: call.id,
      attempt: call.attempt,
      leaseExpiresAt: leasedUntil,
      lead: leadsById.get(call.leadId),
    })),
  }
}

const retryMinutes = { answered: null, wrong_number: null, no_answer: 60, busy: 15 }

export async function reportCalls(
  db: DrizzleD1Database,
  companyId: string,
  reports: z.infer<typeof reportBody>['calls'],
) {
  const ids = reports.map((report) => report.callId)
  const found = await db
    .select({
      callId: calls.id,
      leadId: calls.leadId,
      outcome: calls.outcome,
      companyId: campaigns.companyId,
    })
    .from(calls)
    .innerJoin(leads, eq(leads.id, calls.leadId))
    .innerJoin(campaigns, eq(campaigns.id, leads.campaignId))
    .where(inArray(calls.id, ids))
  const own = found.filter((row) => row.outcome === null && row.companyId === companyId)
  const open = new Map(own.map((row) => [row.callId, row]))
  const updates = reports.flatMap(({ callId, outcome, durationSeconds }) => {
    const call = open.get(callId)
    if (call === undefined) return []
    const minutes = retryMinutes[outcome]
    const next =
      minutes === null
        ? { status: outcome === 'answered' ? ('concluded' as const) : ('exhausted' as const), dueAt: null }
        : { dueAt: new Date(Date.now() + minutes * 60_000) }
    return [
      db
        .update(calls)
        .set({ outcome, durationSeconds, endedAt: new Date() })
        .where(eq(calls.id, callId))
        .returning({ id: calls.id }),
      db
        .update(leads)
        .set({ ...next, leasedUntil: null })
        .where(eq(leads.id, call.leadId))
        .returning({ id: leads.id }),
    ]
  })
  if (updates.length > 0) await db.batch(updates as [(typeof updates)[number]])
  return reports.map(({ callId }) => {
    const call = open.get(callId)
    return { callId, result: call === undefined ? 'unknown_call' : 'recorded', leadId: call?.leadId }
  })
}
