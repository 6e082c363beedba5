// The 400 messages of leads and their queries. This file has one invalid input for each rule; the code that validates
// requests gives the messages, so they are written only once.
import { readBulk, readCreate } from '../../leads/create-input.ts'
import { bulkQuery, listQuery } from '../../leads/query-input.ts'
import { limits } from '../../limits.ts'
import { bodyMessages, type Fields, messagesOf, queryMessages } from '../openapi/failures.ts'

const campaignId = 'demo'
const phoneNumber = '+14155550123'
const longer = (maxChars: number) => 'x'.repeat(maxChars + 1)
const deeper = (maxDepth: number): object => (maxDepth === 0 ? {} : { in: deeper(maxDepth - 1) })

const wrongCampaigns: readonly Fields[] = [
  { campaignId: undefined },
  { campaignId: longer(limits.campaignIdMaxChars) },
]
/** Optional fields. */
export const wrongOptionals: readonly Fields[] = [
  { externalId: longer(limits.externalIdMaxChars) },
  { externalId: '\0' },
  { metadata: 'Ada' },
  { metadata: { notes: longer(limits.metadataMaxBytes) } },
  { metadata: deeper(limits.metadataMaxDepth) },
  { metadata: { notes: '\0' } },
  { scheduledFor: 'tomorrow' },
  { priority: limits.priorityMax + 1 },
  { timeZone: 'Berlin' },
]
const wrongLeads: readonly Fields[] = [
  { phoneNumber: undefined },
  { phoneNumber: '4155550123' },
  { phoneNumber: 4155550123 },
  ...wrongOptionals,
]

export const wrongCreates: readonly unknown[] = [
  [],
  ...[...wrongCampaigns, ...wrongLeads].map((wrong) => ({ campaignId, phoneNumber, ...wrong })),
]
const wrongItems: readonly unknown[] = wrongLeads.map((wrong) => ({ phoneNumber, ...wrong }))
export const wrongBulks: readonly unknown[] = [
  [],
  ...wrongCampaigns.map((wrong) => ({ leads: [{ phoneNumber }], ...wrong })),
  { campaignId },
  { campaignId, leads: [] },
  { campaignId, leads: Array.from({ length: limits.leadsPerBulk + 1 }, () => ({ phoneNumber })) },
]
const wrongBulkQueries: readonly Fields[] = [{ results: 'yes' }, { onInvalid: 'ignore' }, { dryRun: 'yes' }]
export const wrongListQueries: readonly Fields[] = [
  ...wrongCampaigns,
  { status: 'called' },
  { phoneNumber: '4155550123' },
  { externalId: longer(limits.externalIdMaxChars) },
  { externalId: '\0' },
  { createdAfter: 'yesterday' },
  { createdBefore: 'yesterday' },
  { order: 'latest' },
  { include: 'calls' },
  { limit: '0' },
  { cursor: 'next' },
]

export const idempotencyKeyMessage = 'Idempotency-Key must be 1 to 255 visible ASCII characters'

/** Without the index, which precedes the message in a response: `leads[3].`. */
export const itemMessages = messagesOf(wrongItems, (item) => {
  const bulk = readBulk(JSON.stringify({ campaignId, leads: [item] }))
  return bulk.isValid ? bulk.value.items[0] : bulk
})
export const createMessages = [...bodyMessages(wrongCreates, readCreate), idempotencyKeyMessage]
export const bulkMessages = [
  ...queryMessages(bulkQuery, wrongBulkQueries),
  ...bodyMessages(wrongBulks, readBulk),
  idempotencyKeyMessage,
]
export const listMessages = queryMessages(listQuery, wrongListQueries, { campaignId })
