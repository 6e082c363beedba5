// `lead import` against a real server, as processes where that makes a difference. Each test has a campaign
// and an API key of its own, because a key has only ten bulk requests a minute.
import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { makeKey } from '../../src/base/access/api-key.ts'
import type { keyScopes } from '../../src/base/access/scope.ts'
import { leadIdOf } from '../../src/queue/leads/lead.ts'
import type { LeadRow } from '../../src/queue/leads/store/field-columns.ts'
import { configure, createCampaign, createCompany, createKey } from '../support/companies/administration.ts'
import { madeFiles } from '../support/leads/exports.ts'
import { command, serviceOfFile } from './command.ts'
import { csvFile, lead, phone, phones, startProxy } from './import-target.ts'
import { removeDir, temporaryDir } from './project.ts'

const server = serviceOfFile()
const dir = temporaryDir()
afterAll(() => removeDir(dir))

async function seed(scope: (typeof keyScopes)[number] = 'write') {
  const id = randomUUID()
  const createdAtMs = Date.now()
  await createCompany(server.db, { id, name: 'Acme', createdAtMs })
  await createCampaign(server.db, { id, companyId: id, name: 'Spring', createdAtMs })
  const { key, material } = makeKey()
  const rights = { companyId: id, campaignId: id, scope, name: 'import', expiresAtMs: null }
  await createKey(server.db, { ...material, ...rights, nowMs: createdAtMs })
  return { campaign: id, key }
}

type Target = { campaign: string; key: string }

const importFrom = (file: string, url: string, { campaign, key }: Target) =>
  command('lead import --json', file, '--campaign', campaign, '--url', url, '--key', key)

async function stored(campaign: string): Promise<readonly LeadRow[]> {
  const { results } = await server.db
    .prepare(
      `select seq, leads.created_at_ms as createdAtMs, token, phone_number as phoneNumber, external_id as externalId,
         priority, scheduled_for as scheduledFor, nullif(lane, '') as timeZone, metadata
       from leads join campaigns on campaigns.number = campaign_number where campaigns.id = ?1 order by seq`,
    )
    .bind(campaign)
    .run<LeadRow>()
  return results
}

