// Whose an import is. Companies may have campaigns of the same id, so a campaign and a service do not say it.
import { createHash } from 'node:crypto'
import { ConnectionError, LeadIntakeError, RateLimitedError, type Retry } from '../../sdk/src/lead-intake.ts'
import { CommandFailed } from '../deploy/wrangler.ts'
import { describeError, isEnough, type Service, waitSecondsOf } from '../service.ts'

/** The company of the key; of a service that does not say it, the key itself stands for it. Throws CommandFailed. */
export async function ownerOfKey(
  { url, client }: Service,
  apiKey: string,
  tell: (line: string) => void,
): Promise<string> {
  const onRetry = (retry: Retry) => {
    const { error } = retry
    if (isEnough(retry)) throw error
    const why = error instanceof RateLimitedError ? "the key's rate limit" : describeError(url, error)
    tell(`${why}: trying again in ${waitSecondsOf(retry)} s`)
  }
  try {
    const { data } = await client.request<{ company?: { id?: string } }>({
      method: 'GET',
      path: '/api/v1/keys/self',
      retryForMs: Number.POSITIVE_INFINITY,
      onRetry,
    })
    if (data?.company?.id !== undefined) return `company ${data.company.id}`
  } catch (error) {
    if (!(error instanceof LeadIntakeError)) throw error
    if (error instanceof ConnectionError || error.status >= 500)
      throw new CommandFailed(describeError(url, error))
    // What is wrong with the key, the answer to the first rows says.
  }
  return `key ${createHash('sha256').update(apiKey).digest('hex')}`
}
