// What `lead import` makes of a file, and what it tells of each row, against a service in memory. Its report is in
// import-report.test.ts; processes, the real service and its exports are in lead.test.ts; what is refused before
// anything is sent, in lead-refused.test.ts.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { makeKey } from '../../src/base/access/api-key.ts'
import { importTo, ownKey, readReport, tally } from './import-runs.ts'
import { type Act, csvFile, phone, phones, startService } from './import-target.ts'
import { dirOfTest } from './project.ts'

/**
 * A jitter that takes the whole wait away: six real waits are half a minute. test/sdk/send.test.ts proves how long they
 * are.
 */
function retryAtOnce(): void {
  const jitter = vi.spyOn(Math, 'random').mockReturnValue(-0.5)
  onTestFinished(() => jitter.mockRestore())
}

describe('The four words', () => {
  it('An import counts what it created, what was there, what repeats, and what is invalid', async () => {
    const service = await startService()
    service.store(phone(2))
    const dir = dirOfTest()
    const lines = [phone(1), phone(2), phone(1), phone(2), '0155']
    const report = join(dir, 'report.csv')
    const { exitCode, tally: told } = await importTo(service, csvFile(dir, 'phoneNumber', ...lines), {
      more: ['--report', report],
    })
    expect({ exitCode, told }).toEqual({ exitCode: 1, told: tally(5, 1, 1, 2, 1) })
    expect(readReport(report).map((row) => [row.importRow, row.importStatus, row.importReason])).toEqual([
      ['3', 'existing', 'Lead already exists'],
      ['4', 'repeated', 'phoneNumber is in an earlier row'],
      ['5', 'repeated', 'phoneNumber is in an earlier row'],
      ['6', 'invalid', 'phoneNumber must be in E.164 format'],
    ])
  })

  it.each(['the same key', 'another key'])(
    'All rows of a file that is imported again with %s are existing',
    async (which) => {
      const service = await startService()
      const file = csvFile(dirOfTest(), 'phoneNumber', phone(1), phone(2), phone(1))
      expect((await importTo(service, file)).tally).toEqual(tally(3, 2, 0, 1))
      const key = which === 'the same key' ? ownKey : makeKey().key
      expect((await importTo(service, file, { key })).tally).toEqual(tally(3, 0, 2, 1))
    },
  )

  it('A row is existing in whichever batch it stands', async () => {
    const service = await startService()
    const dir = dirOfTest()
    const numbers = phones(1500)
    await importTo(service, csvFile(dir, 'phoneNumber', ...numbers))
    const moved = csvFile(dir, 'phoneNumber', phone(5000), ...numbers, phone(3))
    expect((await importTo(service, moved)).tally).toEqual(tally(1502, 1, 1500, 1))
  })
})

/** The third of four requests is stored, and its answer lost six times: the import gives up. */
function breakOff() {
  retryAtOnce()
  let isBroken = true
  const act = (number: number): Act => {
    if (!isBroken || number < 3) return 'forward'
    return number === 3 ? 'keep the answer' : { status: 503, retryAfterSeconds: 0 }
  }
  return { act, mend: () => (isBroken = false) }
}

