// A search among a million leads with their calls, in a real database: rows that D1 reads for a page and its time, in
// every form of a search; rows and time of indexing; rows that a create writes. The figures are D1's own.
import { join } from 'node:path'
import { randomBase62 } from '../../src/base/base62.ts'
import { limits } from '../../src/base/limits.ts'
import { createLead } from '../../src/queue/leads/store/create.ts'
import { findLeads, type Search } from '../../src/queue/search/store/find.ts'
import { asKey, noHashes } from '../support/access/actor.ts'
import { newLead } from '../support/leads/new-lead.ts'
import { markOf } from '../support/leads/search-index.ts'
import { countingRows } from './counting-rows.ts'
import { createFindings, type Report } from './report.ts'
import { migrate, scratchDir, startServer } from './server.ts'
import { seed } from './world.ts'

const nowMs = Date.UTC(2026, 10, 18, 12)
const mostRead = 1_100
const mostMs = 30
const timesEach = 21

/**
 * Each lead has three calls. Of its metadata: a first name of 20, a last name of 4,000, a city of 12, an address and a
 * note; and a word that 199 leads have, which are as many as a page looks at.
 */
const metadata = `json_object(
  'name', 'First' || char(97 + i % 20, 97 + i % 2)
    || ' Last' || char(97 + (i * 7) % 26, 97 + (i * 11) % 25, 97 + i % 7),
  'email', 'user' || i || '@example.com', 'city', 'City' || char(97 + i % 12), 'note', 'Asked for offer ' || (i % 1000),
  'batch', 'Batch' || (i / 199) || 'x')`

const mark = markOf('hard')
const wordsOf = [
  `'@user' || i || '@example_com'`,
  `'first' || char(97 + i % 20, 97 + i % 2)`,
  `'last' || char(97 + (i * 7) % 26, 97 + (i * 11) % 25, 97 + i % 7)`,
  `'user' || i`,
  `'city' || char(97 + i % 12)`,
  `'batch' || (i / 199) || 'x'`,
  `'offer'`,
]
/** As the Worker makes them. */
const digits = Array.from({ length: 13 }, (_, place) => `substr(phone, ${14 - place}, 1)`)
const indexed = `'${mark}#' || ${digits.join(' || ')},
  '${mark}=crm_' || i, ${wordsOf.map((word) => `'${mark}' || ${word}`).join(` || ' ' || `)}`

type Form = Partial<Search> & {
  readonly q: string
  /** Pages begin here: where a cursor that has come far would begin. */
  readonly beforeSeq?: number
  readonly isOfStarts?: boolean
}

const ofLead = (i: number) => `${10_000_000_000 + ((i * 7_654_321) % 10_000_000_000)}`
const national = ofLead(4711)
/** In the middle of the first campaign, behind all others. */
const far = 2 ** 32 + 100_000

/** What is looked for in a million leads, by what is special about it. */
const forms: Readonly<Record<string, Form>> = {
  'whole number': { q: `+49 ${national}` },
  'number with 00': { q: `0049 ${national}` },
  'number with (0)': { q: `+49 (0)${national}` },
  'national number with 0': { q: `0${national}` },
  'number without country': { q: national },
  'last four digits': { q: '4711' },
  'last four digits, far': { q: '4711', beforeSeq: far },
  'external id': { q: 'crm-4711' },
  'whole address': { q: 'user4711@example.com' },
  'start of address': { q: 'user4711@' },
  'rare words': { q: 'lastaaa firstaa' },
  'as many as a page looks at': { q: 'batch77x' },
  'as many as a page looks at, outcome': { q: 'batch77x', outcome: 'busy' },
  'as many as a page looks at, outcome of none': { q: 'batch77x', outcome: 'voicemail' },
  'common start, of which none goes on so': { q: 'offez' },
  '12 words': { q: 'o u f l c b of us fi la ci ba' },
  ...Object.fromEntries(
    [
      '"',
      '*',
      'NEAR(a b)',
      '-',
      '^',
      '=crm-123',
      'ada+tag@x.com',
      "O'Brien",
      '\u{1f600}',
      'مرحبا',
      '李雷',
    ].map((q) => [q, { q }]),
  ),
  'common word': { q: 'citya' },
  'common word, far': { q: 'citya', beforeSeq: far },
  'common and rare word': { q: 'offer lastaaa' },
  'word of every lead': { q: 'offer' },
  'word of every lead, far': { q: 'offer', beforeSeq: far },
  'word of every lead, status': { q: 'offer', status: 'concluded' },
  'word of every lead, outcome': { q: 'offer', outcome: 'busy' },
  'word of every lead, outcome of none': { q: 'offer', outcome: 'voicemail' },
  'word of every lead, status, outcome, far': {
    q: 'offer',
    status: 'raw',
    outcome: 'busy',
    beforeSeq: far,
  },
  'start of a common word': { q: 'fir' },
  'start of a common word, far': { q: 'fir', beforeSeq: far, isOfStarts: true },
  'start of 4 letters': { q: 'last' },
  'start of 4 letters, outcome of none': { q: 'last', outcome: 'voicemail', isOfStarts: true },
  'start of 6 letters, which few have': { q: 'lastaa', isOfStarts: true },
  'start of 8 letters': { q: 'user4711' },
  'start of 8 letters, behind the whole words': { q: 'user4711', isOfStarts: true },
  'two letters': { q: 'us' },
  'one letter': { q: 'l' },
  'one letter, outcome of none': { q: 'l', outcome: 'voicemail' },
  'start of many words': { q: 'user' },
  'start of many words, far': { q: 'user', beforeSeq: far },
  'start of many words, outcome of none, far': { q: 'user', outcome: 'voicemail', beforeSeq: far },
  nothing: { q: 'xyzzy' },
}

