// A campaign whose dialer calls at a provider that the test plays, run by the object itself: no alarm goes off but
// those that the test runs, and its clock stands (useFutureClock).
import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { vi } from 'vitest'
import { type AgentWorld, seedAgent } from '../calling/agent.ts'
import { api } from '../http/api.ts'
import { dataOf } from '../http/expectations.ts'
import { fakeTemplate } from './fake-provider.ts'
import { openHost, type Sent } from './provider-host.ts'

export type ShownDialer = {
  enabled: boolean
  endUrl: string
  secrets: Record<string, { hint: string | null }>
  heard: { talked: number; understood: number }
  state: { status: string; reason: string | null; live: number; lastProblem: Record<string, unknown> | null }
}

export const secret = 'sk-0123456789-secret-1a2b'

/** At a host of the test's own. */
export function templateAt(url: string): typeof fakeTemplate {
  return JSON.parse(JSON.stringify(fakeTemplate).replaceAll('https://voice.example.com', url))
}

/** Answers that begin a call, and say of each that it lasts. */
export const lasting = ({ method, path }: Sent): Response =>
  method === 'POST' && path === '/calls'
    ? Response.json({ id: `p-${crypto.randomUUID()}` }, { status: 201 })
    : Response.json({ state: 'talking' })

export async function seedDialer(reply: (sent: Sent) => Response | Promise<Response> = lasting, more = {}) {
  const world: AgentWorld = await seedAgent()
  const host = openHost(reply)
  const manager = api(world.manageKey)
  const object = env.DIALERS.getByName(`${world.companyId}/${world.campaign.number}`)
  const path = `${world.campaignPath}/dialer`
  const ask = (method: string, body?: object, what = '') => manager.request(method, path + what, body)
  const shown = async (method: string, body?: object) => dataOf(await ask(method, body), 200) as ShownDialer
  await shown('PUT', {
    ...{ preset: 'custom', template: templateAt(host.url), secrets: { apiKey: secret } },
    ...more,
  })
  return {
    ...world,
    ...host,
    object,
    ask,
    shown,
    manager,
    /** The rounds that are due, after so many seconds. */
    async run(seconds = 0, rounds = 4): Promise<void> {
      vi.setSystemTime(Date.now() + seconds * 1000)
      for (let i = 0; i < rounds; i++) await runDurableObjectAlarm(object)
    },
    starts: () => host.sent.filter((one) => one.method === 'POST' && one.path === '/calls'),
    asks: () => host.sent.filter((one) => one.method === 'GET'),
    hungUp: () => host.sent.filter((one) => one.path.endsWith('/end')),
    async callsOf(leadId: string) {
      const answer = await manager.request('GET', `/api/v1/leads/${leadId}/calls`)
      return (dataOf(answer, 200) as { calls: { outcome: string | null; providerCallId: string | null }[] })
        .calls
    },
  }
}
