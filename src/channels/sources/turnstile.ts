// Asks Cloudflare whether a person has sent a post. A token is good for one question.

import { waits } from '../../base/limits.ts'
import type { SecretsOwner } from '../dialers/dialer-secrets.ts'

const verifyUrl = 'https://challenges.cloudflare.com/turnstile/v0/siteverify'

/** Whose the secret is: one source's. No preset of a dialer has this name. */
export const ownerOf = (companyId: string, sourceId: string): SecretsOwner => ({
  companyId,
  campaignId: '',
  preset: `source ${sourceId}`,
  template: null,
})

/** Null: no answer. */
export async function isPerson(
  secret: string,
  token: string,
  address: string | undefined,
): Promise<boolean | null> {
  try {
    const answer = await fetch(verifyUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ secret, response: token, remoteip: address }),
      signal: AbortSignal.timeout(waits.turnstileMs),
    })
    const { success } = (await answer.json()) as { readonly success?: unknown }
    return typeof success === 'boolean' ? success : null
  } catch {
    return null
  }
}
