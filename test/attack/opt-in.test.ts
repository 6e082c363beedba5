// Attacks on what a request can opt in to: idempotency keys, cursors, filters, CSV, ids of leads.
import { env, exports } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Answer, api, type Lead } from '../support/api.ts'
import { stopClock } from '../support/clock.ts'
import { dataOf, expectFailure } from '../support/expectations.ts'
import { newPhone, newPhones, seedCampaign, seedKey, seedWorld, storedPhones } from '../support/world.ts'

afterEach(() => void vi.useRealTimers())

const toLeads = (phones: readonly string[]) => phones.map((phoneNumber) => ({ phoneNumber }))
const idempotent = (key: string) => ({ 'idempotency-key': key })

describe('Idempotency-Key', () => {
  it.each([
    ['of 255 characters', 'k'.repeat(255), 201],
    ['of one character', '!', 201],
    ['of 256 characters', 'k'.repeat(256), 400],
    ['that is empty', '', 400],
    ['with a space', 'a b', 400],
    ['with a tab', 'a\tb', 400],
    ['sent twice', 'a, b', 400],
  ])('%s is answered with its rule: %s', async (_, key, status) => {
    const { campaign, campaignId, writeKey } = await seedWorld()
    const answer = await api(writeKey).createLead({ campaignId, phoneNumber: newPhone() }, idempotent(key))
    expect(answer.status).toBe(status)
    expect(await storedPhones(campaign)).toHaveLength(status === 201 ? 1 : 0)
  })

  it('creates once when the same request is sent twenty times at once', async () => {
    const { campaign, campaignId, writeKey } = await seedWorld()
    const [phoneNumber] = newPhones(1) as [string]
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        api(writeKey).createLead({ campaignId, phoneNumber }, idempotent('x')),
      ),
    )
    const ids = new Set(answers.map((answer) => dataOf(answer, 201).leadId))
    expect(ids.size).toBe(1)
    expect(answers.filter((answer) => !answer.headers.has('idempotent-replayed'))).toHaveLength(1)
    expect(await storedPhones(campaign)).toEqual([phoneNumber])
  })

  it('lets one of twenty different requests with the same key create', async () => {
    const { campaign, campaignId, writeKey } = await seedWorld()
    const answers = await Promise.all(
      newPhones(20).map((phoneNumber) =>
        api(writeKey).createLead({ campaignId, phoneNumber }, idempotent('x')),
      ),
    )
    const created = answers.filter((answer) => answer.status === 201)
    expect(created).toHaveLength(1)
    for (const answer of answers) {
      if (answer.status !== 201)
        expectFailure(answer, 409, 'Idempotency-Key was used for a different request')
    }
    expect(await storedPhones(campaign)).toHaveLength(1)
  })

  it('answers a bulk the same ten times at once, and stores its leads once', async () => {
    const { companyId, campaign, campaignId } = await seedWorld()
    const { key } = await seedKey({ companyId })
    const phones = newPhones(50)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        api(key).importLeads({ campaignId, leads: toLeads(phones) }, idempotent('x')),
      ),
    )
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1)
    expect(dataOf(answers[0] as (typeof answers)[0], 200).created).toBe(50)
    expect(await storedPhones(campaign)).toEqual(phones)
  })

  it('is another one for another API key, even of the same company, and tells nothing of the first', async () => {
    const { companyId, campaignId, writeKey } = await seedWorld()
    const { key } = await seedKey({ companyId })
    const first = await api(writeKey).createLead({ campaignId, phoneNumber: newPhone() }, idempotent('x'))
    const second = await api(key).createLead({ campaignId, phoneNumber: newPhone() }, idempotent('x'))
    expect(dataOf(second, 201).leadId).not.toBe(dataOf(first, 201).leadId)
    expect(second.headers.has('idempotent-replayed')).toBe(false)
  })

  it('is not reached by another key’s that reads alike', async () => {
    const { companyId, campaignId } = await seedWorld()
    const { key, id } = await seedKey({ companyId })
    dataOf(await api(key).createLead({ campaignId, phoneNumber: newPhone() }, idempotent('a')), 201)
    const other = await seedKey({ companyId })
    // What is hashed is the key's id, a space and the header.
    const answer = await api(other.key).createLead(
      { campaignId, phoneNumber: newPhone() },
      idempotent(`${id}a`),
    )
    dataOf(answer, 201)
  })

  it('is judged after the key’s right: a denied campaign and a read key are refused as ever', async () => {
    const { readKey, campaignId, writeKey } = await seedWorld()
    const foreign = await seedWorld()
    dataOf(await api(writeKey).createLead({ campaignId, phoneNumber: newPhone() }, idempotent('x')), 201)
    const body = { campaignId: foreign.campaignId, phoneNumber: newPhone() }
    expectFailure(
      await api(writeKey).createLead(body, idempotent('x')),
      403,
      'Campaign not found or access denied',
    )
    expectFailure(await api(readKey).createLead(body, idempotent('x')), 403, 'Insufficient permissions')
  })
})

