// `lead import --country` and `suppression import --country`: files as people have them, and what becomes of each row.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeKey } from '../../src/base/access/api-key.ts'
import { messyFile } from '../support/leads/messy-file.ts'
import { seedCallingWorld } from './calling-world.ts'
import { command, serviceOfFile } from './command.ts'
import { csvFile, startService } from './import-target.ts'
import { dirOfTest } from './project.ts'

describe('Lead import --country', () => {
  it('A file as people have it comes in, none wrongly, and every other row is named with its cause', async () => {
    const { csv, rows } = messyFile(21)
    const dir = dirOfTest()
    const [file, report] = [join(dir, 'leads.csv'), join(dir, 'report.csv')]
    writeFileSync(file, csv)
    const service = await startService()
    const target = ['--campaign', 'c', '--url', service.url, '--key', makeKey().key]
    const how = ['--country', 'de', '--map', 'Telefon=phoneNumber', '--report', report]
    const { exitCode, stdout, stderr } = await command('lead import --json', file, ...target, ...how)

    const created = rows.filter(({ isClear, isRepeated }) => isClear && !isRepeated)
    const repeated = rows.filter(({ isRepeated }) => isRepeated)
    const left = rows.filter(({ isClear }) => !isClear)
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toEqual({
      rows: 5000,
      created: created.length,
      existing: 0,
      repeated: repeated.length,
      invalid: left.length,
    })
    expect(service.stored().map(({ phoneNumber }) => phoneNumber)).toEqual(
      created.map(({ number }) => number),
    )
    const real = rows.filter(({ number }) => number !== null).length
    expect((created.length + repeated.length) / real).toBeGreaterThan(0.95)

    const lines = readFileSync(report, 'utf8').trimEnd().split('\r\n').slice(1)
    const named = lines.map((line) => /;(\d+);(repeated|invalid);"?(phoneNumber .+);/.exec(line)?.slice(1, 3))
    const expected = rows.flatMap(({ row, isClear, isRepeated }) => {
      if (isClear && !isRepeated) return []
      return [[String(row), isClear ? 'repeated' : 'invalid']]
    })
    expect(named).toEqual(expected)
    // With its value: the cells are those of the file.
    const cells = left.filter(({ cell }) => /^\w[\w .]*$/.test(cell) && !/^\d/.test(cell))
    expect(cells.length).toBeGreaterThan(20)
    for (const { row, cell } of cells)
      expect(lines.find((line) => line.startsWith(`Jörg Müller ${row};`))).toContain(`;${cell};`)

    // Before anything is sent: what changes, and what is left out, by count.
    const counts = [...stderr.matchAll(/^(\d+) (number|row)s?: (?!\d+ bulk)/gm)]
    const sum = (what: string) =>
      counts.filter(([, , of]) => of === what).reduce((all, [, count]) => all + Number(count), 0)
    expect(sum('row')).toBe(left.length)
    expect(sum('number')).toBe(rows.filter(({ cell, number, isClear }) => isClear && cell !== number).length)
    expect(stderr.search(/^\d+ row/m)).toBeLessThan(stderr.search(/bulk request/))
  })

  it('Without a country, a number is sent as it is', async () => {
    const service = await startService()
    const file = csvFile(dirOfTest(), 'phoneNumber', '+49 171 1234567', '+491711234568')
    const target = ['--campaign', 'c', '--url', service.url, '--key', makeKey().key]
    const { stdout } = await command('lead import --json', file, ...target)
    expect(JSON.parse(stdout)).toEqual({ rows: 2, created: 1, existing: 0, repeated: 0, invalid: 1 })
  })

  it.each([[], ['--country', 'US']])(
    'Premium-rate and satellite numbers are named, and sent: %j',
    async (...how) => {
      const service = await startService()
      const rows = ['+14155550101', '+12129761234', '+61147123456', '+14155550102', '+12129761234']
      const file = csvFile(dirOfTest(), 'phoneNumber', ...rows)
      const target = ['--campaign', 'c', '--url', service.url, '--key', makeKey().key]
      const { stdout, stderr } = await command('lead import --json', file, ...target, ...how)
      expect(JSON.parse(stdout)).toMatchObject({ rows: 5, created: 4, repeated: 1 })
      expect(stderr).toMatch(
        /^3 numbers: premium-rate .* expensive: row 3 "\+12129761234".*, row 4 "\+61147123456".*, row 6/m,
      )
      const plain = csvFile(dirOfTest(), 'phoneNumber', '+14155550103')
      expect((await command('lead import --json', plain, ...target, ...how)).stderr).not.toContain('premium')
    },
  )

  it('A column Country is read row by row, also without a country that is chosen', async () => {
    const service = await startService()
    const rows = ['0171 1234567,Germany', '0664 1234567,AT', '+49 171 1234568,']
    const file = csvFile(dirOfTest(), 'phoneNumber,Country', ...rows)
    const target = ['--campaign', 'c', '--url', service.url, '--key', makeKey().key]
    const { stdout, stderr } = await command('lead import --json', file, ...target)
    expect(JSON.parse(stdout)).toMatchObject({ rows: 3, created: 2, invalid: 1 })
    expect(service.stored().map(({ phoneNumber }) => phoneNumber)).toEqual(['+491711234567', '+436641234567'])
    expect(stderr).toMatch(/^2 numbers: country code added: row 2 "0171 1234567" is \+491711234567/m)
  })

  it('Numbers that lack their plus are counted, and sent with one only where --plus-added says so', async () => {
    const service = await startService()
    const file = csvFile(dirOfTest(), 'phoneNumber', '491724500002', '491724500003', '0171 1234567')
    const target = ['--campaign', 'c', '--url', service.url, '--key', makeKey().key, '--country', 'DE']
    const without = await command('lead import --json --dry-run', file, ...target)
    expect(JSON.parse(without.stdout)).toMatchObject({ created: 1, invalid: 2 })
    expect(without.stderr).toMatch(
      /^Plus added: 2 numbers, if you say --plus-added: row 2 "491724500002" is \+491724500002/m,
    )
    const { stdout, stderr } = await command('lead import --json', file, ...target, '--plus-added')
    expect(JSON.parse(stdout)).toMatchObject({ created: 3, invalid: 0 })
    expect(stderr).toMatch(/^2 numbers: plus added: row 2/m)
    expect(service.stored()).toContainEqual({ phoneNumber: '+491724500003' })
  })

  it('A dry run stores nothing, and says what an import would do, in the same figures', async () => {
    const service = await startService()
    service.store('+491711234567')
    const dir = dirOfTest()
    const rows = ['0171 1234567', '0171 1234568', '+49 171 1234568', '171 1234569', '0049 171 1234570']
    const file = csvFile(dir, 'phoneNumber', ...rows)
    const target = ['--campaign', 'c', '--url', service.url, '--key', makeKey().key, '--country', 'DE']
    const dry = await command('lead import --json --dry-run', file, ...target)
    const figures = { rows: 5, created: 2, existing: 1, repeated: 1, invalid: 1 }
    expect([dry.exitCode, JSON.parse(dry.stdout)]).toEqual([1, figures])
    expect(dry.stderr).toMatch(/^2 numbers: country code added: row 2 "0171 1234567" is \+491711234567/m)
    expect(dry.stderr).toMatch(/^Dry run, nothing is stored: 5 rows/m)
    expect(service.stored()).toHaveLength(1)
    const done = await command('lead import --json', file, ...target)
    expect(JSON.parse(done.stdout)).toEqual(figures)
    expect(service.stored()).toHaveLength(3)
  })

  it('A change that is refused makes its rows invalid', async () => {
    const service = await startService()
    const file = csvFile(dirOfTest(), 'phoneNumber', '0171 1234567', '+49 (0)171 1234568', '+49 171 1234569')
    const target = ['--campaign', 'c', '--url', service.url, '--key', makeKey().key, '--country', 'DE']
    const how = ['--refuse', 'national, zero']
    const { stdout, stderr } = await command('lead import --json', file, ...target, ...how)
    expect(JSON.parse(stdout)).toMatchObject({ created: 1, invalid: 2 })
    expect(stderr).toMatch(/^2 rows: phoneNumber .+ turned off: row 2 "0171 1234567", row 3/m)
  })

  it('Dates are read in the zone of the campaign, which is named, once their order is confirmed', async () => {
    const service = await startService(undefined, { timeZone: 'Europe/Berlin' })
    const dates = ['24.12.2026 10:00', '2026-07-01T10:00:00Z', '31.02.2026 10:00']
    const lines = dates.map((date, index) => `+4917112345${60 + index};${date}`)
    const file = csvFile(dirOfTest(), 'phoneNumber;scheduledFor', ...lines)
    const target = ['--campaign', 'c', '--url', service.url, '--key', makeKey().key]
    const { stdout, stderr } = await command('lead import --json', file, ...target, '--dates', 'day-first')
    expect(JSON.parse(stdout)).toMatchObject({ rows: 3, created: 2, invalid: 1 })
    expect(service.stored().map(({ scheduledFor }) => scheduledFor)).toEqual([
      '2026-12-24T10:00:00+01:00',
      '2026-07-01T10:00:00Z',
    ])
    expect(stderr).toMatch(
      /^Dates without an offset are read in Europe\/Berlin, the time zone of campaign c$/m,
    )
    expect(stderr).toMatch(/^1 date: .+: row 2 "24\.12\.2026 10:00" is 2026-12-24T10:00:00\+01:00/m)
    expect(stderr).toMatch(/^1 row: scheduledFor .+: row 4 "31\.02\.2026 10:00"/m)
  })

  it('A file without a header keeps its first lead, and the command says so', async () => {
    const service = await startService()
    const file = csvFile(dirOfTest(), 'Ada;+491711234567', 'Bob;+491711234568')
    const target = ['--campaign', 'c', '--url', service.url, '--key', makeKey().key]
    const { exitCode, stderr } = await command('lead import --json', file, ...target)
    expect([exitCode, stderr]).toEqual([
      0,
      expect.stringMatching(/^The file has no header: row 1 is imported$/m),
    ])
    expect(service.stored()).toEqual([
      { phoneNumber: '+491711234567', metadata: { 'column 1': 'Ada' } },
      { phoneNumber: '+491711234568', metadata: { 'column 1': 'Bob' } },
    ])
  })

  it.each([',', ';', '\t'])(
    'The delimiter is recognized, behind a byte order mark (%j)',
    async (delimiter) => {
      const service = await startService()
      const lines = [
        ['\uFEFFphoneNumber', 'name'],
        ['+491711234567', 'Ada'],
      ]
      const file = csvFile(dirOfTest(), ...lines.map((cells) => cells.join(delimiter)))
      const target = ['--campaign', 'c', '--url', service.url, '--key', makeKey().key]
      const { exitCode } = await command('lead import --json', file, ...target)
      expect(exitCode).toBe(0)
      expect(service.stored()).toEqual([{ phoneNumber: '+491711234567', metadata: { name: 'Ada' } }])
    },
  )
})

describe('Suppression import --country', () => {
  const service = serviceOfFile()

  it('Every number ends as added, existing, repeated, or not added with its cell and why', async () => {
    const world = await seedCallingWorld(service)
    await world.run(`suppression add +491711234567 --company ${world.company}`)
    const rows = ['0171 1234567', '+49 (0)30 1234567', '030/1234567', '49301234568', '0171 1, 0172 2']
    const file = csvFile(dirOfTest(), 'name;phoneNumber', ...rows.map((cell) => `Ada;${cell}`))
    const { exitCode, stdout, stderr } = await world.run(
      `suppression import ${file} --country DE --company ${world.company} --json`,
    )
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ rows: 5, added: 1, existing: 1, repeated: 1, invalid: 2 })
    expect(stderr).toMatch(/^row 5 invalid: 49301234568: phoneNumber starts with neither \+ nor the prefix/m)
    expect(stderr).toMatch(/^row 6 invalid: 0171 1, 0172 2: phoneNumber /m)
    const left = readFileSync(file.replace('.csv', '.rejected.csv'), 'utf8').split('\r\n')
    expect(left[1]).toMatch(/^Ada;49301234568;5;/)
  })

  it('A dry run sends nothing, and shows what each number becomes', async () => {
    const world = await seedCallingWorld(service)
    const file = csvFile(
      dirOfTest(),
      'phoneNumber',
      '0171 1234567',
      '+49 171 1234567',
      '0049 30 1234567',
      'x',
    )
    const words = `suppression import ${file} --country DE --company ${world.company} --dry-run --json`
    const { exitCode, stdout, stderr } = await world.run(words)
    expect([exitCode, JSON.parse(stdout)]).toEqual([1, { rows: 4, numbers: 2, repeated: 1, invalid: 1 }])
    expect(stderr).toMatch(/^1 number: country code added: row 2 "0171 1234567" is \+491711234567$/m)
    expect(stderr).toMatch(/^row 5 invalid: x: phoneNumber has letters/m)
    expect(
      (await world.run(`suppression list --csv --company ${world.company}`)).stdout.split('\n'),
    ).toHaveLength(2)
  })
})
