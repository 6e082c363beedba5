// The state of a webhook in one line. Pure.
import type { Webhook } from '../../../sdk/src/models.ts'
import { countOf } from '../../ui/words/number-words.ts'

type State = Pick<Webhook, 'disabledAt' | 'failingSince' | 'lag'> & { readonly disabledReason: string | null }

/** `format` writes a time for people. */
export function describeWebhook(
  { disabledAt, disabledReason, failingSince, lag }: State,
  format: (time: string) => string,
): string {
  if (disabledAt !== null)
    return `Off since ${format(disabledAt)}${disabledReason === null ? '' : ` (${disabledReason})`}`
  const state = failingSince === null ? 'Delivering' : `Failing since ${format(failingSince)}`
  return lag > 0 ? `${state}: ${countOf(lag, 'event')} waiting` : state
}
