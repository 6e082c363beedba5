// The operator's requests about webhooks to a running service: it alone can sign, and reaches their senders. What is
// asked for, and what is printed of the answers, is in commands/webhook.ts.
import { ask, describeAnswer, parseJson } from './service.ts'
import { CommandFailed } from './wrangler.ts'

export type Target = { readonly url: string; readonly apiKey: string }

export type Webhook = {
  readonly webhookId: string
  readonly url: string
  readonly types: readonly string[]
  readonly campaignId: string | null
  readonly include: readonly string[]
  readonly createdAt: string
  readonly disabledAt: string | null
  readonly disabledReason: string | null
  readonly lag: number
}

export type Delivery = {
  readonly eventId: string
  readonly type: string
  readonly attempt: number
  readonly status: number | null
  readonly time: string
  readonly milliseconds: number
  readonly error: string | null
}

const timeoutMs = 20_000

/** The data of the answer. Throws CommandFailed. */
export async function askService<Data>(
  { url, apiKey }: Target,
  method: string,
  path: string,
  body?: object,
): Promise<Data> {
  const request = {
    method,
    headers: { 'x-api-key': apiKey, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  }
  const answer = await ask(`${url}/api/v1/webhooks${path}`, request, timeoutMs)
  if (answer.status !== 200 && answer.status !== 201) throw new CommandFailed(describeAnswer(url, answer))
  const { data } = (parseJson(answer.text) ?? {}) as { data?: unknown }
  if (typeof data === 'object' && data !== null) return data as Data
  throw new CommandFailed(`${url} does not answer as this service does`)
}
