// The secrets of webhooks and what is signed with them, as Standard Webhooks 1.0.0 has it. A secret follows from the
// Worker's root, the webhook's id and a version: the database holds none, and whoever reads it can sign nothing. Pure.
import { createHmac } from 'node:crypto'

export const secretPattern = 'whsec_[A-Za-z0-9+/]{43}='

function signingKey(root: string, webhookId: string, version: number): Buffer {
  return createHmac('sha256', root).update(`${webhookId}.${version}`).digest()
}

/** As its receiver keeps it. */
export function secretOf(root: string, webhookId: string, version: number): string {
  return `whsec_${signingKey(root, webhookId, version).toString('base64')}`
}

/** What signs a webhook's events. */
export type Signer = {
  readonly root: string
  readonly webhookId: string
  readonly secretVersion: number
  /** Until when the version before signs as well; null: it does not. */
  readonly previousExpiresAtMs: number | null
}

/** The headers of one try. The id is the same in every try, the time is that of this one. */
export function signedHeaders(
  signer: Signer,
  eventId: string,
  body: string,
  nowMs: number,
): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000))
  const { root, webhookId, secretVersion, previousExpiresAtMs } = signer
  const isPreviousAlive = previousExpiresAtMs !== null && previousExpiresAtMs > nowMs
  const versions = [secretVersion, ...(isPreviousAlive ? [secretVersion - 1] : [])]
  const signatures = versions.map((version) =>
    createHmac('sha256', signingKey(root, webhookId, version))
      .update(`${eventId}.${timestamp}.${body}`)
      .digest('base64'),
  )
  return {
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.map((signature) => `v1,${signature}`).join(' '),
  }
}
