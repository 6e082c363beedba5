// The demo that `npm start` makes, on the server that the test files of this process share.
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { ensureDemo } from '../../src/admin/local/demo.ts'
import { keyScopes } from '../../src/base/access/scope.ts'
import { isOpenAt, type Schedule } from '../../src/queue/campaigns/calling-hours.ts'
import { LeadIntake } from '../../src/sdk/src/lead-intake.ts'
import { addOperatorKey, sharedServer } from '../docs/server.ts'
import { removeDir, temporaryDir } from './project.ts'

const stateDir = temporaryDir()
afterAll(() => removeDir(stateDir))

let operatorKey: Promise<string> | undefined

/** A service, and how to make the demo there. */
async function serviceWithDemo() {
  const { base, db } = await sharedServer()
  operatorKey ??= addOperatorKey(db)
  const operator = await operatorKey
  return { base, demo: (store?: 'own') => ensureDemo(base, operator, stateDir, { store }) }
}

it('The demo may call at any hour, and is left as its developer has it', async () => {
  const { base, demo } = await serviceWithDemo()
  const client = new LeadIntake({ baseUrl: base, apiKey: (await demo()).manage })
  const { timeZone, callingHours, closedDates, queue } = await client.campaigns.get('demo')
  expect(queue.reason).toBe('empty')
  const schedule = { timeZone: timeZone ?? 'none', hours: callingHours, closedDates } as object as Schedule
  for (const day of ['2026-11-22T03:00:00Z', '2026-11-18T23:59:59Z'])
    expect(isOpenAt(schedule, Date.parse(day))).toBe(true)

  await client.campaigns.update('demo', { timeZone: null, maxAttempts: 9 })
  await demo()
  expect(await client.campaigns.get('demo')).toMatchObject({ timeZone: null, maxAttempts: 9 })
})

it('The demo gets new keys where file and database disagree', async () => {
  const { base, demo } = await serviceWithDemo()
  const first = await demo()
  const file = join(stateDir, 'demo-keys.json')
  const statusOf = async (key: string) =>
    (await fetch(`${base}/api/v1/keys/self`, { headers: { 'x-api-key': key } })).status
  expect(Object.keys(first).sort()).toEqual([...keyScopes, 'operator'].sort())
  expect(await demo()).toEqual(first)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(first)
  expect(statSync(file).mode & 0o777).toBe(0o600)

  const { write, read } = first
  writeFileSync(file, JSON.stringify({ write, read }))
  const grown = await demo()
  expect(grown).toMatchObject({ write, read })
  expect([await statusOf(first.agent), await statusOf(grown.agent)]).toEqual([401, 200])

  // One of another scope.
  writeFileSync(file, JSON.stringify({ ...grown, manage: grown.agent }))
  const widened = await demo()
  expect(widened).toEqual({ ...grown, manage: expect.any(String) })
  expect([grown.agent, grown.manage]).not.toContain(widened.manage)

  rmSync(file)
  const second = await demo()
  expect([await statusOf(first.write), await statusOf(second.write)]).toEqual([401, 200])
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(second)
})

it('The demo stays in the store that it has, and the way out is named', async () => {
  const { demo } = await serviceWithDemo()
  await demo()
  await expect(demo('own')).rejects.toThrow(
    /^the demo in .+ is in the shared database: use another --persist-to, or leave out --demo-store own$/,
  )
})
