// A campaign whose gate asks a host that the test plays, run by the object itself: no alarm goes off but those that the
// test runs.
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { vi } from 'vitest'
import { type AgentWorld, seedAgent } from '../calling/agent.ts'
import { api } from '../http/api.ts'
import { dataOf } from '../http/expectations.ts'
import { openHost, type Sent } from './provider-host.ts'

export type ShownGate = {
  version: number
  secrets: Record<string, { hint: string | null }>
  state: { status: string; since: string; checked: number; refused: number; waiting: number }
}

export const gateSecret = 'gk-0123456789-secret-1a2b'

export const gateAt = (url: string, more: object = {}) => ({
  ask: {
    method: 'POST',
    url: `${url}/check`,
    headers: { Authorization: 'Bearer {{secrets.token}}' },
    body: { phone: '{{lead.phoneNumber}}', id: '{{lead.externalId}}' },
  },
  no: {
    any: [
      { pointer: '/national_dnc', equals: true },
      { pointer: '/litigator', equals: true },
    ],
  },
  later: { pointer: '/status', in: ['in_meeting'] },
  yes: { pointer: '/status', equals: 'clear' },
  secrets: { token: gateSecret },
  ...more,
})

export const said = (body: object, status = 200) => Response.json(body, { status })
export const clear = () => said({ status: 'clear' })
export const refuses = () => said({ status: 'clear', litigator: true })

type Reply = (phoneNumber: string, sent: Sent) => Response | Promise<Response>

export const numberAsked = ({ text }: Pick<Sent, 'text'>): string => JSON.parse(text).phone

/** A gate that is never asked, for a rule of the queue. */
export const setGate = async (agent: Pick<AgentWorld, 'manageKey' | 'campaignPath'>) => {
  const body = { ask: { method: 'GET', url: 'https://gate.example.com/' }, yes: { pointer: '', equals: 1 } }
  dataOf(await api(agent.manageKey).request('PUT', `${agent.campaignPath}/gate`, body), 200)
}

export async function seedGate(reply: Reply = clear, more: object = {}, world?: AgentWorld) {
  const agent = world ?? (await seedAgent())
  const host = openHost((sent) => reply(numberAsked(sent), sent))
  const manager = api(agent.manageKey)
  const campaign = { companyId: agent.companyId, number: agent.campaign.number }
  const object = env.DIALERS.getByName(`${campaign.companyId}/${campaign.number}/gate`)
  const ask = (method: string, what = '', body?: object) =>
    manager.request(method, `${agent.campaignPath}/gate${what}`, body)
  const shown = async (method = 'GET', body?: object, what = '') =>
    dataOf(await ask(method, what, body), 200) as ShownGate
  const alarmMs = () => runInDurableObject(object, (_: unknown, { storage }) => storage.getAlarm())
  await shown('PUT', gateAt(host.url, more))
  return {
    ...agent,
    ...host,
    object,
    manager,
    gateAsk: ask,
    shown,
    /** The rounds that are due, after so many seconds. */
    async run(seconds = 0, rounds = 8): Promise<void> {
      vi.setSystemTime(Date.now() + seconds * 1000)
      for (let i = 0; i < rounds; i++) await runDurableObjectAlarm(object)
    },
    /** The rounds that are due within these seconds, each at its time. */
    async pass(seconds: number): Promise<void> {
      const untilMs = Date.now() + seconds * 1000
      for (let atMs = await alarmMs(); atMs !== null && atMs <= untilMs; atMs = await alarmMs()) {
        vi.setSystemTime(Math.max(Date.now(), atMs))
        await runDurableObjectAlarm(object)
      }
      vi.setSystemTime(untilMs)
    },
    asked: () => host.sent.map(numberAsked),
    blockersOf: async (leadId: string) => {
      const answer = await manager.request('GET', `/api/v1/leads/${leadId}/calling`)
      const { blockers } = dataOf(answer, 200) as { blockers: { code: string }[] }
      return blockers.map(({ code }) => code)
    },
    claimed: async (limit = 10) => (await agent.claim({ limit })).calls.map(({ lead }) => lead.phoneNumber),
  }
}

export type GateWorld = Awaited<ReturnType<typeof seedGate>>
