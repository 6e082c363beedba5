// Every statement does the same in D1 and in the SQLite of a Durable Object: whatever the catalogue of all answers, a
// day of calling and the crons ask of D1 is recorded, and asked of an object again, one transaction after the other.
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { workByTheMinute } from '../../../src/companies/jobs.ts'
import type { StatementResult } from '../../../src/database/company-store.ts'
import { seedAgent } from '../../support/agent.ts'
import { api } from '../../support/api.ts'
import { casesOf } from '../../support/catalogue/cases.ts'
import { endpoints } from '../../support/catalogue/catalogue.ts'
import { databaseIn, newStore, stubOf } from '../../support/own-company.ts'
import { openReceiver } from '../../support/receiver.ts'
import { type Recorded, recordD1 } from '../../support/recorder.ts'
import { isOfD1 } from '../../support/store.ts'
import { newPhone, newPhones, seedWorld } from '../../support/world.ts'

const hourMs = 3_600_000

/** A day of everything that the catalogue has not: crons above all. */
async function playDay(): Promise<void> {
  const agent = await seedAgent()
  const manage = api(agent.manageKey)
  const receiver = openReceiver()
  await manage.request('POST', '/api/v1/webhooks', {
    url: receiver.url,
    types: ['call.reported', 'leads.created'],
  })
  const leads = newPhones(120).map((phoneNumber, i) => ({
    phoneNumber,
    priority: i % 7,
    metadata: { name: `N${i}` },
  }))
  await manage.importLeads({ campaignId: agent.campaignId, leads })
  const { calls } = await agent.claim({ limit: 50 })
  const outcomes = ['answered', 'no_answer', 'busy', 'wrong_number', 'do_not_call', 'callback_requested']
  await agent.report(
    calls.slice(0, 30).map(({ callId }, i) => {
      const outcome = outcomes[i % outcomes.length]
      const callbackAt = new Date(Date.now() + 5 * hourMs).toISOString()
      return { callId, outcome, ...(outcome === 'callback_requested' && { callbackAt }) }
    }),
    { limit: 5 },
  )
  await agent.extend(calls.slice(30, 33).map(({ callId }) => callId))
  await agent.release(calls.slice(33, 36).map(({ callId }) => ({ callId })))
  await agent.suppress([newPhone(), leads[100]?.phoneNumber as string, calls[40]?.lead.phoneNumber as string])
  await agent.lift([leads[100]?.phoneNumber as string])
  await manage.request('POST', '/api/v1/erasures', { phoneNumber: leads[101]?.phoneNumber })
  await agent.requeue(calls[0]?.lead._id as string)
  await agent.change({ retentionDays: 1 })
  for (const hours of [0, 1, 3, 30, 60, 200]) {
    vi.setSystemTime(Date.now() + hours * hourMs)
    for (let minutes = 0; minutes < 3; minutes++) await workByTheMinute(env, () => {})
    await agent.claim({ limit: 3 })
    await manage.request('GET', '/api/v1/campaigns?include=overview')
  }
}

/** All that succeeds, and all that the database refuses. */
async function askCatalogue(): Promise<void> {
  const world = await seedWorld()
  for (const { name } of endpoints)
    for (const { status, ask, name: which } of casesOf(name))
      if ([200, 201, 403, 404, 409, 412].includes(status))
        expect(`${which} ${(await ask(world)).status}`).toBe(`${which} ${status}`)
}

/** Where chance orders the rows, they are the same in any order. */
const said = (text: string, { results, meta }: StatementResult) => ({
  text,
  results: text.includes('random()') ? results.map((row) => JSON.stringify(row)).toSorted() : results,
  changes: meta.changes,
})

describe.skipIf(isOfD1('statements'))('A statement', () => {
  it('gives the same rows and changes in both, reads as many rows, and leaves the same in every table', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const store = newStore('statements')
    const object = databaseIn(store)
    const recorder = recordD1()
    await askCatalogue()
    await playDay()
    recorder.stop()
    vi.useRealTimers()

    const stub = stubOf(store)
    const readOtherwise = new Map<string, string>()
    const compare = async ({ statements, results }: Recorded) => {
      const answers = await stub.batch(statements)
      for (const [i, [text]] of statements.entries()) {
        const [inD1, inObject] = [results[i] as unknown as StatementResult, answers[i] as StatementResult]
        expect(said(text, inObject)).toEqual(said(text, inD1))
        if (inD1.meta.rows_read !== inObject.meta.rows_read)
          readOtherwise.set(text, `${inD1.meta.rows_read} in D1, ${inObject.meta.rows_read}`)
      }
    }
    for (const one of recorder.recorded) await compare(one)
    expect([...readOtherwise]).toEqual([])

    const texts = new Set(recorder.recorded.flatMap(({ statements }) => statements.map(([text]) => text)))
    expect(texts.size).toBeGreaterThan(150)
    const tables = await tablesOf(env.DB)
    expect(await tablesOf(object)).toEqual(tables)
    for (const table of tables) {
      const query = `select * from ${table}`
      const [inD1, inObject] = [await env.DB.prepare(query).all(), await object.prepare(query).all()]
      expect({ table, rows: inObject.results }).toEqual({ table, rows: inD1.results })
    }
  })
})

/** Without those that SQLite, the platform and the migrations keep. */
async function tablesOf(db: D1Database): Promise<string[]> {
  const { results } = await db
    .prepare("select name from sqlite_schema where type = 'table' order by name")
    .all<{ name: string }>()
  return results.map(({ name }) => name).filter((name) => !/^(sqlite|_cf|d1|applied)_/.test(name))
}