async function walk(
  key: string,
  query: Record<string, string>,
  between: () => Promise<unknown> = async () => {},
) {
  const leads: Lead[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const answer: Answer = await api(key).listLeads({ ...query, ...(cursor && { cursor }) })
    const page = dataOf(answer, 200) as { leads: Lead[]; nextCursor: string | null }
    leads.push(...page.leads)
    cursor = page.nextCursor
    await between()
  }
  return leads
}

describe('A list that is walked', () => {
  it.each([{}, { status: 'raw' }, { createdAfter: '1' }])(
    'misses no lead and repeats none while others are added: %j',
    async (filter) => {
      const { companyId, campaignId, writeKey } = await seedWorld()
      const before = newPhones(40)
      dataOf(await api(writeKey).importLeads({ campaignId, leads: toLeads(before) }), 200)
      let turns = 0
      const adding: Promise<unknown>[] = []
      const walked = await walk(writeKey, { campaignId, limit: '7', ...filter }, async () => {
        if (++turns > 12) return
        const { key } = await seedKey({ companyId })
        adding.push(api(key).importLeads({ campaignId, leads: toLeads(newPhones(2)) }))
        adding.push(api(key).createLead({ campaignId, phoneNumber: newPhone() }))
      })
      await Promise.all(adding)
      const whole = dataOf(await api(writeKey).listLeads({ campaignId }), 200).leads
      const ids = walked.map((lead) => lead._id)
      expect(new Set(ids).size).toBe(ids.length)
      expect(walked.slice(0, 40).map((lead) => lead.phoneNumber)).toEqual(before)
      expect(ids).toEqual(whole.slice(0, ids.length).map((lead) => lead._id))
    },
  )

  it('shows times of creation that never fall, even when clocks step back', async () => {
    stopClock()
    const { companyId, campaignId } = await seedWorld()
    const startMs = Date.now()
    const steps = [0, 5_000, -3_600_000, 1, -86_400_000, 60_000, 59_000, -1, 0]
    for (const [index, stepMs] of steps.entries()) {
      vi.setSystemTime(startMs + stepMs)
      const { key } = await seedKey({ companyId })
      const [a, b, c] = newPhones(3) as [string, string, string]
      if (index % 2)
        dataOf(await api(key, { bindings: {} }).importLeads({ campaignId, leads: toLeads([a, b, c]) }), 200)
      else dataOf(await api(key, { bindings: {} }).createLead({ campaignId, phoneNumber: a }), 201)
    }
    const { key } = await seedKey({ companyId })
    const { leads } = dataOf(await api(key, { bindings: {} }).listLeads({ campaignId }), 200)
    const times = leads.map((lead) => lead._creationTime)
    expect(times).toEqual(times.toSorted((x, y) => x - y))
    expect(leads.map((lead) => lead._id)).toEqual(leads.map((lead) => lead._id).toSorted())
    for (const boundMs of [startMs - 1, startMs, startMs + 5_000, startMs + 60_000]) {
      const after = dataOf(
        await api(key, { bindings: {} }).listLeads({ campaignId, createdAfter: String(boundMs) }),
        200,
      )
      expect(after.count).toBe(times.filter((time) => time > boundMs).length)
      const until = dataOf(
        await api(key, { bindings: {} }).listLeads({ campaignId, createdBefore: String(boundMs) }),
        200,
      )
      expect(until.count).toBe(times.filter((time) => time < boundMs).length)
    }
  })
})

