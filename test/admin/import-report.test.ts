// The report that `lead import` writes of the rows that did not come in, against a service in memory.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importTo, readReport, tally } from './import-runs.ts'
import { csvFile, phone, startService } from './import-target.ts'
import { dirOfTest } from './project.ts'

describe('The report', () => {
  it('A report has the rows’ own columns, and is imported after it is corrected', async () => {
    const service = await startService()
    const dir = dirOfTest()
    const file = csvFile(
      dir,
      'Name;phoneNumber;note',
      `Ada;0155;"=1;2"`,
      `Bob;${phone(2)};x`,
      `Eve;${phone(3)}`,
      `Joe;${phone(4)};a;b`,
    )
    const report = join(dir, 'report.csv')
    const more = ['--delimiter', ';', '--report', report]
    expect((await importTo(service, file, { more })).tally).toEqual(tally(4, 1, 0, 0, 3))
    expect(readFileSync(report, 'utf8').split('\r\n')).toEqual([
      'Name;phoneNumber;note;importRow;importStatus;importReason;importLeadId',
      `Ada;0155;"'=1;2";2;invalid;phoneNumber must be in E.164 format;`,
      `Eve;${phone(3)};;4;invalid;the row has 2 columns instead of 3;`,
      `Joe;${phone(4)};a;5;invalid;the row has 4 columns instead of 3;;b`,
      '',
    ])

    // The row with a cell too many is still one that has to be corrected.
    writeFileSync(report, readFileSync(report, 'utf8').replace('0155', phone(1)))
    const rest = join(dir, 'rest.csv')
    const again = await importTo(service, report, { more: ['--delimiter', ';', '--report', rest] })
    expect(again.tally).toEqual(tally(3, 2, 0, 0, 1))
    expect(service.stored().slice(1)).toEqual([
      { phoneNumber: phone(1), metadata: { Name: 'Ada', note: '=1;2' } },
      { phoneNumber: phone(3), metadata: { Name: 'Eve' } },
    ])
    expect(readFileSync(rest, 'utf8')).toMatch(
      /^Name;phoneNumber;note;importRow;importStatus;importReason;importLeadId\r\nJoe;.+\r\n$/,
    )
  })

  it('A report replaces one that is there only with --overwrite', async () => {
    const service = await startService()
    const dir = dirOfTest()
    const report = join(dir, 'report.csv')
    writeFileSync(report, 'of yesterday')
    const file = csvFile(dir, 'phoneNumber', '0155')
    await importTo(service, file, { more: ['--report', report] })
    expect(readFileSync(report, 'utf8')).toBe('of yesterday')
    await importTo(service, file, { more: ['--report', report, '--overwrite'] })
    expect(readReport(report)).toMatchObject([{ phoneNumber: '0155' }])
  })

  it('A report never replaces a file that came while the import ran', async () => {
    const dir = dirOfTest()
    const report = join(dir, 'report.csv')
    const service = await startService(() => {
      writeFileSync(report, 'of somebody else')
      return 'forward'
    })
    const file = csvFile(dir, 'phoneNumber', '0155')
    const { stderr } = await importTo(service, file, { more: ['--report', report] })
    expect(readFileSync(report, 'utf8')).toBe('of somebody else')
    const [, part = ''] = /cannot be renamed to .+ \(EEXIST\): it is in (.+)\n/.exec(stderr) ?? []
    expect(readReport(part)).toMatchObject([{ phoneNumber: '0155' }])
    await importTo(service, file, { more: ['--report', report, '--overwrite'] })
  })

  it('A report has a hint where a spreadsheet has rounded a phone number', async () => {
    const service = await startService()
    const file = csvFile(dirOfTest(), 'phoneNumber', '1.4155E+10', '"1,4155E+10"', '0155')
    const lines = (await importTo(service, file)).stderr.split('\n').filter((line) => line.startsWith('row '))
    expect(lines.map((line) => line.includes('a spreadsheet has rounded it'))).toEqual([true, true, false])
  })

  it('No control character of a file reaches the terminal', async () => {
    const service = await startService()
    const file = csvFile(dirOfTest(), 'phoneNumber', '\u001b]0;x\u0007\u009b2J\u202e')
    const { stderr } = await importTo(service, file)
    expect(stderr).toContain('row 2 invalid \\u001b]0;x\\u0007\\u009b2J\\u202e: ')
    expect(stderr.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u)
  })
})
