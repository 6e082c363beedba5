// The company that move.ts moves: leads by the hundred thousand with external ids, metadata and words of the search,
// calls, an open call, suppressed numbers and a log; and what a client remembers of it, to ask for again after the
// move.
import { createHash } from 'node:crypto'
import { databaseOf } from '../../src/base/database/company-store.ts'
import { movedTables } from '../../src/control/companies/store/moved-tables.ts'
import { addNeighbour } from '../support/companies/neighbours.ts'
import { rowsOfEveryTable } from '../support/companies/rows-of-company.ts'
import { insertLeadSeries, newPhone } from '../support/database/seed.ts'
import { markOf } from '../support/leads/search-index.ts'
import { sendJson } from './client.ts'
import type { Findings } from './report.ts'
import { type Company, seedCompany } from './sending.ts'
import type { Server } from './server.ts'

const campaign = '(select number from campaigns limit 1)'
const always = Object.fromEntries(
  ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, [['00:00', '24:00']]]),
)

/** Writing it again changes nothing. */
export const suppressedBefore = '+15550009999'

export type Remembered = Awaited<ReturnType<typeof remember>>

export async function fillCompany(server: Server, companyId: string, leads: number): Promise<Company> {
  const { db, port } = server
  const company = await seedCompany(db, companyId)
  const settings = { timeZone: 'UTC', callingHours: always, appointmentHours: always }
  const path = `/api/v1/campaigns/${company.campaignId}`
  await sendJson(port, company.key(), 'PATCH', path, settings)
  const row = await db.prepare(`select ${campaign} as number`).first<{ number: number }>()
  const number = row?.number ?? 0
  for (let from = 1; from <= leads; from += 20_000)
    await insertLeadSeries(db, number, from, Math.min(leads, from + 19_999), {
      priority: 'i % 101',
      dueAtMs: '1',
    }).run()
  const mark = markOf(companyId)
  const first = number * 2 ** 32
  for (let after = first; after < first + leads; after += 10_000)
    await db
      .prepare(
        `update leads set number_word = ?2 || '#' || substr(phone_number, 2), external_word = ?2 || '=crm_' || seq,
           words = ?2 || lower(metadata ->> 'name') || ' ' || ?2 || lower(metadata ->> 'company') || ' '
             || ?2 || substr(lower(metadata ->> 'notes'), 1, 12) || ' ' || ?2 || 'customer'
         where seq > ?1 and seq <= ?1 + 10000`,
      )
      .bind(after, mark)
      .run()
  await db.batch([
    db
      .prepare('insert into campaign_hours (campaign_number, hour, d_raw) values (?1, 1, ?2)')
      .bind(number, leads),
    db
      .prepare(
        `insert into calls (company_id, phone_number, claimed_at_ms, seq, token, attempt, outcome)
         select ?1, phone_number, 5, seq, 'seededcall0', 1, 'busy' from leads where seq % 3 = 0`,
      )
      .bind(companyId),
  ])
  await sendJson(port, company.key(), 'POST', '/api/v1/erasures', { phoneNumber: newPhone() })
  const [readKeyId, agentKeyId] = [`${companyId}-0`, `${companyId}-1`]
  const owner = { companyId, campaignId: company.campaignId, readKeyId, agentKeyId }
  await db.batch(rowsOfEveryTable(owner).map((text) => db.prepare(text)))
  return company
}

/**
 * Other companies in D1, with equal keys in every table. Returns the names of their tables that have changed since.
 * Their webhooks send nothing, and their campaigns are paused, since the cron would note what is sent, and after ten
 * minutes that nobody calls.
 */
export async function addNeighbours(server: Server, companyId: string) {
  const ids = [await addNeighbour(server.db, companyId), await addNeighbour(server.db, companyId)]
  for (const id of ids)
    await server.db.batch(
      [
        'update webhooks set disabled_at_ms = 1 where company_id = ?1',
        `update calling_settings set paused = 1
          where campaign_number in (select number from campaigns where company_id = ?1)`,
      ].map((text) => server.db.prepare(text).bind(id)),
    )
  const digests = (of: Server) => Promise.all(ids.map((id) => digest(of, null, id)))
  const before = await digests(server)
  return async (of: Server) =>
    (await digests(of)).flatMap((now, index) =>
      Object.keys(now).filter((name) => now[name] !== before[index]?.[name]),
    )
}

