// `npm start -- --demo-store own`, as a person runs it: the demo of a company with a store of its own, in a real
// object. What it prints works, and the operator's commands reach the store.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ensureDemo } from '../../src/admin/local/demo.ts'
import type { LocalKeys } from '../../src/admin/local/local-keys.ts'
import { command, commandJson } from './command.ts'
import { csvFile } from './import-target.ts'
import { askAsPrinted, dirOfTest, freePort, startServer } from './project.ts'

it('The demo on a store of its own answers as the shared one, obeys the operator, and stays where it is', {
  timeout: 450_000,
}, async () => {
  const stateDir = dirOfTest()
  const first = await startServer(stateDir, await freePort(), onTestFinished, ['--demo-store', 'own'])
  const local = ['--local', '--url', first.base, '--persist-to', stateDir]
  const run = <Value>(words: string) => commandJson<Value>(words, ...local)
  const statusOf = async (key: string) =>
    (await fetch(`${first.base}/api/v1/leads?campaignId=demo`, { headers: { 'x-api-key': key } })).status
  const obeyOperator = async () => {
    const { keyId, key } = await run<{ keyId: string; key: string }>(
      'key create --company demo --scope read --name probe',
    )
    expect(await statusOf(key)).toBe(200)
    await run(`key revoke ${keyId} --company demo --yes`)
    expect(await statusOf(key)).toBe(401)
  }
  await Promise.all([askAsPrinted(first), obeyOperator()])
  expect(await run('company show demo')).toMatchObject({ companyId: 'demo', store: 'own' })

  // Whom a file says not to call, before its first lead: the key is of the campaign.
  const no = '+4930123451'
  const leads = csvFile(dirOfTest(), 'phoneNumber,DNC', `${no},`, `${no},yes`, '+4930123452,no')
  expect(await run(`lead import ${leads} --campaign demo --zone DE=campaign`)).toMatchObject({
    created: 1,
    do_not_call: 2,
  })
  const { suppressions } = await run<{ suppressions: { phoneNumber: string }[] }>('suppression list')
  expect(suppressions.filter(({ phoneNumber }) => phoneNumber === no)).toMatchObject([{ campaignId: 'demo' }])
  const to = new Date(Date.now() - 120_000).toISOString()
  expect(await command(`company restore demo --to ${to} --yes`, ...local)).toMatchObject({
    exitCode: 1,
    stdout: '',
    stderr: expect.stringMatching(
      / answered 409 .+ that time: a local service keeps no earlier states\..+\n$/,
    ),
  })

  // As another start would.
  const file = join(stateDir, 'demo-keys.json')
  const keys = JSON.parse(readFileSync(file, 'utf8')) as LocalKeys
  expect(await ensureDemo(first.base, keys.operator, stateDir)).toEqual(keys)
  await expect(ensureDemo(first.base, keys.operator, stateDir, { store: 'shared' })).rejects.toThrow(
    'has a store of its own: use another',
  )
})
