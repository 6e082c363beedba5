// Verifies that the service sent a webhook: its signature by Standard Webhooks 1.0.0, and its age against replays.

import type { WebhookEvent } from './models.ts'

/** A request of the Fetch API, or headers and body of another server's. The body must be as received, not parsed. */
export type WebhookRequest =
  | Pick<Request, 'headers' | 'text'>
  | {
      readonly headers:
        | { get(name: string): string | null | undefined }
        | Readonly<Record<string, string | readonly string[] | undefined>>
      readonly body: string | Uint8Array | ArrayBuffer
    }

export class WebhookRefusedError extends Error {
  override readonly name = 'WebhookRefusedError'
}

/**
 * Returns the event of a webhook. While a secret is rotated, pass both.
 * @throws WebhookRefusedError when it is not signed with one of the secrets, or not within the last 5 minutes.
 */
export async function verifyWebhook(
  request: WebhookRequest,
  secrets: string | readonly (string | undefined)[],
  { toleranceSeconds = 300 }: { readonly toleranceSeconds?: number } = {},
): Promise<WebhookEvent> {
  const keys = [secrets].flat().filter((secret) => secret)
  if (keys.length === 0) throw new TypeError('No secret is given')
  const headers = request.headers as Record<string, unknown>
  const header = (name: string) =>
    String(
      (typeof headers.get === 'function'
        ? headers.get(name)
        : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]) ?? '',
    )
  const [id, seconds] = [header('webhook-id'), header('webhook-timestamp')]
  if (!/^\d{1,12}$/.test(seconds) || !id) throw new WebhookRefusedError('Not a signed webhook')
  // Negated, so that a tolerance of NaN refuses all.
  if (!(Math.abs(Date.now() / 1000 - Number(seconds)) <= toleranceSeconds))
    throw new WebhookRefusedError('The webhook was not sent just now')

  const body = 'body' in request && !('text' in request) ? request.body : await (request as Request).text()
  if (typeof body !== 'string' && !(body instanceof Uint8Array) && !(body instanceof ArrayBuffer))
    throw new TypeError('The body must be as it came: a string, a Uint8Array or an ArrayBuffer')
  // A Blob is made of each of them. Its type differs between the libraries of runtimes.
  const whole = new Blob([body as string])
  const signed = await new Blob([`${id}.${seconds}.`, whole]).arrayBuffer()
  const signatures = header('webhook-signature')
    .split(' ')
    .flatMap((one) => (one.startsWith('v1,') ? [bytesOf(one.slice(3))] : []))
  for (const secret of keys) {
    const raw = bytesOf((secret as string).replace(/^whsec_/, ''))
    if (!raw?.length) throw new TypeError('A secret is whsec_ and base64')
    const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, [
      'verify',
    ])
    for (const signature of signatures)
      if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed)))
        return eventOf(id, await whole.text())
  }
  throw new WebhookRefusedError('The webhook is not signed with this secret')
}

/** The signed id counts, whatever the body says. */
function eventOf(id: string, text: string): WebhookEvent {
  try {
    return { ...JSON.parse(text), id }
  } catch {
    throw new WebhookRefusedError('The webhook is no JSON')
  }
}

/** Decodes base64; null when it is none. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
  } catch {
    return null
  }
}
