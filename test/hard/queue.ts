// A million leads in a real database: what a claim of ten and its report read and write, whatever stands in the queue.
// The figures are D1's own.
import { join } from 'node:path'
import { randomBase62 } from '../../src/base/base62.ts'
import { claimCalls } from '../../src/queue/calling/store/claim.ts'
import { reportCalls } from '../../src/queue/calling/store/report.ts'
import { changeCampaign } from '../../src/queue/campaigns/store/configure.ts'
import { asKey, noHashes } from '../support/access/actor.ts'
import { countingRows } from './counting-rows.ts'
import { createFindings, type Report } from './report.ts'
import { migrate, type Server, scratchDir, startServer } from './server.ts'
import { seed } from './world.ts'

const nowMs = Date.UTC(2026, 10, 18, 12)

/** Of the statistics, once for each request. */
const hourRow = 1

export async function queue(code: string, leadCount: number): Promise<Report> {
  const findings = createFindings()
  const server = await startServer(code, join(scratchDir, 'queue'))
  await migrate(server.db)
  const { keys, campaignIds } = await seed(server.db, 3, 1)
  await server.db.prepare("update api_keys set scope = 'manage'").run()
  const cost = (index: number) => costOfClaim(server, keys[0]?.id as string, campaignIds[index] as string)
  const figures: Record<string, string | number> = { leads: leadCount }
  const mostWritten = 10 * 5 + 2 + hourRow
  const measure = async (what: string, index: number, mostRead: number) => {
    const { read, written, reportRead, reportWritten } = await cost(index)
    figures[`claim of ten, ${what}: rows read, written`] = `${read}, ${written}`
    figures[`report of ten, ${what}: rows read, written`] = `${reportRead}, ${reportWritten}`
    if (read > mostRead) findings.add('rows read', `${what}: ${read}`)
    if (written > mostWritten || reportWritten > 10 * 3 + hourRow)
      findings.add('rows written', `${what}: ${written}, ${reportWritten}`)
  }

  await fill(server, 1, 1_000, 'i % 3', `${nowMs} - 1000`)
  await measure('1,000 due', 0, 1_100)
  await fill(server, 2, leadCount, 'i % 3', `${nowMs} - 1000 - i`)
  await measure(`${leadCount.toLocaleString('en-US')} due`, 1, 1_100)
  await fill(server, 3, 1_000, '0', `${nowMs} - 1000`)
  await fill(server, 3, leadCount, '1 + i % 100', `${nowMs} + 1000 + i`)
  await measure('as many of the future in front', 2, 1_100 + 100 * 10)
  await server.stop()
  return { name: 'queue', figures, broken: findings.all() }
}

async function fill(
  { db }: Server,
  campaign: number,
  count: number,
  rank: string,
  due: string,
): Promise<void> {
  const step = 50_000
  for (let from = 0; from < count; from += step)
    await db
      .prepare(
        `with recursive counted(i) as (select ?2 + 1 union all select i + 1 from counted where i < ?2 + ?3),
         last(seq) as (select coalesce(max(seq), ?1 << 32) - ?2 from leads where campaign_number = ?1)
         insert into leads (seq, campaign_number, phone_number, created_at_ms, token, queue_rank, due_at_ms)
         select last.seq + i, ?1, '+49' || (10000000000 + last.seq + i - (?1 << 32)), 0, 'seed0000000', ${rank}, ${due}
         from last cross join counted`,
      )
      .bind(campaign, from, Math.min(step, count - from))
      .run()
}

/** Rows of a claim of ten and of its report. The first claim writes the openings. */
async function costOfClaim({ db }: Server, keyId: string, campaignId: string) {
  const access = { ...asKey(keyId, nowMs), campaignId }
  await changeCampaign(db, access, { timeZone: 'UTC' })
  const counted = countingRows(db)
  const claim = () => {
    const origin = { ...access, requestKey: null, requestToken: randomBase62(11), hashes: noHashes }
    return claimCalls(counted.db, origin, { maxCalls: 10, leaseSeconds: null, agent: null })
  }
  await claim()
  counted.reset()
  const outcome = await claim()
  if (outcome.kind !== 'claimed' || outcome.calls.length !== 10)
    throw new Error(`${outcome.kind}, not ten calls`)
  const { read, written } = counted.reset()
  await reportCalls(
    counted.db,
    access,
    outcome.calls.map(({ callId }) => ({
      ...{ callId, outcome: 'no_answer' as const, callbackAtMs: null, doNotCall: false },
      ...{ durationSeconds: null, providerCallId: null, details: null },
    })),
  )
  const reported = counted.reset()
  return { read, written, reportRead: reported.read, reportWritten: reported.written }
}
