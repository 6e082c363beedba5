// Imports that send nothing: what is wrong is found before the first request.
import { linkSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeKey } from '../../src/base/access/api-key.ts'
import { command } from './command.ts'
import { csvFile, phone, phones, startService } from './import-target.ts'
import { dirOfTest, freePort } from './project.ts'

/** What an import that must send nothing says, without `error: `. */
async function refusal(file: string, ...options: string[]): Promise<string> {
  const service = await startService()
  const target = ['--campaign', 'none', '--url', service.url, '--key', 'none']
  const { exitCode, stdout, stderr } = await command('lead import', file, ...target, ...options)
  expect({ exitCode, stdout, bodies: service.bodies }).toEqual({ exitCode: 1, stdout: '', bodies: [] })
  expect(stderr).toMatch(/^error: .+\n$/)
  return stderr.slice('error: '.length, -1)
}

describe('Lead import', () => {
  it('An import sends the key nowhere in the clear, and says so in one line', async () => {
    const options = ['--campaign', 'none', '--url', 'http://example.com', '--key', makeKey().key]
    const { exitCode, stdout, stderr } = await command('lead import leads.csv', ...options)
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toMatch(/^error: .+--url.+ https.+\n$/)
  })

  const files: Record<string, [lines: (string | Buffer)[], message: RegExp, ...options: string[]]> = {
    'no column phoneNumber': [
      ['phone;name', '1;2'],
      /^there is no column phoneNumber, only phone;name: add --map <header>=phoneNumber/,
      '--delimiter',
      ',',
    ],
    'no column phoneNumber, between semicolons': [
      ['\uFEFFcall;name', '1;2'],
      /^there is no column phoneNumber, only call \| name: add --map <header>=phoneNumber/,
    ],
    'a country that there is not': [
      ['phoneNumber', phone(1)],
      /^no such country: EN\. Name it by two letters, such as DE$/,
      '--country',
      'EN',
    ],
    'a consent without its time': [
      ['phoneNumber,a,CONSENTTEXT', `${phone(1)},b,I agree`],
      /^column consentText is of a consent, but there is no consentGivenAt: add --map <header>=consentGivenAt$/,
    ],
    'a purpose of no consent': [
      ['phoneNumber', phone(1)],
      /^--consent-purpose and --consent-text are for a column consentGivenAt/,
      '--consent-purpose',
      'p',
    ],
    'a text of no consent': [['phoneNumber', phone(1)], /: there is none$/, '--consent-text', 't'],
    'a purpose that is none': [
      ['phoneNumber,consentGivenAt', phone(1)],
      /--consent-purpose.+ 1 to 64 of letters/,
      '--consent-purpose',
      'two words',
    ],
    'too long a text': [
      ['phoneNumber,consentGivenAt', phone(1)],
      /--consent-text.+ at most 4000 characters/,
      '--consent-text',
      'x'.repeat(4001),
    ],
    'two columns of one name': [['phoneNumber,a,a'], /^two columns are named a$/],
    'two columns of one field': [['phoneNumber,PhoneNumber'], /^two columns are named phoneNumber$/],
    'a column without a header': [['phoneNumber,, name'], /^column 2 has no header/],
    'no column for --map': [
      ['phoneNumber'],
      /^there is no column Tel, only phoneNumber$/,
      '--map',
      'Tel=phoneNumber',
    ],
    'an open quote, far down': [['phoneNumber', ...phones(1200), '"+1'], /is not CSV/],
    'an Excel workbook': [
      [Buffer.from([0x50, 0x4b, 3, 4, 20, 0, 6, 0, 8, 0])],
      /^the file is not an Excel workbook, or is damaged$/,
    ],
    'an Excel workbook of before 2007': [
      [Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1])],
      /^an Excel workbook of before 2007, or with a password, is not read/,
    ],
    'a sheet of a file that has none': [
      ['phoneNumber', phone(1)],
      /^there is no sheet a: the file is no Excel workbook$/,
      '--sheet',
      'a',
    ],
    'an empty file': [[], /is empty$/],
  }

  it.for(Object.entries(files))(
    'An import sends nothing from a file with %s',
    async ([, [lines, message, ...more]]) => {
      expect(await refusal(csvFile(dirOfTest(), ...lines), ...more)).toMatch(message)
    },
  )

  it('An import says of which file there is none to read', async () => {
    const dir = dirOfTest()
    expect(await refusal(join(dir, 'none.csv'))).toBe(`no such file: ${join(dir, 'none.csv')}`)
    expect(await refusal(dir)).toBe(`a directory: ${dir}`)
  })

  it('An import refuses a report that is its input, by whatever name', async () => {
    const dir = dirOfTest()
    const file = csvFile(dir, 'phoneNumber', phone(1))
    const before = readFileSync(file)
    symlinkSync(file, join(dir, 'symbolic'))
    linkSync(file, join(dir, 'hard'))
    for (const report of [file, join(dir, 'symbolic'), join(dir, 'hard')]) {
      const message = await refusal(file, '--report', report, '--overwrite')
      expect(message).toBe(`the report ${report} is the input`)
    }
    expect(readFileSync(file)).toEqual(before)
  })

  it('An import leaves a report that is there as it is', async () => {
    const dir = dirOfTest()
    const report = join(dir, 'report.csv')
    writeFileSync(report, 'of yesterday')
    const message = await refusal(csvFile(dir, 'phoneNumber', phone(1)), '--report', report)
    expect(message).toBe(`the report ${report} exists: add --overwrite, or name another`)
    expect(readFileSync(report, 'utf8')).toBe('of yesterday')
  })

  it('An import says before it begins that the report cannot be written', async () => {
    const dir = dirOfTest()
    const file = csvFile(dir, 'phoneNumber', phone(1))
    expect(await refusal(file, '--report', join(dir, 'no/r.csv'))).toMatch(/^the report .+ENOENT/)
    expect(await refusal(file, '--report', dir, '--overwrite')).toBe(`the report ${dir} is not a file`)
    expect(readdirSync(dir)).toHaveLength(1)
  })

  it.each([
    [
      'http://localhost',
      /^error: The service is not running on http:\/\/localhost:\d+\. Start it .* another with --url\n$/,
    ],
    ['https://nobody.invalid', /^error: no service at https:.+ \([A-Z_]+\): see --url\n$/],
  ])('An import tries a wrong address once, and names it: %s', async (host, said) => {
    const url = `${host}:${await freePort()}`
    const file = csvFile(dirOfTest(), 'phoneNumber', phone(1))
    const target = ['--campaign', 'none', '--url', url, '--key', 'none']
    const { exitCode, stderr } = await command('lead import', file, ...target)
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(said),
    })
  })

  it.each([
    [401, 'Invalid or inactive API key'],
    [403, 'Campaign not found or access denied'],
    [404, 'Not found'],
  ])('An import stops at a %i, advises no second try, and leaves nothing behind', async (status, error) => {
    const service = await startService(() => ({ status, error }))
    const dir = dirOfTest()
    const file = csvFile(dir, 'phoneNumber', phone(1))
    const target = ['--campaign', 'none', '--url', service.url, '--key', makeKey().key]
    const report = ['--report', join(dir, 'report.csv')]
    const { exitCode, stderr } = await command('lead import', file, ...target, ...report)
    expect(exitCode).toBe(1)
    expect(stderr.split('\n').slice(1)).toEqual([
      `error: ${service.url} answered ${status} ${error}; 0 of 1 row done`,
      '',
    ])
    expect(service.bodies).toHaveLength(1)
    expect(readdirSync(dir)).toHaveLength(1)
  })
})
