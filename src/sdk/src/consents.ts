// `client.consents`: consents, and the record of a number.
import type * as api from './models.ts'
import { type Pages, pagesOf } from './paging.ts'
import { type Ask, pathIn, type RequestOptions } from './send.ts'

export type Consents = ReturnType<typeof consentsOf>

export function consentsOf(ask: Ask) {
  const base = '/api/v1/consents'
  const one = pathIn(base)
  return {
    /** Stores 1 to 1,000 consents, all or none: a result for each. */
    store: async (
      consents: api.StoreConsents['consents'],
      options?: RequestOptions,
    ): Promise<api.StoredConsent[]> =>
      (await ask<{ results: api.StoredConsent[] }>('POST', base, options, { body: { consents } })).results,

    /** The consents of a number and its withdrawals, oldest first. */
    search: (phoneNumber: string, options?: RequestOptions) =>
      ask<api.ConsentsFound>('POST', one('search'), options, { body: { phoneNumber } }),

    /** Withdraws the consents of a number that were given until `withdrawnAt`, now when not set. */
    withdraw: (withdrawal: api.WithdrawConsents, options?: RequestOptions) =>
      ask<api.ConsentsWithdrawn>('POST', one('withdraw'), options, { body: withdrawal }),

    /** The calls that used a consent, oldest first. */
    uses: (
      consentId: string,
      query?: { readonly limit?: number },
      options?: RequestOptions,
    ): Pages<api.DataOf<'listConsentUses'>, api.ConsentUse> =>
      pagesOf(ask, `${one(consentId)}/uses`, query, options, { member: 'uses' }),

    /** All that the company holds of a number, oldest first. Each page that is read is logged. */
    record: (phoneNumber: string, options?: RequestOptions): Pages<api.NumberRecord, api.RecordEntry> =>
      pagesOf(ask, '/api/v1/numbers/record', { phoneNumber }, options, { member: 'entries', isPosted: true }),
  }
}
