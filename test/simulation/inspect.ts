// At the end of a world somebody looks at each campaign: the log, the leads with what blocks them, the preview, the
// alerts, and the dialer; and claims all that may be called.
import type { Cast } from './cast.ts'
import type { Answer } from './observed.ts'
import type { Sending } from './people/person.ts'

export async function inspect(
  { companies }: Cast,
  send: (sending: Sending) => Promise<Answer | null>,
): Promise<void> {
  for (const [company, { campaigns }] of companies.entries()) {
    const ask = async (sending: Omit<Sending, 'company'>) => (await send({ ...sending, company }))?.body?.data
    for (let after: string | undefined = '', rest = 20; after !== undefined && rest > 0; rest--) {
      const query: Record<string, string | number> = { limit: 100, ...(after !== '' && { after }) }
      const page: { events: object[]; next: string } | undefined = await ask({
        ...{ operation: 'listEvents', scope: 'manage', query },
      })
      after = page === undefined || page.events.length === 0 ? undefined : page.next
    }
    for (const { id: campaignId } of campaigns) {
      const parts = { campaignId }
      await ask({ operation: 'getDialer', scope: 'manage', parts })
      const listed = await ask({ operation: 'listLeads', scope: 'read', query: { campaignId, limit: 100 } })
      for (const { _id: leadId } of listed?.leads ?? [])
        await ask({ operation: 'explainLead', scope: 'read', parts: { leadId } })
      await ask({ operation: 'previewCampaign', scope: 'read', parts })
      await ask({ operation: 'getOverview', scope: 'manage', parts })
      await ask({ operation: 'getStatistics', scope: 'read', parts, query: { bucket: 'day' } })
      await ask({ operation: 'getStatistics', scope: 'read', parts, query: { by: 'outcome' } })
      await ask({ operation: 'claimCalls', scope: 'agent', body: { campaignId, limit: 50 } })
      await ask({ operation: 'previewCampaign', scope: 'read', parts })
    }
  }
}
