// Receivers of webhooks, which fail, hang and redirect; and what they have got.
import { verifyWebhook } from '../../../src/sdk/src/verify-webhook.ts'
import { drawsOf } from '../draws.ts'
import type { Service } from '../platform/service.ts'
import type { Known } from './known.ts'

export const receiverHost = 'hooks.example.com'

export function openReceiver({ hosts, agenda }: Service, known: Known, seed: number): void {
  let requests = 0
  hosts.set(receiverHost, async (url, init) => {
    const draws = drawsOf(seed, `receiver ${++requests}`)
    const headers = init.headers as Record<string, string>
    const body = String(init.body)
    const [, name = ''] = new URL(url).pathname.split('/')
    const webhook = known.webhooks.find((one) => one.name === name)
    const toleranceSeconds = Number.POSITIVE_INFINITY
    const event = await verifyWebhook({ headers, body }, webhook?.secrets ?? ['whsec_bm9uZQ=='], {
      toleranceSeconds,
    }).catch(() => null)
    const { id: eventId, type } = JSON.parse(body)
    const isFine = draws.below(8) > 0
    if (isFine && webhook !== undefined)
      known.delivered.push({
        webhookId: webhook.webhookId,
        eventId,
        type,
        at: agenda.moment(),
        isSigned: event !== null,
      })
    if (isFine) return { takesMs: draws.below(300), answered: new Response(null, { status: 204 }) }
    const status = draws.pick([500, 503, 429, 302, 404, 0])
    return { takesMs: draws.below(3_000), answered: status === 0 ? null : new Response(null, { status }) }
  })
}
