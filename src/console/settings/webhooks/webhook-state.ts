// The state of a webhook, and the result of a test, in one line each. Pure.
import type { Webhook, WebhookTested } from '../../../sdk/src/models.ts'
import { countOf } from '../../ui/words/number-words.ts'

type State = Pick<Webhook, 'expiresAt' | 'disabledAt' | 'failingSince' | 'lag'> & {
  readonly disabledReason: string | null
}

const disabledReasons: Readonly<Record<string, string>> = {
  gone: 'the receiver answered that it is gone',
  dead: 'nothing was delivered for days',
  operator: 'by hand',
  key_revoked: 'its key was revoked',
  key_expired: 'its key has expired',
}

/** `format` writes a time for people. */
export function describeWebhook(
  { expiresAt, disabledAt, disabledReason, failingSince, lag }: State,
  format: (time: string) => string,
): string {
  if (disabledAt !== null)
    return (
      `Off since ` +
      `${format(disabledAt)}${disabledReason === null ? '' : ` (${disabledReasons[disabledReason] ?? disabledReason})`}`
    )
  const state = failingSince === null ? 'Delivering' : 'Failing'
  const waiting = lag > 0 ? `: ${countOf(lag, 'event')} waiting` : ''
  const since = failingSince === null ? '' : `, since ${format(failingSince)}`
  const end = expiresAt === null ? '' : `. Ends ${format(expiresAt)} with the key that set it up`
  return `${state}${waiting}${since}${end}`
}

/** As people read them; other errors are shown as the API has them. */
const errorWords: Readonly<Record<string, string>> = { 'no connection': 'connection refused' }

export function describeTest({
  status,
  error,
  milliseconds,
}: Pick<WebhookTested, 'status' | 'error' | 'milliseconds'>) {
  const result = error === null ? `succeeded: ${status}` : `failed: ${errorWords[error] ?? error}`
  return { text: `Test ${result} (${milliseconds} ms)`, isFailure: error !== null }
}