describe('Lead import', () => {
  it('An import stores the good rows, and reports the result of each other row, and why', async () => {
    const to = await seed()
    const file = csvFile(
      dir,
      '\uFEFFphoneNumber,externalId,priority,metadata,scheduledFor,Company',
      `${phone(1)},crm-1,7,"{""id"":12345678901234567890}",2027-01-15T09:30:00+01:00,"Acme, Inc."`,
      `${phone(2)},,,,,`,
      '',
      `${phone(1)},crm-2,,,,`,
      '0155,,,,,',
      `${phone(3)},,high,,,`,
      `${phone(4)},,,[1],,`,
      `${phone(5)},,,,tomorrow,`,
      phone(6),
    )
    const report = join(dir, 'report.csv')
    const words = ['import', file, '--campaign', to.campaign, '--url', server.base, '--report', report]
    const { exitCode, stdout, stderr } = await lead(words, to.key).finished
    expect(stdout).toBe('8 rows: 2 created, 0 existing, 1 repeated, 5 invalid.\n')
    expect(exitCode).toBe(1)
    expect(stderr.split('\n').slice(1)).toEqual([
      '8/8 rows: 2 created, 0 existing, 1 repeated, 5 invalid',
      '',
    ])

    const leads = await stored(to.campaign)
    expect(leads).toMatchObject([
      {
        phoneNumber: phone(1),
        externalId: 'crm-1',
        priority: 7,
        scheduledFor: '2027-01-15T09:30:00+01:00',
        metadata: '{"id":12345678901234567890,"Company":"Acme, Inc."}',
      },
      { phoneNumber: phone(2), externalId: null, priority: 0, scheduledFor: null, metadata: null },
    ])
    const columns = 'phoneNumber,externalId,priority,metadata,scheduledFor,Company'
    const repeated = `5,repeated,phoneNumber is in an earlier row,${leadIdOf(leads[0] as LeadRow)}`
    expect(readFileSync(report, 'utf8').split('\r\n')).toEqual([
      `${columns},importRow,importStatus,importReason,importLeadId`,
      `${phone(1)},crm-2,,,,,${repeated}`,
      '0155,,,,,,6,invalid,phoneNumber must be in E.164 format,',
      `${phone(3)},,high,,,,7,invalid,priority must be an integer between 0 and 100,`,
      `${phone(4)},,,[1],,,8,invalid,metadata must be an object,`,
      `${phone(5)},,,,tomorrow,,9,invalid,scheduledFor must be an ISO 8601 timestamp with a UTC offset,`,
      `${phone(6)},,,,,,10,invalid,not a data row (1 column instead of 6),`,
      '',
    ])
  })

  it('An import makes the same leads of a list that the service gave as CSV', async () => {
    const [from, to] = [await seed(), await seed()]
    const leads = [
      { externalId: '=1+1', metadata: { a: 'x;=1', n: '\uFFFD "q"\n' }, priority: 3 },
      { externalId: "'=quoted", scheduledFor: '2027-01-15T09:30:00.000+0000', timeZone: 'Asia/Tokyo' },
      { externalId: ' spaced, \t-1|@x ', metadata: {} },
      {},
    ].map((lead, index) => ({ phoneNumber: phone(index), ...lead }))
    const headers = { 'x-api-key': from.key, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ campaignId: from.campaign, leads })
    await fetch(`${server.base}/api/v1/leads/bulk`, { method: 'POST', headers, body })
    const list = `${server.base}/api/v1/leads?campaignId=${from.campaign}`
    const exported = await fetch(list, { headers: { ...headers, Accept: 'text/csv' } })
    const file = join(dir, 'export.csv')
    writeFileSync(file, await exported.text())
    const { stdout } = await importFrom(file, server.base, to)
    expect(JSON.parse(stdout)).toMatchObject({ created: 4, invalid: 0 })
    const sent = ({ phoneNumber, externalId, metadata, scheduledFor, priority, timeZone }: LeadRow) => ({
      ...{ phoneNumber, externalId, metadata, scheduledFor, priority, timeZone },
    })
    const imported = (await stored(to.campaign)).map(sent)
    expect(imported).toEqual((await stored(from.campaign)).map(sent))
    expect(imported[1]).toMatchObject({ timeZone: 'Asia/Tokyo' })
  })

  it('An import reads stdin, which comes once', async () => {
    const to = await seed()
    // More than a pipe holds.
    const rows = phones(6_000).map((number) => `0${number}`)
    const words = ['import', '-', '--campaign', to.campaign, '--url', server.base, '--json']
    const report = ['--report', join(dir, `${to.campaign}.csv`)]
    const input = ['phoneNumber', ...rows, phone(1)].join('\n')
    const { stdout } = await lead([...words, ...report], to.key, input).finished
    expect(JSON.parse(stdout)).toMatchObject({ rows: 6_001, created: 1, invalid: 6_000 })
  })

  it('An import ends with 0 when every row is created or existing, printed on stderr', async () => {
    const to = await seed()
    const file = csvFile(dir, 'phoneNumber', phone(1), phone(2), phone(1))
    const { exitCode, stdout, stderr } = await importFrom(file, server.base, to)
    expect({ exitCode, tally: JSON.parse(stdout) }).toEqual({
      exitCode: 0,
      tally: { rows: 3, created: 2, existing: 0, repeated: 1, invalid: 0 },
    })
    expect(stderr).toMatch(
      /^3 rows: .+\nrow 4 repeated \+14155550001: phoneNumber is in an earlier row \(\w+\)\n3\/3 rows: .+\n$/,
    )
  })

  it('An import resumes where it was killed, and reports as if it had not been', async () => {
    const to = await seed()
    const file = csvFile(dir, 'phoneNumber', ...phones(3500))
    const proxy = await startProxy(server.base, (number) => (number === 3 ? 'keep the answer' : 'forward'))
    const run = lead(['import', file, '--campaign', to.campaign, '--url', proxy.url], to.key)
    await proxy.kept
    run.kill()
    expect((await run.finished).exitCode).toBe(-1)
    // Stored, but nobody got the answer.
    expect(await stored(to.campaign)).toHaveLength(3000)

    const { exitCode, stdout } = await importFrom(file, proxy.url, to)
    expect({ exitCode, tally: JSON.parse(stdout) }).toEqual({
      exitCode: 0,
      tally: { rows: 3500, created: 3500, existing: 0, repeated: 0, invalid: 0 },
    })
    expect(await stored(to.campaign)).toHaveLength(3500)
  })

  it('An import sends fewer rows at once where a request would pass 8 MiB', async () => {
    const to = await seed()
    const note = 'x'.repeat(16_000)
    const file = csvFile(dir, 'phoneNumber,note', ...phones(600).map((number) => `${number},${note}`))
    const proxy = await startProxy(server.base, () => 'forward')
    const { stdout } = await importFrom(file, proxy.url, to)
    expect(JSON.parse(stdout)).toMatchObject({ created: 600 })
    expect(proxy.bodies.map((body) => body.length <= 8 * 1024 * 1024)).toEqual([true, true])
  })

  it('An import stops at a refusal, and never prints the key', async () => {
    const to = await seed('read')
    const file = csvFile(dir, 'phoneNumber', phone(1))
    const { exitCode, stdout, stderr } = await importFrom(file, server.base, to)
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toMatch(/\nerror: http.+ answered 403 Insufficient permissions\..*; 0 of 1 row done\n$/)
    expect(stderr).not.toContain(to.key)
  })
})

