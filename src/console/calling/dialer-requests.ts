// The requests of the page Calling: those of the client for one campaign. No dialer is an answer here, not a failure.
import { LeadIntakeError } from '../../sdk/src/errors.ts'
import type { ChangeDialer, Dialer, SetDialer, TestDialer } from '../../sdk/src/models.ts'
import type { Client } from '../service/client.ts'

export type DialerRequests = ReturnType<typeof dialerRequests>

export function dialerRequests({ campaigns: { dialer, preview } }: Client, campaignId: string) {
  return {
    get: async (): Promise<{ readonly dialer: Dialer | null }> => {
      try {
        return { dialer: await dialer.get(campaignId) }
      } catch (error) {
        if (error instanceof LeadIntakeError && error.code === 'dialer_not_found') return { dialer: null }
        throw error
      }
    },
    set: (body: SetDialer) => dialer.set(campaignId, body),
    update: (body: ChangeDialer) => dialer.update(campaignId, body),
    remove: () => dialer.remove(campaignId),
    check: () => dialer.check(campaignId),
    trace: () => dialer.trace(campaignId),
    test: (body: TestDialer) => dialer.test(campaignId, body),
    tested: (testId: string) => dialer.tested(campaignId, testId),
    /** How many leads can be called now. It looks at thousands of leads. */
    preview: () => preview(campaignId),
  }
}
