// A program of somebody who has only the API description: typed by what openapi-typescript made of it, sending
// through openapi-fetch. test/docs/client.test.ts makes the types, has them checked, and runs this.
import createClient from 'openapi-fetch'
import type { paths } from '../../dist/client/api.d.ts'

const [baseUrl = '', writeKey = '', readKey = ''] = process.argv.slice(2)
// A list can be CSV too; here it is JSON.
const writer = createClient<paths, 'application/json'>({ baseUrl, headers: { 'x-api-key': writeKey } })
const reader = createClient<paths, 'application/json'>({ baseUrl, headers: { 'x-api-key': readKey } })

const externalId = 'generated'
const lead = {
  campaignId: 'demo',
  phoneNumber: '+14155550191',
  externalId,
  metadata: { name: 'Ada' },
  priority: 7,
}
const created = await writer.POST('/api/v1/leads', { body: lead })
const leadId = created.data?.data.leadId ?? ''
const again = await writer.POST('/api/v1/leads', { body: lead })

const leads = [
  { phoneNumber: '+14155550192', externalId },
  { phoneNumber: '+14155550191' },
  { phoneNumber: 'none' },
]
const bulk = await writer.POST('/api/v1/leads/bulk', {
  params: { query: { results: true, onInvalid: 'skip' }, header: { 'Idempotency-Key': 'client-1' } },
  body: { campaignId: 'demo', leads },
})

const listed = await reader.GET('/api/v1/leads', {
  params: { query: { campaignId: 'demo', externalId, limit: 2 } },
})
const read = await reader.GET('/api/v1/leads/{leadId}', { params: { path: { leadId } } })
const health = await reader.GET('/api/health')

const seen = {
  created: created.response.status,
  again: again.error?.error,
  bulk: bulk.data?.data.results?.map((result) => result.status),
  listed: listed.data?.data.leads.map(({ phoneNumber, priority }) => ({ phoneNumber, priority })),
  nextCursor: listed.data?.data.nextCursor,
  read: read.data?.data.lead.metadata,
  health: health.data?.data.checks.database.status,
}
process.stdout.write(JSON.stringify(seen))
