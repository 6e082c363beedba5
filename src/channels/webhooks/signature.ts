// Secrets of webhooks and signatures, as in Standard Webhooks 1.0.0. A secret is derived from the Worker's root, the
// webhook's id and a version: the database holds none, so that reading it is not enough to sign. Pure.
import { createHmac } from 'node:crypto'

export const secretPattern = 'whsec_[A-Za-z0-9+/]{43}='

function signingKey(root: string, webhookId: string, version: number): Buffer {
  return createHmac('sha256', root).update(`${webhookId}.${version}`).digest()
}

/** In the form that the receiver keeps. */
export function secretOf(root: string, webhookId: string, version: number): string {
  return `whsec_${signingKey(root, webhookId, version).toString('base64')}`
}

type EndingSecret = readonly [version: number, endsAtMs: number]

export type Secrets = {
  readonly secretVersion: number
  /** Until then the version before signs as well. */
  readonly previousExpiresAtMs: number | null
  /** Versions before that one whose grace period has not ended. */
  readonly olderSecrets: readonly EndingSecret[]
}

export type Signer = Secrets & { readonly root: string; readonly webhookId: string }

/** The newest first. */
function signingVersions({ secretVersion, previousExpiresAtMs, olderSecrets }: Secrets, nowMs: number) {
  const ending: readonly EndingSecret[] = [[secretVersion - 1, previousExpiresAtMs ?? 0], ...olderSecrets]
  const alive = ending.filter(([, endsAtMs]) => endsAtMs > nowMs).map(([version]) => version)
  return [secretVersion, ...alive].toSorted((a, b) => b - a)
}

/**
 * The id is the same in every delivery attempt, the time that of this one: `sentMs`, by the clock that receivers have.
 */
export function signedHeaders(
  signer: Signer,
  eventId: string,
  body: string,
  nowMs: number,
  sentMs: number = nowMs,
): Record<string, string> {
  const timestamp = String(Math.floor(sentMs / 1000))
  const { root, webhookId } = signer
  const signatures = signingVersions(signer, nowMs).map((version) =>
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
