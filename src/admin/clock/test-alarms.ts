// The alarms of all objects of a service with a test clock. None is set at the platform, which has the machine's clock:
// they are kept here, and drive-clock.ts runs those that are due.
import type { DurableObject } from 'cloudflare:workers'
import { scheduler } from 'node:timers/promises'

type Binding = 'RATE_LIMITER' | 'WEBHOOK_SENDERS' | 'COMPANY_STORES' | 'DIALERS'
type Alarm = { readonly binding: Binding; readonly name: string; readonly atMs: number }
type ObjectClass = new (ctx: DurableObjectState, env: Env) => DurableObject<Env>

const alarms = new Map<string, Alarm>()
const running = new Map<string, Promise<unknown>>()

/** The same class, with alarms by the test clock. */
export const clocked = <Class extends ObjectClass>(binding: Binding, original: Class): Class =>
  class extends (original as ObjectClass) {
    constructor(ctx: DurableObjectState, env: Env) {
      keepAlarm(binding, ctx)
      super(ctx, env)
    }

    async runTestAlarm(): Promise<void> {
      await this.alarm?.()
    }
  } as unknown as Class

function keepAlarm(binding: Binding, { id, storage }: DurableObjectState): void {
  const name = id.name ?? ''
  const key = `${binding} ${name}`
  const deleteAll = storage.deleteAll.bind(storage)
  storage.getAlarm = async () => alarms.get(key)?.atMs ?? null
  storage.setAlarm = async (at) => void alarms.set(key, { binding, name, atMs: Number(at) })
  storage.deleteAlarm = async () => void alarms.delete(key)
  storage.deleteAll = async () => {
    alarms.delete(key)
    await deleteAll()
  }
}

/** What a round leaves for a moment later is due with it. */
const atOnceMs = 50
const mostRounds = 20

/** For a receiver that is slow, the clock does not stand still. */
const receiverMs = 1_000

/** Runs those that are due, and waits at most so long for what runs. */
export async function runAlarms(env: Env, patienceMs: number): Promise<void> {
  for (let round = 0; round < mostRounds; round++) {
    const isDue = ([key, { atMs }]: [string, Alarm]) => atMs <= Date.now() + atOnceMs && !running.has(key)
    const due = [...alarms].filter(isDue)
    for (const [key, alarm] of due) {
      const work = run(env, key, alarm)
      const isSender = alarm.binding === 'WEBHOOK_SENDERS'
      running.set(key, isSender ? Promise.race([work, scheduler.wait(receiverMs)]) : work)
    }
    await Promise.race([Promise.all(running.values()), scheduler.wait(patienceMs)])
    if (due.length === 0) return
  }
}

async function run(env: Env, key: string, { binding, name }: Alarm): Promise<void> {
  alarms.delete(key)
  const stub = env[binding].getByName(name) as unknown as { readonly runTestAlarm: () => Promise<void> }
  // The next cron wakes what has failed.
  await stub.runTestAlarm().catch(() => {})
  running.delete(key)
}

/** When a webhook continues. What a dialer or a store waits for, leads show: their other alarms only look around. */
export const nextDeliveryMs = () =>
  Math.min(
    ...[...alarms.values()].map(({ binding, atMs }) => (binding === 'WEBHOOK_SENDERS' ? atMs : Infinity)),
  )