describe('A cursor', () => {
  it('of another campaign shows nothing of it', async () => {
    const { companyId, campaign, campaignId, writeKey } = await seedWorld()
    const others = await Promise.all([seedCampaign(companyId), seedCampaign(companyId)])
    for (const each of [campaign, ...others]) {
      await api(writeKey).importLeads({ campaignId: each.id, leads: toLeads(newPhones(3)) })
    }
    const own = await storedPhones(campaign)
    for (const each of [campaign, ...others]) {
      const list = dataOf(await api(writeKey).listLeads({ campaignId: each.id, limit: '1' }), 200)
      const { nextCursor } = list as unknown as { nextCursor: string }
      const { leads } = dataOf(await api(writeKey).listLeads({ campaignId, cursor: nextCursor }), 200)
      for (const lead of leads) expect(own).toContain(lead.phoneNumber)
    }
  })

  it.each([
    '0',
    '00000000000000',
    'ffffffffffffff',
    '1fffffffffffff',
    '20000000000000',
    "0' or 1=1 --aa",
    'FFFFFFFFFFFFFF',
    '\0'.repeat(14),
    'x'.repeat(5_000),
  ])('that was forged shows the campaign’s own leads, none, or is refused: %s', async (cursor) => {
    const { campaign, campaignId, writeKey } = await seedWorld()
    const foreign = await seedWorld()
    await api(foreign.writeKey).importLeads({ campaignId: foreign.campaignId, leads: toLeads(newPhones(3)) })
    await api(writeKey).importLeads({ campaignId, leads: toLeads(newPhones(3)) })
    const own = await storedPhones(campaign)
    const answer = await api(writeKey).listLeads({ campaignId, cursor })
    if (answer.status === 400) return expectFailure(answer, 400, 'cursor is not valid')
    for (const lead of dataOf(answer, 200).leads) expect(own).toContain(lead.phoneNumber)
  })
})

describe('A filter', () => {
  const sqlTexts = [
    "' or 1=1 --",
    '" or ""="',
    '%',
    '_',
    'a%',
    '*',
    '?',
    '?1',
    ':x',
    '$1',
    "\\' or 1=1",
    "x'; drop table leads; --",
  ]

  it.each(sqlTexts)('is a value, never SQL: externalId %s', async (text) => {
    const { campaign, campaignId, writeKey } = await seedWorld()
    const [a, b] = newPhones(2) as [string, string]
    dataOf(await api(writeKey).createLead({ campaignId, phoneNumber: a, externalId: text }), 201)
    dataOf(await api(writeKey).createLead({ campaignId, phoneNumber: b, externalId: 'abc' }), 201)
    const found = dataOf(await api(writeKey).listLeads({ campaignId, externalId: text }), 200)
    expect(found.leads.map((lead) => [lead.phoneNumber, lead.externalId])).toEqual([[a, text]])
    for (const name of ['status', 'phoneNumber', 'createdAfter', 'createdBefore', 'limit', 'cursor']) {
      expect((await api(writeKey).listLeads({ campaignId, [name]: text })).status).toBe(400)
    }
    expectFailure(
      await api(writeKey).listLeads({ campaignId: text }),
      403,
      'Campaign not found or access denied',
    )
    expect(await storedPhones(campaign)).toEqual([a, b])
  })

  it.each([
    ['0', 2],
    ['1', 2],
    ['999999999999999', 0],
    ['1970-01-01T00:00:00Z', 2],
    ['9999-12-31T23:59:59Z', 0],
    ['0001-01-01T00:00:00Z', 2],
    ['0000-01-01T00:00:00+23:59', 2],
  ])('takes times as far away as they get: createdAfter %s', async (createdAfter, count) => {
    const { campaignId, writeKey } = await seedWorld()
    await api(writeKey).importLeads({ campaignId, leads: toLeads(newPhones(2)) })
    expect(dataOf(await api(writeKey).listLeads({ campaignId, createdAfter }), 200).count).toBe(count)
    const before = dataOf(await api(writeKey).listLeads({ campaignId, createdBefore: createdAfter }), 200)
    expect(before.count).toBe(2 - count)
  })

  it.each([
    '-1',
    '1e3',
    '9999999999999999',
    '1.5',
    '0x10',
    'NaN',
    '+275760-09-13T00:00:00Z',
    '2030-13-01T00:00:00Z',
  ])('refuses what is no time: createdAfter %s', async (createdAfter) => {
    const { campaignId, writeKey } = await seedWorld()
    expect((await api(writeKey).listLeads({ campaignId, createdAfter })).status).toBe(400)
  })
})

