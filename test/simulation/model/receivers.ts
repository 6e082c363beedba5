// Receivers of webhooks, which fail, hang and redirect, and verify with the client what they get; and what they have
// got.
import { drawsOf } from '../draws.ts'
import type { FaultName } from '../faults.ts'
import type { Service } from '../platform/service.ts'
import type { Known } from './known.ts'

export const receiverHost = 'hooks.example.com'

const faultsOf = {
  ...{ 500: 'receiver fails', 503: 'receiver fails', 429: 'receiver busy', 302: 'receiver redirects' },
  ...{ 404: 'receiver refuses', 410: 'receiver gone', 0: 'receiver hangs' },
} as const satisfies Readonly<Record<number, FaultName>>

export function openReceiver(service: Service, known: Known, seed: number): void {
  const { hosts, agenda, met } = service
  const isSigned = (headers: Record<string, string>, body: string, secrets: readonly string[]) =>
    service.withClient('receiver', async ({ verifyWebhook, WebhookRefusedError }) => {
      try {
        await verifyWebhook({ headers, body }, secrets)
        return true
      } catch (error) {
        if (error instanceof WebhookRefusedError) return false
        throw error
      }
    })
  const requests = new Map<string, number>()
  hosts.set(receiverHost, async (url, init) => {
    const count = (requests.get(url) ?? 0) + 1
    requests.set(url, count)
    const draws = drawsOf(seed, `receiver ${url} ${count}`)
    const headers = init.headers as Record<string, string>
    const body = String(init.body)
    const [, name = ''] = new URL(url).pathname.split('/')
    // Two have the same URL where the request for one was delivered twice.
    const named = known.webhooks.filter((one) => one.name === name)
    const signed = await Promise.all(named.map(({ secrets }) => isSigned(headers, body, secrets)))
    const webhook = named[Math.max(0, signed.indexOf(true))]
    const { type, data } = JSON.parse(body)
    const eventId = headers['webhook-id'] as string
    const isTaken = draws.below(8) > 0
    known.tried.push({ name, eventId, isTaken })
    if (webhook?.exchange.body.format) known.messages.push(body)
    if (isTaken) {
      if (webhook !== undefined)
        known.delivered.push({
          ...{ webhookId: webhook.webhookId, eventId, type, leadId: data?.leadId ?? null },
          ...{ at: agenda.moment(), isSigned: signed.includes(true) },
        })
      return { takesMs: draws.below(300), answered: new Response(null, { status: 204 }) }
    }
    const drawn = draws.pick([500, 503, 429, 302, 404, 0] as const)
    // The service then sends it nothing more.
    const status = draws.child('gone').isOneOf(20) ? 410 : drawn
    met(faultsOf[status])
    if (status === 404) known.refusedEvents.add(eventId)
    if (status === 410) known.goneReceivers.add(name)
    const answered = status === 0 ? null : new Response(null, { status })
    return { takesMs: draws.below(3_000), answered }
  })
}

/** A later event of its lead has come before, nobody has refused it, and nobody has asked for earlier ones since. */
export function isEarly(
  { webhookId, leadId, eventId, at }: Known['delivered'][number],
  known: Known,
): boolean {
  if (leadId === null || known.refusedEvents.has(eventId)) return false
  const replay = known.exchanges.findLast(
    ({ operation, path, sentAt }) => operation === 'replayWebhook' && path.includes(webhookId) && sentAt < at,
  )
  const since = replay === undefined ? 0 : (replay.answeredAt ?? at)
  const before = known.delivered.filter((one) => one.webhookId === webhookId && one.at > since && one.at < at)
  const isFirst = before.every((one) => one.eventId !== eventId)
  return isFirst && before.some((one) => one.leadId === leadId && one.eventId > eventId)
}
