// A calling agent and the operator of its campaign, over HTTP: leads come in, are claimed, and their calls reported.
// Each function sends one request and gives the data of its success; `ask` gives the answer, whatever it is.
import { type Answer, api, type Options } from '../http/api.ts'
import { dataOf } from '../http/expectations.ts'
import { type Campaign, newPhone, seedCampaign, seedKey, seedWorld } from '../world.ts'

export type Claimed = {
  callId: string
  attempt: number
  isLastAttempt: boolean
  leaseExpiresAt: string
  dialBefore: string
  dialledAt: string | null
  timeZone: string
  lead: { _id: string; phoneNumber: string; status: string; attempts: number; timeZone?: string }
}
export type ClaimData = { calls: Claimed[]; reason: string | null; retryAfterSeconds: number | null }
export type Result = {
  callId: string
  result: string
  leadId: string | null
  status: string | null
  attempts: number | null
  nextCallAt: string | null
}
export type ReportData = { results: Result[]; claim?: ClaimData }
export type Extended = {
  callId: string
  leaseExpiresAt: string | null
  dialBefore: string | null
  stop: string | null
}
export type Suppressed = { added: number; existing: number; removedFromQueue: number; liveCalls: string[] }
export type Settings = Record<string, unknown> & {
  id: string
  name: string
  paused: boolean
  timeZone: string | null
}
export type Queue = {
  queued: number
  leased: number
  heldForConsent: number
  isCapped: boolean
  reason: string | null
  nextOpening: string | null
  failingAgents: { agent: string; until: string }[]
  agentsWaiting?: number | null
}
export type PastCall = {
  callId: string
  attempt: number
  outcome: string | null
  endedAt: string | null
} & Record<string, unknown>

const allDay = [['00:00', '24:00']]
const everyDay = Object.fromEntries(
  ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, allDay]),
)

/** A number may be called again at once. */
export const anyNumberAgain = { numberLimits: { minGapMinutes: null, per24Hours: null, per7Days: null } }

/** A campaign that may call at all hours. */
export const openAtAllHours = { timeZone: 'UTC', callingHours: everyDay, appointmentHours: everyDay }

export type AgentWorld = Awaited<ReturnType<typeof seedAgent>>

/** A company with a campaign that has these settings, keys of every scope, and what can be done with them. */
export async function seedAgent(settings: object = openAtAllHours) {
  const world = await seedWorld()
  const agent = await agentIn(world)
  await agent.change(settings)
  return {
    ...world,
    ...agent,
    /** Another campaign of the company, with the same settings and keys of its own. */
    async another() {
      const campaign = await seedCampaign(world.companyId)
      const other = await agentIn({ companyId: world.companyId, campaign })
      await other.change(settings)
      return { ...other, campaign, campaignId: campaign.id }
    },
  }
}

/** With new keys of the company. */
export async function agentIn({ companyId, campaign }: { companyId: string; campaign: Campaign }) {
  const campaignId = campaign.id
  const keyOf = async (scope: 'agent' | 'manage' | 'write') => (await seedKey({ companyId, scope })).key
  const [agentKey, manageKey, writeKey] = await Promise.all([keyOf('agent'), keyOf('manage'), keyOf('write')])
  const campaignPath = `/api/v1/campaigns/${encodeURIComponent(campaignId)}`

  async function done<Data>(answer: Promise<Answer<unknown>>): Promise<Data> {
    return dataOf(await answer, 200) as Data
  }

  return {
    agentKey,
    manageKey,
    campaignPath,
    /** By the agent's key, unless another is given. */
    ask: (
      method: string,
      path: string,
      body?: object,
      { key = agentKey, headers }: { key?: string; headers?: Options['headers'] } = {},
    ) => api(key).request(method, path, body, headers),
    change: (settings: object) =>
      done<Settings & { queue: Queue }>(api(manageKey).request('PATCH', campaignPath, settings)),
    settings: () => done<Settings & { queue: Queue }>(api(agentKey).request('GET', campaignPath)),
    async add(fields: object = {}) {
      const phoneNumber = newPhone()
      const created = await api(writeKey).createLead({ campaignId, phoneNumber, ...fields })
      return { phoneNumber, ...fields, leadId: dataOf(created, 201).leadId }
    },
    claim: (request: object = {}, headers?: Options['headers']) =>
      done<ClaimData>(
        api(agentKey).request('POST', '/api/v1/calls/claim', { campaignId, ...request }, headers),
      ),
    /** Adds a lead and claims it. There must be no other that is due. */
    async call(fields: object = {}): Promise<Claimed> {
      await this.add(fields)
      const [call] = (await this.claim()).calls
      if (call === undefined) throw new Error('nothing was claimed')
      return call
    },
    report: (calls: readonly object[], claim?: object, headers?: Options['headers']) =>
      done<ReportData>(
        api(agentKey).request(
          'POST',
          '/api/v1/calls/report',
          claim === undefined ? { calls } : { calls, claim: { campaignId, ...claim } },
          headers,
        ),
      ),
    extend: async (callIds: readonly string[], request: object = {}) =>
      (
        await done<{ calls: Extended[] }>(
          api(agentKey).request('POST', '/api/v1/calls/extend', { callIds, ...request }),
        )
      ).calls,
    release: async (calls: readonly object[]) =>
      (await done<{ results: Result[] }>(api(agentKey).request('POST', '/api/v1/calls/release', { calls })))
        .results,
    openCalls: (query: Record<string, string> = {}) =>
      done<{ calls: (Claimed & { agent: string | null; stop: string | null })[]; nextCursor: string | null }>(
        api(agentKey).request('GET', `/api/v1/calls?${new URLSearchParams({ campaignId, ...query })}`),
      ),
    lead: async (leadId: string) =>
      (await done<{ lead: Claimed['lead'] }>(api(agentKey).request('GET', `/api/v1/leads/${leadId}`))).lead,
    history: async (leadId: string) =>
      (await done<{ calls: PastCall[] }>(api(agentKey).request('GET', `/api/v1/leads/${leadId}/calls`)))
        .calls,
    requeue: async (leadId: string) =>
      (
        await done<{ lead: Claimed['lead'] }>(
          api(writeKey).request('POST', `/api/v1/leads/${leadId}/requeue`),
        )
      ).lead,
    suppress: (phoneNumbers: readonly string[], more: object = {}) =>
      done<Suppressed>(api(writeKey).request('POST', '/api/v1/suppressions', { phoneNumbers, ...more })),
    lift: (phoneNumbers: readonly string[], more: object = {}) =>
      done<{ lifted: number }>(
        api(manageKey).request('DELETE', '/api/v1/suppressions', { phoneNumbers, ...more }),
      ),
  }
}
