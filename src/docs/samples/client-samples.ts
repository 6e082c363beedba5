// The call of each operation with our TypeScript client, for the code samples. `$body` stands for the example of the
// body, `$body.leads` for one of its members, `$query` for the required parameters, `$leadId` for the path parameter. A
// test checks all of them against the types of the client.

export const clientSamples: Readonly<Record<string, string>> = {
  createLead: 'const { leadId } = await client.leads.create($body)',
  createLeads:
    'for await (const result of client.leads.createMany($body.campaignId, $body.leads)) {\n  console.log(result.index, result.status)\n}',
  listLeads: 'for await (const lead of client.leads.list($query)) {\n  console.log(lead.phoneNumber)\n}',
  searchLeads: 'for await (const lead of client.leads.search($query)) {\n  console.log(lead.phoneNumber)\n}',
  getLead: 'const lead = await client.leads.get($leadId)',
  changeLead: 'const lead = await client.leads.update($leadId, $body)',
  eraseLead: 'await client.leads.erase($leadId)',
  erasePerson: 'const { leadsErased } = await client.leads.erasePerson($body)',
  claimCalls: 'const { calls, reason } = await client.calls.claim($body)',
  reportCalls: 'const { results } = await client.calls.report($body)',
  extendCalls: 'const calls = await client.calls.extend($body)',
  releaseCalls: 'const { results } = await client.calls.release($body)',
  listOpenCalls: 'for await (const call of client.calls.list($query)) {\n  console.log(call.callId)\n}',
  listCallsOfLead:
    'for await (const call of client.leads.callPages($leadId)) {\n  console.log(call.claimedAt, call.outcome)\n}',
  explainLead: 'const { callable, blockers } = await client.leads.explain($leadId)',
  requeueLead: 'const lead = await client.leads.requeue($leadId)',
  requeueSelection: 'const { results } = await client.leads.requeueMany($body.leadIds)',
  requeueLeads: 'const { requeued, more } = await client.campaigns.requeue($campaignId, $body)',
  listCampaigns: 'const campaigns = await client.campaigns.list()',
  getCampaign: 'const campaign = await client.campaigns.get($campaignId)',
  createCampaign: 'client.campaigns.create($body)',
  changeCampaign: 'const campaign = await client.campaigns.update($campaignId, $body)',
  getStatistics: 'const { status, series, outcomes, pickUp } = await client.campaigns.stats($campaignId)',
  getOverview: 'const { queue, liveCalls, alerts } = await client.campaigns.overview($campaignId)',
  suppressNumbers: 'const { added, liveCalls } = await client.suppressions.add($body)',
  liftSuppressions: 'const { lifted } = await client.suppressions.lift($body)',
  listSuppressions:
    'for await (const { phoneNumber } of client.suppressions.list()) {\n  console.log(phoneNumber)\n}',
  listEvents:
    'const events = client.events.list()\nfor await (const event of events) console.log(event.type, event.data)\n' +
    '// Store this, and pass it as `after` next time.\nconsole.log(events.next)',
  createWebhook: 'const { webhookId, secret } = await client.webhooks.create($body)',
  listWebhooks: 'const webhooks = await client.webhooks.list()',
  getWebhook: 'const webhook = await client.webhooks.get($webhookId)',
  changeWebhook: 'const webhook = await client.webhooks.update($webhookId, $body)',
  deleteWebhook: 'await client.webhooks.delete($webhookId)',
  rotateWebhook: 'const { secret } = await client.webhooks.rotate($webhookId)',
  testWebhook: 'const { status, error } = await client.webhooks.test($webhookId)',
  replayWebhook: 'await client.webhooks.replay($webhookId, $body)',
  listDeliveries: 'const deliveries = await client.webhooks.deliveries($webhookId)',
  listKeys: 'const { keys } = await client.keys()',
  createKey: 'const { keyId, key } = await client.keys.create($body)',
  rotateKey: 'const { keyId, key, previousExpiresAt } = await client.keys.rotate($keyId, $body)',
  revokeKey: 'const { revokedAt, created } = await client.keys.revoke($keyId)',
  getOwnKey: 'const { key, company } = await client.keys.self()',
  checkHealth: 'const { status } = await client.health()',
  checkHealthBriefly: 'const { status } = await client.health()',
}
