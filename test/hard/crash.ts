// Kills workerd at random moments of creates and bulks, starts it again on the same state, and sends again what was
// not answered. Then: is every lead that was acknowledged there, as acknowledged; is every bulk there whole or not
// at all; is nothing there twice; does the limiter remember every request that it admitted?
import { join } from 'node:path'
import { leadIdOf } from '../../src/queue/leads/lead.ts'
import { type Answer, keepBusy, sendJson, Unanswered } from './client.ts'
import { createFindings, type Findings, type Report } from './report.ts'
import { migrate, type Server, scratchDir, startServer } from './server.ts'
import { newPhone, pick, seed, smallNumber, type World } from './world.ts'

const concurrency = 16
const longestLifeMs = 1_000

type Attempt = {
  readonly key: string
  readonly path: string
  readonly body: { campaignId: string; phoneNumber?: string; leads?: { phoneNumber: string }[] }
  readonly phones: readonly string[]
  readonly idempotencyKey: string | null
}

/** `store`: the name of the company's own; null: it is in D1. */
export async function crash(code: string, rounds: number, store: string | null = null): Promise<Report> {
  const name = store === null ? 'crash' : 'crash-own'
  const stateDir = join(scratchDir, name)
  const findings = createFindings()
  let server = await startServer(code, stateDir, { store })
  await migrate(server.directory)
  const world = await seed(server.db, 4, 800, { ...server, store })

  /** Phone number to lead id, or null where a bulk's answer does not say which is whose. */
  const acknowledged = new Map<string, string>()
  const answersOfKey = new Map<string, number>()
  const sent = {
    creates: 0,
    bulks: 0,
    answered: 0,
    unanswered: 0,
    unansweredCreatesStored: 0,
    unansweredBulksStored: 0,
  }

  for (let round = 0; round < rounds; round++) {
    const unanswered: Attempt[] = []
    let isDead = false
    const working = keepBusy(
      concurrency,
      () => isDead,
      async () => {
        const attempt = makeAttempt(world)
        sent[attempt.path.endsWith('bulk') ? 'bulks' : 'creates']++
        try {
          take(attempt, await post(server, attempt), false)
        } catch (error) {
          if (!(error instanceof Unanswered)) throw error
          unanswered.push(attempt)
        }
      },
    )
    await new Promise((resolve) => setTimeout(resolve, Math.random() * longestLifeMs))
    isDead = true
    await server.kill()
    await working
    sent.unanswered += unanswered.length

    server = await startServer(code, stateDir, { store })
    await checkWhole(server, unanswered, sent, findings)
    await Promise.all(
      unanswered.map(async (attempt) => take(attempt, await postPatiently(server, attempt), true)),
    )
  }

  await checkTable(server, acknowledged, findings)
  await checkWindows(server, answersOfKey, findings)
  await server.stop()
  const broken = findings.all()
  return {
    name,
    figures: {
      'kills (SIGKILL to workerd)': rounds,
      'creates sent': sent.creates,
      'bulks sent': sent.bulks,
      'cut off by a kill, sent again': sent.unanswered,
      'of these, creates found stored': sent.unansweredCreatesStored,
      'of these, bulks found stored whole': sent.unansweredBulksStored,
      'leads acknowledged': acknowledged.size,
      'acknowledged leads lost': findings.countOf('lost'),
      'partial bulks': findings.countOf('partial bulk'),
      duplicates: findings.countOf('duplicate'),
      'admissions forgotten': findings.countOf('admission forgotten'),
      'answers outside the contract': findings.countOf('answer'),
    },
    broken,
  }

  function take(attempt: Attempt, answer: Answer, isAgain: boolean): void {
    // A refusal by the limiter stores nothing and spends nothing.
    if (answer.status === 429 && !isAgain) return
    answersOfKey.set(attempt.key, (answersOfKey.get(attempt.key) ?? 0) + 1)
    sent.answered++
    const bad = () =>
      findings.add('answer', `${attempt.path} ${isAgain ? 'again ' : ''}${answer.status} ${answer.text}`)
    const { data } = JSON.parse(answer.text) as { data: Record<string, unknown> | null }
    if (attempt.body.leads === undefined) {
      const phone = attempt.phones[0] as string
      // Without an Idempotency-Key, a create that was stored before the kill is there already when it comes again.
      if (answer.status === 409 && isAgain && attempt.idempotencyKey === null) {
        acknowledged.set(phone, String(answer.headers.location).slice('/api/v1/leads/'.length))
      } else if (answer.status === 201) acknowledged.set(phone, String(data?.leadId))
      else bad()
      return
    }
    if (answer.status !== 200) {
      bad()
      return
    }
    const { created, skipped, createdIds, skippedPhones } = data as {
      created: number
      skipped: number
      createdIds: string[]
      skippedPhones: string[]
    }
    const isWhole = created === attempt.phones.length && skipped === 0
    const isSkippedWhole = isAgain && skipped === attempt.phones.length && attempt.idempotencyKey === null
    if (!isWhole && !isSkippedWhole) bad()
    if (createdIds.length !== created || skippedPhones.length !== skipped) bad()
    attempt.phones.forEach((phone, index) => {
      acknowledged.set(phone, createdIds[index] ?? '')
    })
  }
}

