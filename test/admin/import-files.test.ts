// `lead import` of files as people have them: other encodings, Excel workbooks, and exports of three makers.
import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { madeFiles } from '../support/leads/exports.ts'
import { workbook } from '../support/leads/workbook.ts'
import { command } from './command.ts'
import { importTo, ownKey, readReport, tally } from './import-runs.ts'
import { phone, startService } from './import-target.ts'
import { dirOfTest } from './project.ts'

function fileOf(bytes: Uint8Array, name = `${randomUUID()}.csv`): string {
  const file = join(dirOfTest(), name)
  writeFileSync(file, bytes)
  return file
}

it('A file that is not UTF-8 is shown and not imported, and read as Windows-1252 when that is said', async () => {
  const service = await startService()
  const file = fileOf(Buffer.from(`phone;name\r\n${phone(1)};Jürgen\r\n${phone(2)};Söhne\r\n`, 'latin1'))
  const { exitCode, stderr, stdout } = await importTo(service, file)
  expect({ exitCode, stdout, bodies: service.bodies }).toEqual({ exitCode: 1, stdout: '', bodies: [] })
  expect(stderr.split('\n')).toEqual([
    `error: ${file} is not UTF-8, and nothing is imported. If these cells read right, add --encoding windows-1252; ` +
      'if not, save it as "CSV UTF-8"',
    '  row 2: J\uFFFDrgen is read as Jürgen',
    '  row 3: S\uFFFDhne is read as Söhne',
    '',
  ])
  const said = await importTo(service, file, { more: ['--encoding', 'windows-1252'] })
  expect(said.tally).toEqual(tally(2, 2))
  expect(service.stored().map(({ metadata }) => metadata)).toEqual([{ name: 'Jürgen' }, { name: 'Söhne' }])
})

it('What is UTF-8, or UTF-16 by its mark, is read so, whatever encoding is said for other files', async () => {
  const service = await startService()
  for (const [index, encoding] of (['utf8', 'utf16le'] as const).entries()) {
    const file = fileOf(Buffer.from(`\uFEFFphone\tname\r\n${phone(index)}\tZoë 🙂\r\n`, encoding))
    const said = await importTo(service, file, { more: ['--encoding', 'windows-1252'] })
    expect(said.tally).toEqual(tally(1, 1))
  }
  expect(service.stored().map(({ metadata }) => metadata)).toEqual([{ name: 'Zoë 🙂' }, { name: 'Zoë 🙂' }])
})

it('A workbook is imported like a file of text, and its report can be corrected and imported', async () => {
  const service = await startService()
  const rows = [
    ['Phone', 'Name', 'Call at', 'Prio', 'VIP'],
    ['+49 171 1234567', 'Jürgen; "K"', new Date('2026-12-01T10:00:00Z'), 7, true],
    [1711234568, 'Ada', null, null, false],
    [],
    [{ attributes: '', content: '<v>4917112345678901</v>' }, 'Bob', null, null, null],
  ]
  const file = fileOf(await workbook([{ name: 'Leads', rows }]), 'leads.xlsx')
  const report = join(dirOfTest(), 'report.csv')
  const more = ['--country', 'DE', '--dates', 'day-first', '--report', report]
  const { tally: told, stderr } = await importTo(service, file, { more })
  expect(told).toEqual(tally(3, 1, 0, 0, 2))
  expect(service.stored()).toEqual([
    {
      phoneNumber: '+491711234567',
      scheduledFor: expect.stringContaining('2026-12-01T10:00:00'),
      priority: 7,
      metadata: { Name: 'Jürgen; "K"', VIP: 'TRUE' },
    },
  ])
  expect(stderr).toMatch(/^1 row: phoneNumber has lost its leading zero.+row 3 "1711234568"$/m)
  const [lost, rounded] = readReport(report)
  expect([lost?.importRow, lost?.importReason]).toEqual([
    '3',
    expect.stringContaining('has lost its leading zero'),
  ])
  expect([rounded?.importRow, rounded?.importReason]).toEqual(['5', expect.stringContaining('is a decimal')])
  writeFileSync(report, readFileSync(report, 'utf8').replace('1711234568', '01711234568'))
  const again = await importTo(service, report, { more: ['--country', 'DE'] })
  expect(again.tally).toEqual(tally(2, 1, 0, 0, 1))
})