/** Uses it, and keeps what must go on working. */
export async function remember({ port }: Server, { campaignId, key }: Company) {
  const ask = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    JSON.parse((await sendJson(port, headers.key ?? key(), method, path, body, headers)).text).data
  const idempotent = {
    key: key(),
    headers: { 'idempotency-key': `of-${Date.now()}` },
    body: { campaignId, leads: [{ phoneNumber: newPhone() }, { phoneNumber: newPhone() }] },
  }
  const bulk = await sendJson(
    port,
    idempotent.key,
    'POST',
    '/api/v1/leads/bulk',
    idempotent.body,
    idempotent.headers,
  )
  const suppressed = newPhone()
  await ask('POST', '/api/v1/suppressions', { phoneNumbers: [suppressed, suppressedBefore] })
  const agentKey = key()
  const claimed = JSON.parse(
    (
      await sendJson(port, agentKey, 'POST', '/api/v1/calls/claim', {
        campaignId,
        limit: 2,
        leaseSeconds: 7200,
      })
    ).text,
  ).data
  const page = await ask('GET', `/api/v1/leads?campaignId=${campaignId}&limit=50`)
  const events = await ask('GET', '/api/v1/events?limit=1')
  return { idempotent, bulk: bulk.text, suppressed, agentKey, claimed, page, after: events.next as string }
}

/** After a move: everything that was remembered still holds. */
export async function checkRemembered(
  { port }: Server,
  { campaignId, key }: Company,
  known: Remembered,
  findings: Findings,
): Promise<void> {
  const ask = (method: string, path: string, body?: object, headers = {}, apiKey = key()) =>
    sendJson(port, apiKey, method, path, body, headers)
  const expectThat = (what: string, isSo: boolean, text: string) => {
    if (!isSo) findings.add(what, text)
  }
  const { idempotent, claimed, page } = known
  const again = await ask('POST', '/api/v1/leads/bulk', idempotent.body, idempotent.headers, idempotent.key)
  expectThat('idempotency key forgotten', again.text === known.bulk, again.text)
  const [lead] = page.leads
  const one = await ask('GET', `/api/v1/leads/${lead._id}`)
  expectThat('lead id changed', one.status === 200, one.text)
  const next = await ask('GET', `/api/v1/leads?campaignId=${campaignId}&limit=50&cursor=${page.nextCursor}`)
  expectThat('cursor refused', next.status === 200, next.text)
  const stored = await ask('POST', '/api/v1/leads', { campaignId, phoneNumber: known.suppressed })
  const { leadId } = JSON.parse(stored.text).data ?? {}
  const queue = await ask('GET', `/api/v1/leads/${leadId}/calling`)
  expectThat('suppression forgotten', queue.text.includes('suppressed'), queue.text)
  const [call] = claimed.calls.splice(0, 1)
  const body = { calls: [{ callId: call?.callId, outcome: 'answered' }] }
  const reported = await ask('POST', '/api/v1/calls/report', body, {}, known.agentKey)
  expectThat('open call not reported', reported.text.includes('"recorded"'), reported.text)
  const events = await ask('GET', `/api/v1/events?after=${known.after}&limit=1000`)
  expectThat('event cursor refused', events.status === 200, events.text)
}

/** The cron and the senders write them at any time before and after: the move itself has compared them. */
const volatile = ['webhooks', 'key_hours', 'recounts', 'alerts']

/** A digest of all rows of each table, as they travel. */
export async function digest(server: Server, storeName: string | null, companyId: string) {
  const db = storeName === null ? server.db : databaseOf(server.sendTo(storeName))
  const found: Record<string, string> = {}
  for (const { name, read, start, keyAt } of movedTables) {
    if (volatile.includes(name)) continue
    const hash = createHash('sha256')
    let count = 0
    for (let after = start; ; ) {
      const range = { companyId, after, maxRows: 5_000, maxBytes: 1_000_000 }
      const [page] = await db.batch<{ row: string }>([read(db, range)])
      const rows = page?.results ?? []
      const last = rows.at(-1)
      if (last === undefined) break
      for (const { row } of rows) hash.update(row)
      count += rows.length
      const values = JSON.parse(last.row) as unknown[]
      after = JSON.stringify(keyAt.map((index) => values[index]))
    }
    found[name] = `${count} ${hash.digest('hex')}`
  }
  return found
}
