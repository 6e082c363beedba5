// A campaign with a source, made by a manage key, and posts to it as strangers send them.
import { createExecutionContext } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import worker from '../../../src/index.ts'
import { bindingsOf, companyDb } from '../database/store.ts'
import { api, randomAddress } from '../http/api.ts'
import { dataOf } from '../http/expectations.ts'
import { type Campaign, seedKey, seedWorld } from '../world.ts'

export type ShownSource = {
  sourceId: string
  name: string
  countries: string[]
  nationalCountry: string | null
  timeZones: Record<string, string>
  fields: Record<string, string | null>
  ignored: string[]
  notDoNotCall: string[]
  permissions: string
  consent: Record<string, unknown> | null
  onExisting: string
  redirectUrl: string | null
  hasTurnstile: boolean
  enabled: boolean
  createdAt: string
  url: string
  received: {
    stored: number
    existing: number
    suppressed: number
    dropped: number
    refused: number
    lastAt: string | null
  }
  lastNames: string[]
  lastProblem: { at: string; code: string; message: string } | null
}

export type Tried = {
  phoneNumber: { from: string; value: string } | null
  fields: Record<string, { from: string; value: string | number }>
  timeZone: string | null
  metadata: Record<string, string>
  consent: boolean
  suppresses: boolean
  problem: { code: string; message: string } | null
  leftOut: string[]
}

export type Posted = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly error: string | null
}

/** A number of Germany that no other lead has. */
let numbers = 0
export const newMobile = (): string =>
  `+49171${String(1_000_000 + ((Date.now() + numbers++ * 7) % 8_999_999))}`

/** `bindings`: in place of the Worker's own. */
export async function send(
  url: string,
  init: RequestInit,
  {
    address = randomAddress(),
    bindings,
  }: { address?: string; bindings?: Parameters<typeof bindingsOf>[0] } = {},
): Promise<Posted> {
  const headers = new Headers(init.headers)
  headers.set('cf-connecting-ip', address)
  const request = new Request(url, { method: 'POST', redirect: 'manual', ...init, headers })
  const response =
    bindings === undefined
      ? await exports.default.fetch(request)
      : await worker.fetch(request, { ...env, ...bindingsOf(bindings) } as Env, createExecutionContext())
  const text = await response.text()
  const isJson = response.headers.get('content-type') === 'application/json'
  return {
    status: response.status,
    headers: response.headers,
    text,
    error: isJson ? (JSON.parse(text) as { error: string | null }).error : null,
  }
}

export const postJson = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  send(url, { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } })

export const postForm = (url: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  send(url, { body: new URLSearchParams(fields), headers })

/** As a browser sends a form of a page. */
export const navigate = {
  accept: 'text/html,application/xhtml+xml',
  'sec-fetch-mode': 'navigate',
  origin: 'https://shop.example.com',
  referer: 'https://shop.example.com/contact?secret=1',
}

export async function seedSource(settings: object = {}, world?: Awaited<ReturnType<typeof seedWorld>>) {
  const own = world ?? (await seedWorld())
  const { key, id: manageKeyId } = await seedKey({ companyId: own.companyId, scope: 'manage' })
  const manager = api(key)
  const path = `/api/v1/campaigns/${own.campaignId}/sources`
  const made = await manager.request('POST', path, { name: 'Form', countries: ['DE'], ...settings })
  const source = dataOf(made, 201) as ShownSource
  const one = `${path}/${source.sourceId}`
  const shown = async (method: string, body?: object, what = '') =>
    dataOf(await manager.request(method, one + what, body), 200) as ShownSource
  return {
    ...own,
    ...source,
    manager,
    manageKeyId,
    manageKey: key,
    path,
    one,
    shown,
    /** What would become of a post. */
    tried: async (body: unknown, contentType = 'application/json') =>
      dataOf(
        await manager.request('POST', `${one}/try`, {
          contentType,
          body: typeof body === 'string' ? body : JSON.stringify(body),
        }),
        200,
      ) as Tried,
  }
}

export type StoredLead = {
  phone: string
  externalId: string | null
  metadata: Record<string, string> | null
  scheduledFor: string | null
  priority: number
  timeZone: string
  status: string
}

/** The leads of a campaign, in the order in which they came. */
export async function leadsOf(campaign: Campaign): Promise<StoredLead[]> {
  const { results } = await companyDb
    .prepare(
      `select phone_number as phone, external_id as "externalId", metadata, scheduled_for as "scheduledFor", priority,
         lane as "timeZone", status from leads where campaign_number = ?1 order by seq`,
    )
    .bind(campaign.number)
    .all<Omit<StoredLead, 'metadata'> & { metadata: string | null }>()
  return results.map((row) => ({
    ...row,
    metadata: row.metadata === null ? null : (JSON.parse(row.metadata) as Record<string, string>),
  }))
}