describe('An import that broke off', () => {
  it.each(['the same key', 'another key'])(
    'An import that broke off continues with %s as if it had not',
    async (which) => {
      const { act, mend } = breakOff()
      const service = await startService(act)
      service.store(phone(2100))
      const dir = dirOfTest()
      const file = csvFile(dir, 'phoneNumber', ...phones(3500), phone(7))
      const broken = await importTo(service, file)
      expect(broken).toMatchObject({ exitCode: 1, stdout: '' })
      expect(broken.stderr).toMatch(
        /503 Not now; 2000 of 3501 rows done: run the same command again to resume/,
      )
      expect(service.stored()).toHaveLength(3000)
      const before = service.bodies.length

      mend()
      const key = which === 'the same key' ? ownKey : makeKey().key
      const { tally: told, stderr } = await importTo(service, file, { key })
      expect(told).toEqual(tally(3501, 3499, 1, 1))
      expect(stderr).toContain('3501 rows, 2000 done by an earlier run: 2 bulk requests')
      // What was confirmed is not sent again; what was not, with the same Idempotency-Key.
      expect(service.bodies.slice(before).map((body) => /\+\d+/.exec(String(body))?.[0])).toEqual([
        phone(2000),
        phone(3000),
      ])
      expect(new Set(service.idempotencyKeys.slice(2, before + 1)).size).toBe(1)
      expect(new Set(service.idempotencyKeys).size).toBe(4)

      // It is done: the next is another import.
      expect((await importTo(service, file)).tally).toEqual(tally(3501, 0, 3500, 1))
    },
  )

  it("Another company's import of the file into a campaign of that id begins anew", async () => {
    const { act, mend } = breakOff()
    const companyOf = (key: string) => (key === ownKey ? 'acme' : 'umbra')
    const service = await startService(act, { companyOf })
    const file = csvFile(dirOfTest(), 'phoneNumber', ...phones(3500))
    expect((await importTo(service, file)).exitCode).toBe(1)
    mend()
    const before = service.bodies.length
    expect((await importTo(service, file, { key: makeKey().key })).tally?.rows).toBe(3500)
    const sent = service.bodies.slice(before).flatMap((body) => JSON.parse(`${body}`).leads)
    expect(sent).toHaveLength(3500)
    // And the first continues where it was.
    expect((await importTo(service, file)).stderr).toContain('2000 done by an earlier run')
  })

  it('An import that broke off has one report', async () => {
    const { act, mend } = breakOff()
    const service = await startService(act)
    const dir = dirOfTest()
    const numbers = ['0155', ...phones(3200).slice(1), '0199']
    const file = csvFile(dir, 'phoneNumber', ...numbers)
    const more = ['--report', join(dir, 'report.csv')]
    await importTo(service, file, { more })
    expect(existsSync(join(dir, 'report.csv'))).toBe(false)
    mend()
    expect((await importTo(service, file, { more })).tally).toEqual(tally(3201, 3199, 0, 0, 2))
    expect(readReport(join(dir, 'report.csv')).map(({ importRow }) => importRow)).toEqual(['2', '3202'])
    expect(readdirSync(dir)).toHaveLength(2)
  })

  it('An import is another once the file, the campaign, the meaning of a column, of all consents or a zone is', async () => {
    const { act, mend } = breakOff()
    const service = await startService(act)
    const dir = dirOfTest()
    const lines = phones(3500).map((number) => `${number},x,`)
    const file = csvFile(dir, 'phoneNumber,a,consentGivenAt', ...lines)
    await importTo(service, file)
    mend()
    const before = service.bodies.length
    await importTo(service, file, { more: ['--map', 'a=b'] })
    await importTo(service, file, { campaign: 'other' })
    await importTo(service, file, { more: ['--consent-purpose', 'p'] })
    await importTo(service, file, { more: ['--consent-text', 't'] })
    await importTo(service, file, { more: ['--zone', 'US=America/New_York'] })
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, `${text}${phone(9000)},y,\n`)
    await importTo(service, file)
    expect(service.bodies.length - before).toBe(24)
    // And the first continues.
    writeFileSync(file, text)
    await importTo(service, file)
    expect(service.bodies.length - before).toBe(26)
  })
})

// Windows has no such files.
describe.runIf(process.platform !== 'win32')('A named pipe', () => {
  it('A named pipe is read as a file is, though it can be read only once', async () => {
    const service = await startService()
    const pipe = join(dirOfTest(), 'rows')
    execFileSync('mkfifo', [pipe])
    const [{ tally: told }] = await Promise.all([
      importTo(service, pipe),
      writeFile(pipe, ['phoneNumber', phone(1), phone(2)].join('\n')),
    ])
    expect(told).toEqual(tally(2, 2))
  })
})