export async function search(code: string, leadCount: number): Promise<Report> {
  const findings = createFindings()
  const server = await startServer(code, join(scratchDir, 'search'))
  await migrate(server.db)
  const { keys, campaignIds } = await seed(server.db, 4, 2)
  const [keyId, ofCampaign] = keys.map(({ id }) => id) as [string, string]
  await server.db.prepare('update api_keys set campaign_number = 2 where id = ?1').bind(ofCampaign).run()
  const figures: Record<string, string | number> = { leads: leadCount }
  const counted = countingRows(server.db)
  const rows = await fill(server.db, leadCount)
  // The table, its indexes of numbers, external ids, statuses and the queue, and the search index.
  figures['rows written for each lead'] = (rows.written / leadCount).toFixed(2)
  figures['leads stored and indexed a second'] = Math.round(leadCount / rows.seconds)

  for (const [
    what,
    { q, beforeSeq = Number.MAX_SAFE_INTEGER, isOfStarts = false, ...given },
  ] of Object.entries(forms))
    for (const [whose, key, campaignId] of [
      ['', keyId, null],
      [', of one campaign', keyId, campaignIds[1] as string],
      [", by one campaign's key", ofCampaign, null],
    ] as const) {
      const name = `${what}${whose}`
      const search = { q, status: null, outcome: null, origin: null, withOrigin: false, ...given, campaignId }
      const place = { beforeSeq, isOfStarts }
      const times: number[] = []
      let found = 0
      let read = 0
      counted.reset()
      for (let time = 0; time < timesEach; time++) {
        const result = await findLeads(
          counted.db,
          asKey(key, nowMs, 'hard'),
          search,
          place,
          limits.leadsPerSearch,
        )
        const cost = counted.reset()
        read = cost.read
        times.push(cost.ms)
        if (result.kind === 'found') found = result.leads.length
      }
      const medianMs = times.toSorted((a, b) => a - b)[timesEach >> 1] as number
      figures[`${name}: found, rows read, ms`] = `${found}, ${read}, ${medianMs.toFixed(1)}`
      if (read > mostRead) findings.add('rows read', `${name}: ${read}`)
      if (medianMs > mostMs) findings.add('time', `${name}: ${medianMs.toFixed(1)} ms`)
    }

  for (const externalId of [null, 'crm-new']) {
    const origin = {
      ...asKey(keyId, nowMs, 'hard'),
      campaignId: campaignIds[0] as string,
      token: randomBase62(11),
      requestKey: null,
      hashes: noHashes,
    }
    const phoneNumber = `+4930${externalId === null ? 1 : 2}000000`
    const lead = newLead({ phoneNumber, externalId, metadata: '{"name":"Ada"}' })
    await createLead(counted.db, origin, lead)
    figures[`create ${externalId === null ? 'without' : 'with'} external id: rows written`] =
      counted.reset().written
  }
  await server.stop()
  return { name: 'search', figures, broken: findings.all() }
}

/** In bulks as large as a client's, but the calls. Returns the rows written for the leads, and how long that took. */
async function fill(db: D1Database, leadCount: number) {
  const [step, callStep, startedAtMs] = [1_000, 25_000, performance.now()]
  let written = 0
  for (let from = 0; from < leadCount; from += step)
    for (const campaign of [1, 2, 3, 4]) {
      const [result] = await db.batch([
        db
          .prepare(
            `with recursive counted(i) as (select cast(?1 as integer) + 1 union all select i + 1 from counted
              where i < ?2)
             insert into leads (seq, campaign_number, phone_number, external_id, metadata, created_at_ms, token,
               queue_rank, due_at_ms, status, number_word, external_word, words)
             select seq, ${campaign}, phone, 'crm-' || i, ${metadata}, i, 'seed0000000', 0, i,
               iif(i % 10 = 0, 'concluded', 'raw'), ${indexed}
             from (select i, (${campaign} << 32) + i as seq, '+49' || (10000000000 + (i * 7654321) %
               10000000000) as phone
               from counted where 1 + i % 4 = ${campaign})`,
          )
          .bind(from, Math.min(from + step, leadCount)),
      ])
      written += result?.meta.rows_written ?? 0
    }
  const seconds = (performance.now() - startedAtMs) / 1_000
  for (let from = 0; from < leadCount; from += callStep)
    await db.batch([
      db
        .prepare(
          `with recursive counted(i) as (select cast(?1 as integer) + 1 union all select i + 1 from counted
            where i < ?2),
             call(n) as (values (1), (2), (3))
           insert into calls (company_id, phone_number, claimed_at_ms, seq, token, attempt, outcome)
           select 'hard', '+49' || (10000000000 + (i * 7654321) % 10000000000), i + n, ((1 + i % 4) << 32) + i,
             'seed0000000', n, iif(n = 3, 'busy', 'no_answer')
           from counted cross join call`,
        )
        .bind(from, Math.min(from + callStep, leadCount)),
    ])
  return { written, seconds }
}
