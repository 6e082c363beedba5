// Consents over HTTP, in the world of an agent: each function sends one request and gives the data of its success.
import { api } from '../http/api.ts'
import { dataOf } from '../http/expectations.ts'
import { type AgentWorld, openAtAllHours, seedAgent } from './agent.ts'
import { dayMs, noonMs } from './calling.ts'

export const purpose = 'phone-offers'
export const hourAgo = new Date(noonMs - 3_600_000).toISOString()
export const daysAgo = (days: number) => new Date(noonMs - days * dayMs).toISOString()

/** The member `consent` of a lead. */
export const consent = { purpose, givenAt: hourAgo }

export type Shown = Record<string, unknown> & { consentId: string; purpose: string; givenAt: string }
export type Found = {
  consents: Shown[]
  withdrawals: { purpose: string | null; withdrawnAt: string; kind: string; reason: string | null }[]
}
export type Entry = Record<string, unknown> & { at: string; type: string }

export function consentsOf({
  writeKey,
  manageKey,
  readKey,
}: Pick<AgentWorld, 'writeKey' | 'manageKey' | 'readKey'>) {
  const ask = async (key: string, path: string, body: object) =>
    dataOf(await api(key).request('POST', path, body), 200)
  return {
    async store(phoneNumber: string, more: object = {}) {
      const body = { consents: [{ phoneNumber, ...consent, ...more }] }
      const data = (await ask(writeKey, '/api/v1/consents', body)) as {
        results: { status: string; consentId: string }[]
      }
      return data.results[0] as { status: string; consentId: string }
    },
    find: (phoneNumber: string) =>
      ask(readKey, '/api/v1/consents/search', { phoneNumber }) as Promise<unknown> as Promise<Found>,
    withdraw: (phoneNumber: string, more: object = {}) =>
      ask(writeKey, '/api/v1/consents/withdraw', { phoneNumber, ...more }) as Promise<unknown> as Promise<{
        withdrawnAt: string
        consents: number
      }>,
    async uses(consentId: string) {
      const answer = await api(readKey).request('GET', `/api/v1/consents/${consentId}/uses`)
      return (dataOf(answer, 200) as { uses: object[] }).uses
    },
    async record(phoneNumber: string) {
      const entries: Entry[] = []
      let keptUntil: string | null = null
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = (await ask(manageKey, '/api/v1/numbers/record', { phoneNumber, cursor })) as {
          entries: Entry[]
          keptUntil: string | null
          nextCursor: string | null
        }
        entries.push(...page.entries)
        ;({ keptUntil, nextCursor: cursor } = page)
      }
      return { entries, keptUntil }
    },
  }
}

/** In a campaign that requires a consent, unless other settings are given. */
export async function seedConsents(settings: object = { requireConsent: { purpose } }) {
  const agent = await seedAgent({ ...openAtAllHours, ...settings })
  return { ...agent, ...consentsOf(agent) }
}

/** Of all calls that can be claimed. */
export const claimNumbers = async (agent: Pick<AgentWorld, 'claim'>) =>
  (await agent.claim({ limit: 50 })).calls.map(({ lead }) => lead.phoneNumber)
