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

/** A version of a secret, and when it ends, in Unix ms. */
export type EndingSecret = readonly [version: number, endsAtMs: number]

/** Which versions of a webhook's secret sign. */
export type Secrets = {
  readonly secretVersion: number
  /** Until when the version before signs as well; null: it does not. */
  readonly previousExpiresAtMs: number | null
  /** The versions before that one. */
  readonly olderSecrets: readonly EndingSecret[]
}

/** What signs a webhook's events. */
export type Signer = Secrets & { readonly root: string; readonly webhookId: string }

/** The newest first: each version whose promised end lies ahead. */
function signingVersions({ secretVersion, previousExpiresAtMs, olderSecrets }: Secrets, nowMs: number) {
  const ending: readonly EndingSecret[] = [[secretVersion - 1, previousExpiresAtMs ?? 0], ...olderSecrets]
  const alive = ending.filter(([, endsAtMs]) => endsAtMs > nowMs).map(([version]) => version)
  return [secretVersion, ...alive].toSorted((a, b) => b - a)
}

/** The headers of one try. The id is the same in every try, the time is that of this one. */
export function signedHeaders(
  signer: Signer,
  eventId: string,
  body: string,
  nowMs: number,
): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000))
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