describe('A CSV', () => {
  const formulas = [
    '=1+1',
    '+1',
    '-1',
    '@SUM(1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '＝1',
    '＋1',
    '－1',
    '＠1',
    '=cmd|"/c calc"!A1',
    '=a,b',
  ]

  it.each(formulas)('holds no cell that a spreadsheet would run: %j', async (externalId) => {
    const { campaignId, writeKey } = await seedWorld()
    const [phoneNumber] = newPhones(1) as [string]
    dataOf(
      await api(writeKey).createLead({ campaignId, phoneNumber, externalId, metadata: { f: externalId } }),
      201,
    )
    const { text } = await csvOf(writeKey, campaignId)
    const [, row] = parseCsv(text)
    expect(row?.[3]).toBe(`'${externalId}`)
    for (const [column, cell] of (row ?? []).entries()) {
      if (column !== 2) expect(cell).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/)
    }
    expect(row?.[2]).toBe(phoneNumber)
  })
})

async function csvOf(key: string, campaignId: string): Promise<{ text: string }> {
  const response = await exports.default.fetch(
    `http://lead-intake.test/api/v1/leads?campaignId=${campaignId}`,
    {
      headers: { 'x-api-key': key, accept: 'text/csv' },
    },
  )
  return { text: await response.text() }
}

/** RFC 4180. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === '\r\n') rows.push([])
  }
  return rows
}

describe('The id of a lead', () => {
  it('of another company is told from one that was never given by nothing', async () => {
    const { writeKey } = await seedWorld()
    const foreign = await seedWorld()
    const lead = { campaignId: foreign.campaignId, phoneNumber: newPhone() }
    const { leadId } = dataOf(await api(foreign.writeKey).createLead(lead), 201)
    const forged = [
      leadId,
      `${leadId.slice(0, 25)}AAAAAAAAAAA`,
      `${'0'.repeat(25)}AAAAAAAAAAA`,
      `${'f'.repeat(25)}zzzzzzzzzzz`,
    ]
    const answers = await Promise.all(forged.map((id) => api(writeKey).request('GET', `/api/v1/leads/${id}`)))
    const looks = answers.map(({ status, text, headers }) =>
      [status, text, headers.get('x-error-code')].join(),
    )
    expect(new Set(looks)).toEqual(new Set([looks[0]]))
    expectFailure(answers[0] as Answer, 404, 'Lead not found')
    // Its owner finds it by the whole id only.
    expect((await api(foreign.writeKey).request('GET', `/api/v1/leads/${leadId}`)).status).toBe(200)
    const guessed = forged.slice(1).map((id) => api(foreign.writeKey).request('GET', `/api/v1/leads/${id}`))
    for (const { status } of await Promise.all(guessed)) expect(status).toBe(404)
  })

  it('in Location leads nowhere for a key that may not see the campaign', async () => {
    const { companyId, campaign, campaignId, writeKey } = await seedWorld()
    const other = await seedCampaign(companyId)
    const { key } = await seedKey({ companyId, campaign: other })
    const created = await api(writeKey).createLead({ campaignId, phoneNumber: newPhone() })
    const location = created.headers.get('location') as string
    expect((await api(writeKey).request('GET', location)).status).toBe(200)
    expectFailure(await api(key).request('GET', location), 404, 'Lead not found')
    expect(await storedPhones(campaign)).toHaveLength(1)
    expect(await env.DB.prepare('select count(*) as stored from leads').first('stored')).not.toBe(0)
  })
})
