// Whether a webhook is the service's: signed as Standard Webhooks 1.0.0 has it, and not an old one sent again.

import type { WebhookEvent } from './models.ts'

/** A request of the Fetch API, or what other servers have of one: the body must be as it came, not parsed. */
export type WebhookRequest =
  | Pick<Request, 'headers' | 'text'>
  | {
      readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
      readonly body: string | Uint8Array
    }

export class WebhookRefusedError extends Error {
  override readonly name = 'WebhookRefusedError'
}

const encoder = new TextEncoder()

/**
 * Gives the event that a webhook tells. While a secret is rotated, give both.
 * @throws WebhookRefusedError when nobody who has a secret signed it, or not within the last 5 minutes.
 */
export async function verifyWebhook(
  request: WebhookRequest,
  secrets: string | readonly string[],
  { toleranceSeconds = 300 }: { readonly toleranceSeconds?: number } = {},
): Promise<WebhookEvent> {
  const { headers } = request
  const header = (name: string) =>
    String(
      (headers instanceof Headers ? headers.get(name) : (headers as Record<string, unknown>)[name]) ?? '',
    )
  const [id, seconds] = [header('webhook-id'), header('webhook-timestamp')]
  if (!/^\d{1,12}$/.test(seconds) || !id) throw new WebhookRefusedError('Not a signed webhook')
  if (Math.abs(Date.now() / 1000 - Number(seconds)) > toleranceSeconds)
    throw new WebhookRefusedError('The webhook was not sent just now')

  const body = 'body' in request && !('text' in request) ? request.body : await (request as Request).text()
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  const signed = new Uint8Array([...encoder.encode(`${id}.${seconds}.`), ...bytes])
  const signatures = header('webhook-signature')
    .split(' ')
    .flatMap((one) => (one.startsWith('v1,') ? [bytesOf(one.slice(3))] : []))
  for (const secret of [secrets].flat()) {
    const raw = bytesOf((secret as string).replace(/^whsec_/, ''))
    if (raw === null) throw new TypeError('A secret is whsec_ and base64')
    const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, [
      'verify',
    ])
    for (const signature of signatures)
      if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed)))
        return { id, ...JSON.parse(new TextDecoder().decode(bytes)) }
  }
  throw new WebhookRefusedError('The webhook is not signed with this secret')
}

/** Of base64; null when it is none. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
  } catch {
    return null
  }
}
