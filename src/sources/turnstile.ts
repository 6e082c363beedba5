// Asks Cloudflare whether a person has sent a post. A token is good for one question.
import { waits } from '../limits.ts'

const verifyUrl = 'https://challenges.cloudflare.com/turnstile/v0/siteverify'

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