describe('A file as its maker writes it, imported with what the check proposes', () => {
  const zone = 'Europe/Berlin'
  const daytime = [['08:00', '20:00']]
  const hours = Object.fromEntries(
    ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, daytime]),
  )

  it.for(madeFiles)(
    '$maker: no number that says no is called, and nobody before eight by the clock chosen',
    async (made) => {
      const { campaign, key } = await seed('manage')
      await configure(server.db, { companyId: campaign, campaignId: campaign }, {
        timeZone: zone,
        callingHours: hours,
      } as object)
      const file = join(dir, `${randomUUID()}.csv`)
      writeFileSync(file, made.bytes)
      const target = ['--campaign', campaign, '--url', server.base, '--key', key, '--country', made.country]
      const encoding = made.encoding === undefined ? [] : ['--encoding', made.encoding]
      const clock = made.country === 'US' ? ['--zone', 'US=America/Los_Angeles'] : []
      const { exitCode, stderr } = await command('lead import', file, ...target, ...encoding, ...clock)
      expect([exitCode, stderr.includes('error:')]).toEqual([made.refused.length > 0 ? 1 : 0, false])
      const ask = async (path: string) =>
        (await fetch(`${server.base}/api/v1${path}`, { headers: { 'x-api-key': key } })).json() as Promise<{
          data: never
        }>
      const { data } = (await ask(`/leads?campaignId=${campaign}`)) as {
        data: { leads: { _id: string; phoneNumber: string; timeZone?: string }[] }
      }
      expect(data.leads.map(({ phoneNumber }) => phoneNumber)).toEqual(made.numbers)
      const { data: listed } = (await ask(`/suppressions?campaignId=${campaign}`)) as {
        data: { suppressions: { phoneNumber: string }[] }
      }
      expect(listed.suppressions.map(({ phoneNumber }) => phoneNumber)).toEqual(made.noes)
      for (const { _id, timeZone = zone } of data.leads) {
        const { data: calling } = (await ask(`/leads/${_id}/calling`)) as { data: { nextCallAt: string } }
        const hour = new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', hourCycle: 'h23' })
        expect(
          Number(hour.format(Math.max(Date.parse(calling.nextCallAt), Date.now()))),
        ).toBeGreaterThanOrEqual(8)
        if (made.country === 'US') expect(timeZone).toBe('America/Los_Angeles')
      }
    },
  )
})