/** Each lead is there once, as it was acknowledged. */
async function checkTable(
  { db }: Server,
  acknowledged: ReadonlyMap<string, string>,
  findings: Findings,
): Promise<void> {
  const seen = new Set<string>()
  for (let page = await readPage(db, 0); page.length > 0; page = await readPage(db, page.at(-1)?.seq ?? 0)) {
    for (const lead of page) {
      if (seen.has(lead.phone)) findings.add('duplicate', lead.phone)
      seen.add(lead.phone)
      const said = acknowledged.get(lead.phone)
      const id = leadIdOf(lead)
      if (said === undefined) findings.add('duplicate', `${lead.phone} was never acknowledged`)
      else if (said !== '' && said !== id) findings.add('lost', `${id} was acknowledged as ${said}`)
    }
  }
  for (const phone of acknowledged.keys()) if (!seen.has(phone)) findings.add('lost', phone)
}

/** Every answer spent a unit of its key's hour; a unit more is spent by asking. */
async function checkWindows(
  { port }: Server,
  answersOfKey: ReadonlyMap<string, number>,
  findings: Findings,
): Promise<void> {
  for (const [key, answers] of answersOfKey) {
    const { headers } = await sendJson(port, key, 'GET', '/api/v1/leads?campaignId=none')
    const spent = 1000 - Number(headers['x-ratelimit-remaining'])
    if (!(spent >= answers + 1)) findings.add('admission forgotten', `${answers} answers, ${spent - 1} spent`)
  }
}

/** Before anything is sent again: of what one request brought, all is there or nothing. */
async function checkWhole(
  { db }: Server,
  attempts: readonly Attempt[],
  sent: Record<'unansweredCreatesStored' | 'unansweredBulksStored', number>,
  findings: Findings,
): Promise<void> {
  if (attempts.length === 0) return
  const count = db.prepare(
    `select count(*) as stored from json_each(?1) as item join campaigns on campaigns.id = ?2
     cross join leads on leads.campaign_number = campaigns.number and leads.phone_number = item.value`,
  )
  const counts = await db.batch<{ stored: number }>(
    attempts.map(({ phones, body }) => count.bind(JSON.stringify(phones), body.campaignId)),
  )
  attempts.forEach(({ phones, body }, index) => {
    const stored = counts[index]?.results[0]?.stored ?? 0
    if (stored === 0) return
    if (stored < phones.length) findings.add('partial bulk', `${stored} of ${phones.length}`)
    sent[body.leads === undefined ? 'unansweredCreatesStored' : 'unansweredBulksStored']++
  })
}

type StoredLead = { phone: string; createdAtMs: number; seq: number; token: string }

async function readPage(db: D1Database, afterSeq: number): Promise<StoredLead[]> {
  const { results } = await db
    .prepare(
      `select phone_number as phone, created_at_ms as createdAtMs, seq, token from leads
       where seq > ?1 order by seq limit 50000`,
    )
    .bind(afterSeq)
    .all<StoredLead>()
  return results
}

let bulks = 0

function makeAttempt({ campaignIds, keys }: World): Attempt {
  const isCreate = Math.random() < 0.7
  // Creates share a few keys. A key may send ten bulks a minute, so these take all keys in turn.
  const { key } = (isCreate ? pick(keys.slice(0, 30)) : keys[bulks++ % keys.length]) as { key: string }
  const campaignId = pick(campaignIds)
  const idempotencyKey = Math.random() < 0.5 ? crypto.randomUUID() : null
  if (isCreate) {
    const phoneNumber = newPhone()
    const body = { campaignId, phoneNumber, metadata: { note: phoneNumber } }
    return { key, path: '/api/v1/leads', body, phones: [phoneNumber], idempotencyKey }
  }
  const phones = Array.from({ length: smallNumber(Math.random() < 0.2 ? 1000 : 300) }, newPhone)
  // Some are so large that their leads are cut into several statements.
  const note = Math.random() < 0.05 ? 'x'.repeat(4_000) : 'x'
  const leads = phones.map((phoneNumber) => ({ phoneNumber, metadata: { note } }))
  return { key, path: '/api/v1/leads/bulk', body: { campaignId, leads }, phones, idempotencyKey }
}

/** Waits as long as a refusal says. */
async function postPatiently(server: Server, attempt: Attempt): Promise<Answer> {
  for (;;) {
    const answer = await post(server, attempt)
    if (answer.status !== 429) return answer
    await new Promise((resolve) => setTimeout(resolve, 1000 * Number(answer.headers['retry-after'])))
  }
}

function post({ port }: Server, { key, path, body, idempotencyKey }: Attempt): Promise<Answer> {
  return sendJson(
    port,
    key,
    'POST',
    path,
    body,
    idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey },
  )
}
