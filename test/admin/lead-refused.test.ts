// Imports that send nothing: what is wrong is found before the first request.
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { importLeads } from '../../src/admin/import/import.ts'
import { makeKey } from '../../src/admin/keys.ts'
import { CommandFailed } from '../../src/admin/wrangler.ts'
import { command } from './command.ts'
import { csvFile, phone, phones, startProxy } from './import-target.ts'
import { removeDir, temporaryDir } from './project.ts'

const dir = temporaryDir()

afterAll(() => removeDir(dir))

describe('lead import', () => {
  it('sends the key nowhere in the clear, and says so in one line', async () => {
    const options = ['--campaign', 'none', '--url', 'http://example.com', '--key', makeKey().key]
    const { exitCode, stdout, stderr } = await command(null, 'lead import leads.csv', ...options)
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toMatch(/^error: .+--url.+ https.+\n$/)
  })

  const mistakes: Record<string, [lines: (string | Buffer)[], message: RegExp, report?: string]> = {
    'no column phoneNumber': [['phone;name', '1;2'], /^no column phoneNumber, but phone;name/],
    'two columns of one name': [['phoneNumber,a,a'], /^two columns are headed a/],
    'an open quote, far down': [['phoneNumber', ...phones(1200), '"+1'], /is not CSV/],
    'another encoding': [['phoneNumber,n', Buffer.from('1,Söhne', 'latin1')], /^row 2 .+ not UTF-8/],
    'an empty file': [[], /is empty$/],
    'a report that cannot be': [['phoneNumber', phone(1)], /report .+ENOENT/, join(dir, 'no/r.csv')],
  }

  it.for(Object.entries(mistakes))('sends nothing from a file with %s', async ([, mistake]) => {
    const [lines, message, report] = mistake
    const proxy = await startProxy('http://localhost', () => 'forward')
    const options = { campaign: 'none', url: proxy.url, key: 'none', delimiter: ',', json: true }
    const importing = importLeads(csvFile(dir, ...lines), { ...options, ...(report && { report }) })
    await expect(importing).rejects.toThrow(message)
    await expect(importing).rejects.toBeInstanceOf(CommandFailed)
    expect(proxy.bodies).toEqual([])
  })
})
