// Calls that come in, in the API description: who rings, and an agent takes the call. Their fields are in
// fields/call-fields.ts.
import { limits } from '../../base/limits.ts'
import { inboundBody } from '../../queue/calling/input.ts'
import { leadStatuses } from '../../queue/leads/lead.ts'
import { fields } from '../fields/call-fields.ts'
import { leadId } from '../fields/lead-fields.ts'
import * as s from '../openapi/json-schema.ts'
import { type Area, body, idempotencyKey, needs, ok } from '../openapi/operation.ts'
import { prose } from '../openapi/prose.ts'
import { exampleIds } from '../samples/example-ids.ts'
import { exampleLead } from '../samples/example-leads.ts'
import { callDirection, claimedCall, exampleCall } from './describe-calling.ts'

const tag = {
  name: 'Calls that come in',
  description: 'Who rings back, and how an agent takes the call, so that nobody calls the person meanwhile.',
}

const orNone = (name: string) => ({ anyOf: [s.reference(name), { type: 'null' }] })

const schemas = {
  InboundCall: s.describeBody(inboundBody, 'Who rings, and whether an agent takes the call.', {
    ...fields,
    campaignId: {
      ...fields.campaignId,
      description: 'Only leads of this campaign. Default: of all that the key sees.',
    },
    leaseSeconds: {
      description: 'How long the call may take. Default: the campaign’s setting. With `take` only.',
    },
  }),
  OpenCallOfPhone: s.exactObject({
    callId: s.textOrNull`Null, as all about lead, campaign and agent: the call is in a campaign that the key does not
      see, a test call, or that of a lead that was erased.`,
    leadId: s.textOrNull('The lead.'),
    campaignId: s.textOrNull('Its campaign.'),
    direction: callDirection,
    agent: s.textOrNull('The agent’s name in the claim.'),
    dialledAt: s.timeOrNull('When the call was dialled, or taken. Null: not reported.'),
    leaseExpiresAt: s.time('When the lease ends.'),
  }),
  Caller: s.objectWithout(['taken', 'call'], {
    lead: orNone('Lead'),
    campaign: orNone('CampaignOfCaller'),
    lastCall: orNone('PastCall'),
    openCall: orNone('OpenCallOfPhone'),
    suppressed: s.flag('The number must not be called. Who rings may be spoken to.'),
    candidates: s.array(s.reference('CandidateOfCaller'))`All leads of the phone, in this order, at most
      ${limits.callersPerPhone}.`,
    taken: s.flag('The call is opened: report it. With `take` only.'),
    call: orNone('TakenCall'),
  }),
  CampaignOfCaller: s.exactObject({ id: s.text('The campaign.'), name: s.text('Its name.') }),
  CandidateOfCaller: s.exactObject({
    leadId,
    externalId: s.textOrNull('Your own id.'),
    status: s.oneOf(leadStatuses)('The status of the lead.'),
    campaign: s.reference('CampaignOfCaller'),
    lastCallAt: s.timeOrNull('When its last call was claimed or taken. Null: there was none.'),
  }),
  TakenCall: s.exactObject({ ...claimedCall, direction: callDirection }),
}

const operations = {
  findCaller: needs.agent('POST /api/v1/calls/inbound', {
    summary: 'Find out who rings, and take the call',
    description: prose`Finds the leads of the phone that rings, in any spelling of its number: one that is called still
before a final one, the one called last first. Nothing is stored. A caller that is no number in E.164 (anonymous, a SIP
address) is nobody: \`lead\` is null.

With \`take: true\` it opens a call of the lead, for as long as a claim would. No hours, no pause and no limits apply,
because the person rang. But a phone has one live call per company: while there is one, \`taken\` is false, \`openCall\`
says which, and you decide. A call that the built-in dialer is only about to start is stopped. Report the call
as any other, with the same outcomes; extend it as any other, where \`stop\` is only \`erased\` or \`lease_lost\`. It
counts for the gap between calls to the number, not for the limits of a day and a week, and as an attempt with
\`countsAsAttempt\` only. Without a report its lease ends as \`released\`, and the lead is as it was. A lead that was
final is called again at an agreed \`callbackAt\` alone. With an \`Idempotency-Key\` you can repeat the request: it
answers the call that it opened while that is open.

Anybody can forge the number of a call. Do not tell a caller what is stored about the lead, and let no
assistant read its metadata aloud: it may greet by name a person who says that name first.`,
    parameters: [idempotencyKey],
    cli: { noun: 'call', verb: 'inbound' },
    body: body('InboundCall', inboundBody, {
      who: ['Find out who rings', { from: '+14155552671', to: '+493012345678' }],
      take: ['Take the call', { from: '+14155552671', to: '+493012345678', take: true, leaseSeconds: 600 }],
    }),
    refusals: ['from is required', 'leaseSeconds and countsAsAttempt need take: true'],
    responses: ok('Who it is, and the call.', s.reference('Caller'), {
      lead: exampleLead,
      campaign: { id: 'demo', name: 'Demo' },
      lastCall: null,
      openCall: null,
      suppressed: false,
      candidates: [
        {
          leadId: exampleIds.lead,
          externalId: null,
          status: 'raw',
          campaign: { id: 'demo', name: 'Demo' },
          lastCallAt: null,
        },
      ],
      taken: true,
      call: { ...exampleCall, attempt: 0, dialledAt: '2026-11-20T09:00:00.000Z', direction: 'inbound' },
    }),
    failures: ['campaign_denied'],
  }),
}

export const inbound: Area = { tag, operations, schemas }
