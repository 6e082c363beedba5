// Sends the numbers that a file marks as not to be called.
import { type DoNotCallScope, doNotCallReason, inBatches } from '../../../queue/leads/file/do-not-call.ts'
import { InvalidFieldError } from '../../../sdk/src/errors.ts'
import type { Send } from '../../../sdk/src/send.ts'

type Place = { readonly scope: DoNotCallScope; readonly campaignId: string }

export async function suppressListed(
  send: Send,
  numbers: readonly string[],
  { scope, campaignId }: Place,
  signal: AbortSignal,
): Promise<void> {
  if (scope === 'skip') return
  const body = { campaignId: scope === 'campaign' ? campaignId : null, reason: doNotCallReason }
  await inBatches(
    numbers,
    (phoneNumbers) =>
      send({
        method: 'POST',
        path: '/api/v1/suppressions',
        body: { ...body, phoneNumbers },
        signal,
        outlastsLimits: true,
      }),
    (error) => error instanceof InvalidFieldError && error.field === 'phoneNumbers',
  )
}