describe('The columns', () => {
  it('A column is known regardless of case and of spaces around, and by --map', async () => {
    const service = await startService()
    const file = csvFile(
      dirOfTest(),
      ' Tel. =1 ,EXTERNALID , Priority,Company,Note',
      `${phone(1)},e1,5,Acme,hello`,
    )
    const more = ['--map', 'tel. =1=phoneNumber', '--map', 'Note=remark']
    expect((await importTo(service, file, { more })).tally).toEqual(tally(1, 1))
    expect(service.stored()).toEqual([
      {
        phoneNumber: phone(1),
        externalId: 'e1',
        priority: 5,
        metadata: { Company: 'Acme', remark: 'hello' },
      },
    ])
  })

  it('An import is named as its file, or as --origin says', async () => {
    const service = await startService()
    const file = csvFile(dirOfTest(), 'phoneNumber', phone(1))
    await importTo(service, file)
    await importTo(service, file, { more: ['--origin', 'Fair 2026'] })
    expect(service.importNames).toEqual([basename(file), 'Fair%202026'])
  })

  it('Columns are guessed from their headers as in the console, and named; --map and a field of its own name come first', async () => {
    const service = await startService()
    const file = csvFile(
      dirOfTest(),
      'Kunden-Nr.,Mobile\u00A0Phone,Phone,Priorität,timezone',
      `e1,p:${phone(1)},x,5,Europe/Berlin`,
    )
    const { tally: told, stderr } = await importTo(service, file)
    expect(told).toEqual(tally(1, 0, 0, 0, 1))
    expect(stderr).toContain(
      'Columns by their headers: Kunden-Nr. is externalId, Phone is phoneNumber, Priorität is priority. Another: --map',
    )
    const second = await importTo(service, file, {
      more: ['--map', 'Mobile Phone=phoneNumber', '--map', 'Kunden-Nr.=Kunden-Nr.'],
    })
    expect(second.tally).toEqual(tally(1, 1))
    expect(second.stderr).toContain('Columns by their headers: Priorität is priority. Another: --map')
    const metadata = { 'Kunden-Nr.': 'e1', Phone: 'x' }
    expect(service.stored()).toEqual([
      { phoneNumber: phone(1), priority: 5, timeZone: 'Europe/Berlin', metadata },
    ])
  })

  it('Columns of a consent are sent with the lead, with the purpose and the text of all where a row has none', async () => {
    const service = await startService(undefined, { timeZone: 'Europe/Berlin' })
    const lines = [
      `${phone(1)},2026-01-15T09:30:00Z,,,https://a.example`,
      `${phone(2)},15.01.2026 09:30,own,I agree,`,
      `${phone(3)},,,,`,
      `${phone(4)},yesterday,,,`,
      `${phone(5)},2026-01-15T09:30:00Z,two words,,`,
      `${phone(6)},,own,I agree,https://a.example`,
    ]
    const header = 'phoneNumber,Signed up,consentPurpose,CONSENTTEXT,consentUrl'
    const map = ['--map', 'Signed up=consentGivenAt', '--dates', 'day-first', '--zone', 'US=campaign']
    const more = [...map, '--consent-purpose', 'all', '--consent-text', 'Yes']
    const { tally: told, stderr } = await importTo(service, csvFile(dirOfTest(), header, ...lines), { more })
    expect(told).toEqual(tally(6, 3, 0, 0, 3))
    const [first, second] = ['2026-01-15T09:30:00Z', '2026-01-15T09:30:00+01:00']
    const source = { url: 'https://a.example' }
    expect(service.stored()).toEqual([
      { phoneNumber: phone(1), consent: { purpose: 'all', givenAt: first, text: 'Yes', source } },
      { phoneNumber: phone(2), consent: { purpose: 'own', givenAt: second, text: 'I agree' } },
      { phoneNumber: phone(3) },
    ])
    expect(stderr).toContain(
      `1 date: in the time zone of the campaign: row 3 "15.01.2026 09:30" is ${second}\n`,
    )
    expect(stderr).toMatch(/^1 row: consentGivenAt must be an ISO 8601 .+: row 5 "yesterday"$/m)
    expect(stderr).toMatch(/^1 row: consentPurpose must be 1 to 64 .+: row 6 "two words"$/m)
    expect(stderr).toMatch(/^1 row: consentGivenAt is empty, and consentPurpose is not: row 7 "own"$/m)
  })

  it('Columns of a CRM go into the metadata, those that the service made for an export do not', async () => {
    const service = await startService()
    const dir = dirOfTest()
    await importTo(service, csvFile(dir, 'phoneNumber,status,attempts', `${phone(1)},open,3`))
    const header = '_id,campaignId,phoneNumber,status,attempts,_creationTime'
    await importTo(service, csvFile(dir, header, `x,c,${phone(2)},raw,0,1`))
    expect(service.stored()).toEqual([
      { phoneNumber: phone(1), metadata: { status: 'open', attempts: '3' } },
      { phoneNumber: phone(2) },
    ])
  })

  it('A cell may hold U+FFFD, which is UTF-8 like any other character', async () => {
    const service = await startService()
    await importTo(service, csvFile(dirOfTest(), 'phoneNumber,externalId', `${phone(1)},a\uFFFDb`))
    expect(service.stored()).toMatchObject([{ externalId: 'a\uFFFDb' }])
  })
})

