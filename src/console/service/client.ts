// The client of src/sdk as the console uses it: nothing is retried by itself, because panels read in rounds and people
// press again, and the status and the quota of every answer are reported. Which requests are sent, the panels decide.

import { presetsOf } from '../../sdk/src/campaigns/parts.ts'
import { consentsOf } from '../../sdk/src/consents.ts'
import { LeadIntakeError } from '../../sdk/src/errors.ts'
import { leadsOf } from '../../sdk/src/leads.ts'
import { membersOf } from '../../sdk/src/members.ts'
import { campaignsOf, eventsOf, keysOf, suppressionsOf, webhooksOf } from '../../sdk/src/operations.ts'
import { askerFor, type Call, pathIn, type Send, senderFor } from '../../sdk/src/send.ts'
import { forgetActivity, noteChange, noteQuota, noteRequest } from './activity.ts'
import type { Quota } from './pace.ts'
import { noteServiceTime, noteTestTime } from './service-clock.ts'

/** `status` 0: no answer arrived. `quota`: the newest that is known. */
export type Received = { readonly status: number; readonly quota: Quota | null }

const timeoutMs = 20_000

/** `onAnswer` gets each answer just before the caller does: no effect of the page runs in between. */
export function openClient(baseUrl: string, apiKey: string, onAnswer: (received: Received) => void): Client {
  let quota: Quota | null = null
  forgetActivity()
  const send = senderFor({
    baseUrl,
    apiKey,
    timeoutMs,
    retryForMs: 0,
    fetch: async (url, init) => {
      noteRequest()
      const response = await fetch(url, { ...init, cache: 'no-store' })
      noteServiceTime(response.headers.get('date'))
      noteTestTime(response.headers.get('x-test-time'))
      quota = readQuota(response.headers) ?? quota
      noteQuota(quota)
      return response
    },
  })
  return clientOf(async (call) => {
    try {
      const answer = await send<never>(call)
      onAnswer({ status: answer.status, quota })
      if (isChange(call)) noteChange()
      return answer
    } catch (error) {
      if (error instanceof LeadIntakeError) onAnswer({ status: error.status, quota })
      throw error
    }
  })
}

/** What is sent in a body, so that no log has it, changes nothing. */
const readsByPost = /\/(?:search|record|check|preview)$/

const isChange = ({ method, path }: Call) => method !== 'GET' && !readsByPost.test(path)

/** For requests whose text matters: numbers in metadata keep all their digits. */
export const leadsPath = '/api/v1/leads'
export const leadPath = pathIn(leadsPath)

export const campaignPath = pathIn('/api/v1/campaigns')

/** Past the client, whose answers are whole and JSON. */
export const fetchCsv = (key: string, path: string, query: object, signal: AbortSignal | null = null) =>
  fetch(`${path}?${new URLSearchParams({ ...query })}`, {
    headers: { 'x-api-key': key, accept: 'text/csv' },
    cache: 'no-store',
    signal,
  })

export type Client = ReturnType<typeof clientOf>

/** The client's methods by area, and the way in which they send. */
export function clientOf(send: Send) {
  const ask = askerFor(send)
  return {
    send,
    leads: leadsOf(send, ask),
    campaigns: campaignsOf(ask),
    dialerPresets: presetsOf(ask),
    suppressions: suppressionsOf(ask),
    consents: consentsOf(ask),
    events: eventsOf(ask),
    keys: keysOf(ask),
    members: membersOf(ask),
    webhooks: webhooksOf(ask),
  }
}

function readQuota(headers: Headers): Quota | null {
  const read = (name: string) => Number(headers.get(`x-ratelimit-${name}`) ?? Number.NaN)
  const [limit, remaining, resetAtSeconds] = [read('limit'), read('remaining'), read('reset')]
  // An answer without a valid key carries the quota of the network address.
  if (!(limit >= 100)) return null
  return { limit, remaining, resetSeconds: Math.max(0, resetAtSeconds - Date.now() / 1000) }
}
