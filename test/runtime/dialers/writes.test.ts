// What a call costs in the object of its dialer: each row that is written there is paid for.
import { runInDurableObject } from 'cloudflare:test'
import { beforeEach, expect, it } from 'vitest'
import { seedDialer } from '../../support/dialers/dialer-world.ts'
import { useFutureClock } from '../../support/webhooks/webhook.ts'

beforeEach(useFutureClock)

const ended = {
  ...{ state: 'ended', reason: 'answered', talked: true, seconds: 7 },
  analysis: { outcome: 'answered' },
}

it('A lone call writes at most 16 rows in the object of its dialer, from the lead to the end', async () => {
  let asked = 0
  const { add, run, object, starts, asks, shown, callsOf } = await seedDialer(({ method }) =>
    method === 'POST'
      ? Response.json({ id: 'p-1' }, { status: 201 })
      : Response.json(asked++ === 0 ? { state: 'talking' } : ended),
  )
  await run()
  const rows: string[] = []
  await runInDurableObject(object, (_, { storage }) => {
    const { kv } = storage
    const [put, remove, setAlarm] = [kv.put.bind(kv), kv.delete.bind(kv), storage.setAlarm.bind(storage)]
    kv.put = (key: string, value: unknown) => {
      rows.push(`put ${key}`)
      put(key, value)
    }
    kv.delete = (key: string) => {
      rows.push(`delete ${key}`)
      return remove(key)
    }
    storage.setAlarm = (...of: Parameters<typeof setAlarm>) => {
      rows.push('alarm')
      return setAlarm(...of)
    }
  })
  const { leadId } = await add()
  // Started and noted; asked twice; once more after five minutes.
  for (const [seconds, rounds] of [
    [0, 2],
    [15, 1],
    [15, 1],
    [300, 2],
  ] as const) {
    await run(seconds, rounds)
  }
  expect([starts().length, asks().length]).toEqual([1, 3])
  expect(await callsOf(leadId)).toMatchObject([{ outcome: 'answered', providerCallId: 'p-1' }])
  expect(await shown('GET')).toMatchObject({ state: { status: 'idle', live: 0 } })
  expect(rows.length).toBeLessThanOrEqual(16)
})
