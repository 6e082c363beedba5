// Finds the company of an import, and the campaign of its key. Companies may have campaigns with the same id, so the campaign
// does not identify the company.
import { createHash } from 'node:crypto'
import { ConnectionError, LeadIntakeError, RateLimitedError, type Retry } from '../../sdk/src/lead-intake.ts'
import { CommandFailed } from '../command-failed.ts'
import { describeError, isLastTry, type Service, waitSecondsOf } from '../service.ts'

/** `campaignId`: of a campaign's key. */
type Owner = { readonly owner: string; readonly campaignId: string | null }

/** The company of the key, or the key's hash for a service that does not return it. Throws CommandFailed. */
export async function ownerOfKey(
  { url, client }: Service,
  apiKey: string,
  log: (line: string) => void,
): Promise<Owner> {
  const onRetry = (retry: Retry) => {
    const { error } = retry
    if (isLastTry(retry)) throw error
    const why = error instanceof RateLimitedError ? "the key's rate limit" : describeError(url, error)
    log(`${why}: retrying in ${waitSecondsOf(retry)} s`)
  }
  try {
    const { data } = await client.request<{
      company?: { id?: string }
      key?: { campaignId?: string | null }
    }>({
      method: 'GET',
      path: '/api/v1/keys/self',
      retryForMs: Number.POSITIVE_INFINITY,
      onRetry,
    })
    if (data?.company?.id !== undefined)
      return { owner: `company ${data.company.id}`, campaignId: data.key?.campaignId ?? null }
  } catch (error) {
    if (!(error instanceof LeadIntakeError)) throw error
    if (error instanceof ConnectionError || error.status >= 500)
      throw new CommandFailed(describeError(url, error))
    // If the key is refused, so are the first rows, with the reason.
  }
  return { owner: `key ${createHash('sha256').update(apiKey).digest('hex')}`, campaignId: null }
}