it('A workbook with several sheets is not imported before one is chosen', async () => {
  const service = await startService()
  const sheets = [
    { name: 'Leads', rows: [['phone'], [phone(1)]] },
    { name: 'More "leads"', rows: [['phone'], [phone(2)]] },
  ]
  const file = fileOf(await workbook(sheets))
  const { exitCode, stderr } = await importTo(service, file)
  expect({ exitCode, bodies: service.bodies }).toEqual({ exitCode: 1, bodies: [] })
  expect(stderr.split('\n')).toEqual([
    `error: ${file} has several sheets, and nothing is imported: add one of`,
    '  --sheet "Leads"',
    '  --sheet "More \\"leads\\""',
    '',
  ])
  expect((await importTo(service, file, { more: ['--sheet', 'More "leads"'] })).tally).toEqual(tally(1, 1))
  expect(service.stored()).toEqual([{ phoneNumber: phone(2) }])
})

it('A workbook with hidden rows is not imported before somebody says whether they count', async () => {
  const service = await startService()
  const columns = '<col min="2" max="2" hidden="1"/>'
  const rows = [
    ['phone', 'note'],
    [phone(1), 'a'],
    [phone(2), 'b'],
    [phone(3), 'c'],
  ]
  const file = fileOf(await workbook([{ name: 'Leads', rows, hiddenRows: [1, 3], columns }]))
  const { exitCode, stderr } = await importTo(service, file)
  expect({ exitCode, bodies: service.bodies }).toEqual({ exitCode: 1, bodies: [] })
  expect(stderr).toContain(
    `${file} has 2 hidden rows and 1 hidden column, and nothing is imported: add one of`,
  )
  expect(stderr).toMatch(/ {2}--hidden keep .*\n {2}--hidden skip /)
  expect((await importTo(service, file, { more: ['--hidden', 'skip'] })).tally).toEqual(tally(1, 1))
  expect(service.stored()).toEqual([{ phoneNumber: phone(2) }])
  const { tally: kept } = await importTo(service, file, { more: ['--hidden', 'keep'] })
  expect(kept).toEqual(tally(3, 2, 1))
})

it('Numbers that must not be called are read from a workbook, and from a file in Windows-1252 when that is said', async () => {
  const service = await startService()
  const target = ['--url', service.url, '--key', ownKey]
  const rows = [
    ['phoneNumber', 'reason'],
    [phone(1), 'asked'],
  ]
  const sheets = ['a', 'b'].map((name) => ({ name, rows }))
  const several = await command('suppression import', fileOf(await workbook(sheets)), ...target)
  expect([several.exitCode, several.stderr]).toEqual([
    1,
    expect.stringMatching(/ {2}--sheet "a"\n {2}--sheet "b"\n$/),
  ])
  const latin = fileOf(Buffer.from(`phoneNumber,reason\n${phone(2)},Söhne\n`, 'latin1'))
  const asked = await command('suppression import', latin, ...target)
  expect([asked.exitCode, asked.stderr]).toEqual([1, expect.stringContaining('add --encoding windows-1252')])
  expect(service.suppressed).toEqual([])
  await command('suppression import', fileOf(await workbook(sheets)), '--sheet', 'b', ...target)
  await command('suppression import', latin, '--encoding', 'windows-1252', ...target)
  expect(service.suppressed).toMatchObject([
    { phoneNumbers: [phone(1)], reason: 'asked' },
    { phoneNumbers: [phone(2)], reason: 'Söhne' },
  ])
})

it.for(madeFiles)('$maker is imported with what the import proposes', async (made) => {
  const service = await startService()
  const file = fileOf(made.bytes)
  const encoding = made.encoding === undefined ? [] : ['--encoding', made.encoding]
  const report = join(dirOfTest(), 'report.csv')
  const more = ['--country', made.country, '--report', report, ...encoding]
  const { tally: told } = await importTo(service, file, { more })
  expect(told?.invalid).toBe(made.refused.length)
  expect(service.suppressed.flatMap(({ phoneNumbers }) => phoneNumbers)).toEqual(made.noes)
  expect(service.suppressed.every(({ afterBulks }) => afterBulks === 0)).toBe(true)
  const stored = service.stored()
  expect(stored.map(({ phoneNumber }) => phoneNumber)).toEqual(made.numbers)
  const [name, value] = made.letters
  expect(stored[0]?.metadata).toMatchObject({ [name]: value })
  expect(stored[0]?.externalId).toMatch(/^(1001|00Q5g00000AbCdE|l:2201)$/)
  const text = readFileSync(report, 'utf8')
  for (const part of made.refused) expect(text).toContain(part)
})
