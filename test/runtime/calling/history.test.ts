// The history of a lead with thousands of calls: each page is bounded in rows read and in bytes, and all of them
// together have every call once.
import { beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../../src/base/limits.ts'
import { listCallsOfLead } from '../../../src/queue/calling/store/history.ts'
import { parseLeadId } from '../../../src/queue/leads/lead.ts'
import { type CallingWorld, noonMs, seedCallingWorld } from '../../support/calling/calling.ts'
import { watchedDatabase } from '../../support/database/database.ts'
import { companyDb } from '../../support/database/store.ts'

const callCount = 3_000

describe('The history of a lead that was called 3,000 times', () => {
  let world: CallingWorld
  let leadId: string

  beforeAll(async () => {
    world = await seedCallingWorld()
    const lead = await world.add()
    leadId = lead.leadId
    const seq = parseLeadId(leadId)?.seq
    const counted = `with recursive counted(i) as (select 1 union all select i + 1 from counted where i < ${callCount})`
    await companyDb.batch([
      companyDb
        .prepare(
          `${counted} insert into calls (company_id, phone_number, claimed_at_ms, seq, token, attempt, outcome,
           ended_at_ms)
         select ?1, ?2, ${noonMs} + i * 60000, ?3, 'token000000', i, 'busy', ${noonMs} + i * 60000 from counted`,
        )
        .bind(world.companyId, lead.phoneNumber, seq),
      // As long as they may be.
      companyDb
        .prepare(
          `${counted} insert into call_details (seq, claimed_at_ms, details)
         select ?1, ${noonMs} + i * 60000, '{"n":"' || substr(replace(hex(zeroblob(8192)), '00', 'xx'), 1, 16376)
           || '"}' from counted`,
        )
        .bind(seq),
    ])
  })

  it('The history of a lead with 3,000 calls comes in pages of at most a hundred calls and less than 2 MiB of details', async () => {
    const found: number[] = []
    let afterMs: number | null = 0
    let pages = 0
    while (afterMs !== null) {
      const { DB, trips } = watchedDatabase()
      const range = { maxCalls: limits.callsPerRequest, afterMs }
      const page = await listCallsOfLead(DB, world.asAgent(noonMs), leadId, range)
      if (page.kind !== 'found') throw new Error(page.kind)
      expect(page.calls.length).toBeLessThanOrEqual(100)
      const bytes = page.calls.reduce((sum, { details }) => sum + Buffer.byteLength(details ?? ''), 0)
      expect(bytes).toBeGreaterThan(1_600_000)
      expect(bytes).toBeLessThan(2 * 1024 * 1024)
      const read = trips.flatMap(({ results }) => results).reduce((sum, { meta }) => sum + meta.rows_read, 0)
      expect(read).toBeLessThan(2 * 101 + 10)
      found.push(...page.calls.map(({ json }) => JSON.parse(json).attempt))
      afterMs = page.endMs
      pages++
    }
    expect(pages).toBe(callCount / 100)
    expect(found).toEqual(Array.from({ length: callCount }, (_, i) => i + 1))
  })

  it('The history of a lead with 3,000 calls begins with one page when no size is given', async () => {
    const page = await listCallsOfLead(companyDb, world.asAgent(noonMs), leadId)
    expect(page).toMatchObject({ kind: 'found', endMs: noonMs + 100 * 60_000 })
  })
})
