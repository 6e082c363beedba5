// A search among a million leads in a real database: rows that D1 reads, time, and pages; rows that indexing writes for
// each lead, and a create. The figures are D1's own.
import { join } from 'node:path'
import { randomBase62 } from '../../src/base62.ts'
import { readSearch } from '../../src/leads/search-words.ts'
import { createLead } from '../../src/leads/store/create.ts'
import { indexChunk } from '../../src/leads/store/search-index.ts'
import { findLeads } from '../../src/search/store/find.ts'
import { asKey, noHashes } from '../support/actor.ts'
import { countingRows } from './counting-rows.ts'
import { createFindings, type Report } from './report.ts'
import { migrate, type Server, scratchDir, startServer } from './server.ts'
import { seed } from './world.ts'

const nowMs = Date.UTC(2026, 10, 18, 12)
const mostRead = 1_000
const mostMs = 50
const timesEach = 21

/** Of one lead's metadata: a first name of 40, a last name of 4,000, a city of 12, an address and a note. */
const metadata = `json_object(
  'name', 'First' || char(97 + i % 20, 97 + i % 2) || ' Last' || char(97 + (i * 7) % 26, 97 + (i * 11) % 25, 97 + i % 7),
  'email', 'user' || i || '@example.com', 'city', 'City' || char(97 + i % 12), 'note', 'Asked for offer ' || (i % 1000))`

/** What is looked for in a million leads, by what is special about it. */
const searches: Readonly<Record<string, string>> = {
  'whole number': `+49 ${10_000_000_000 + ((4711 * 7_654_321) % 10_000_000_000)}`,
  'last four digits': '4711',
  'external id': 'crm-4711',
  'whole address': 'user4711@example.com',
  'start of address': 'user4711@',
  'rare words': 'lastaaa firstaa',
  'common word': 'citya',
  'word of every lead': 'offer',
  'start of a common word': 'fir',
  'one letter': 'l',
  'start of many words': 'user',
  nothing: 'xyzzy',
}

export async function search(code: string, leadCount: number): Promise<Report> {
  const findings = createFindings()
  const server = await startServer(code, join(scratchDir, 'search'))
  await migrate(server.db)
  const { keys, campaignIds } = await seed(server.db, 4, 1)
  const keyId = keys[0]?.id as string
  const figures: Record<string, string | number> = { leads: leadCount }
  await fill(server, leadCount)

  const counted = countingRows(server.db)
  const indexedAtMs = performance.now()
  for (const campaign of [1, 2, 3, 4]) while (await indexChunk(counted.db, campaign));
  const { written } = counted.reset()
  figures['indexing: rows written for each lead'] = (written / leadCount).toFixed(2)
  figures['indexing, leads a second'] = Math.round(leadCount / ((performance.now() - indexedAtMs) / 1000))

  for (const [what, q] of Object.entries(searches))
    for (const campaignId of [null, campaignIds[1] as string]) {
      const name = campaignId === null ? what : `${what}, of one campaign`
      const filter = { campaignId, status: null, outcome: null }
      const range = { beforeSeq: Number.MAX_SAFE_INTEGER, maxLeads: 50 }
      const times: number[] = []
      let found = 0
      counted.reset()
      for (let time = 0; time < timesEach; time++) {
        const startedAtMs = performance.now()
        const result = await findLeads(counted.db, asKey(keyId, nowMs), readSearch(q), filter, range)
        times.push(performance.now() - startedAtMs)
        if (result.kind === 'found') found = result.leads.length
      }
      const read = counted.reset().read / timesEach
      const medianMs = times.toSorted((a, b) => a - b)[timesEach >> 1] as number
      figures[`${name}: found, rows read, ms`] = `${found}, ${read}, ${medianMs.toFixed(1)}`
      if (read > mostRead) findings.add('rows read', `${name}: ${read}`)
      if (medianMs > mostMs) findings.add('time', `${name}: ${medianMs.toFixed(1)} ms`)
    }

  for (const externalId of [null, 'crm-new']) {
    const origin = {
      ...asKey(keyId, nowMs),
      campaignId: campaignIds[0] as string,
      token: randomBase62(11),
      requestKey: null,
      hashes: noHashes,
    }
    const phoneNumber = `+4930${externalId === null ? 1 : 2}000000`
    const lead = {
      phoneNumber,
      externalId,
      metadata: '{"name":"Ada"}',
      scheduledFor: null,
      priority: 0,
      timeZone: null,
    }
    await createLead(counted.db, origin, lead)
    figures[`create ${externalId === null ? 'without' : 'with'} external id: rows written`] =
      counted.reset().written
  }
  await server.stop()
  return { name: 'search', figures, broken: findings.all() }
}

async function fill({ db }: Server, leadCount: number): Promise<void> {
  const step = 25_000
  for (let from = 0; from < leadCount; from += step)
    await db
      .prepare(
        `with recursive counted(i) as (select cast(?1 as integer) + 1 union all select i + 1 from counted where i < ?2)
         insert into leads (seq, campaign_number, phone_number, external_id, metadata, created_at_ms, token, queue_rank,
           due_at_ms)
         select ((1 + i % 4) << 32) + i, 1 + i % 4, '+49' || (10000000000 + (i * 7654321) % 10000000000), 'crm-' || i,
           ${metadata}, i, 'seed0000000', 0, i
         from counted`,
      )
      .bind(from, Math.min(from + step, leadCount))
      .run()
}