describe('A batch that is too large for the service', () => {
  const tooLarge = { status: 413, error: 'Request body too large' }

  it('A batch that is too large is halved until it is taken, and its rows keep their order', async () => {
    const service = await startService((_, body) => (body.length > 10_000 ? tooLarge : 'forward'))
    const file = csvFile(dirOfTest(), 'phoneNumber', ...phones(1000))
    expect((await importTo(service, file)).tally).toEqual(tally(1000, 1000))
    expect(service.stored().map(({ phoneNumber }) => phoneNumber)).toEqual(phones(1000))
    // 29 KiB, 14 KiB, and then pieces of 7 KiB: what was learned is kept.
    expect(service.bodies.filter((body) => body.length > 10_000)).toHaveLength(2)
    expect(new Set(service.idempotencyKeys).size).toBe(service.bodies.length)
  })

  it('A row that is too large by itself is invalid', async () => {
    const service = await startService((_, body) => (body.includes('large') ? tooLarge : 'forward'))
    const lines = phones(5).map((number, index) => `${number},${index === 2 ? 'large' : 'x'}`)
    const {
      exitCode,
      tally: told,
      stderr,
    } = await importTo(service, csvFile(dirOfTest(), 'phoneNumber,n', ...lines))
    expect({ exitCode, told }).toEqual({ exitCode: 1, told: tally(5, 4, 0, 0, 1) })
    expect(stderr).toContain(`row 4 invalid ${phone(2)}: Request body too large\n`)
  })
})

describe('What an import says while it runs', () => {
  it('An import begins with an estimate and the limit that it follows from', async () => {
    const service = await startService()
    const dir = dirOfTest()
    const few = await importTo(service, csvFile(dir, 'phoneNumber', phone(1)))
    expect(few.stderr).toMatch(
      /^1 row: 1 bulk request, less than a minute, at the limit of 10 requests \(10000 leads\) a minute\n/,
    )
    const many = await importTo(service, csvFile(dir, 'phoneNumber', ...Array(21_001).fill(phone(1))))
    expect(many.stderr).toMatch(/^21001 rows: 22 bulk requests, about 2 min, /)
  })

  it('An import names the rate limit that it waits for, and failures as failures', async () => {
    const answers: Record<number, Act> = {
      1: { status: 429, retryAfterSeconds: 1 },
      2: { status: 503, retryAfterSeconds: 0 },
    }
    const service = await startService((number) => answers[number] ?? 'forward')
    const { exitCode, stderr } = await importTo(service, csvFile(dirOfTest(), 'phoneNumber', phone(1)))
    expect(exitCode).toBe(0)
    expect(stderr.split('\n').slice(1)).toEqual([
      "waiting 1 s for the key's rate limit (10 bulk requests a minute, 1000 requests an hour), which is not an error",
      `${service.url} answered 503 Not now: retrying in 1 s`,
      '1/1 row: 1 created, 0 existing, 0 repeated, 0 invalid',
      '',
    ])
    expect(new Set(service.idempotencyKeys).size).toBe(1)
    expect(new Set(service.bodies.map(String)).size).toBe(1)
  })
})
