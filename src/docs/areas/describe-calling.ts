// What a calling agent uses, in the API description: claim, report, extend, release, open calls. The calls of one lead
// are in describe-lead-calls.ts, the fields of requests in call-fields.ts.

import { limits } from '../../base/limits.ts'
import {
  claimBody,
  claimOfReportBody,
  extendBody,
  openCallsQuery,
  releaseBody,
  releasedCall,
  reportBody,
  reportedCall,
} from '../../queue/calling/input.ts'
import { waitReasons } from '../../queue/calling/reasons.ts'
import { stops } from '../../queue/calling/store/extend.ts'
import type { CallResult } from '../../queue/calling/store/sql/call-result.ts'
import { type ClaimReason, mostSeconds } from '../../queue/calling/store/sql/queue-state.ts'
import { settingRanges } from '../../queue/campaigns/settings.ts'
import { leadStatuses } from '../../queue/leads/lead.ts'
import { agentGuide } from '../agent-guide.ts'
import { callId, fields } from '../fields/call-fields.ts'
import { leadId } from '../fields/lead-fields.ts'
import * as s from '../openapi/json-schema.ts'
import { type Area, body, idempotencyKey, list, needs, ok, page } from '../openapi/operation.ts'
import { prose } from '../openapi/prose.ts'
import { exampleIds } from '../samples/example-ids.ts'
import { exampleLead } from '../samples/example-leads.ts'

const tag = {
  name: 'Calling',
  description: prose`For agent developers. An agent claims leads, dials each before \`dialBefore\`, and reports
the outcome. A lead is leased to one agent at a time, and a phone number has at most one live call per company.
A lease that ends without a report counts as an attempt with the outcome \`unknown\`, because the phone may have
rung.

${agentGuide}`,
}

export const claimedCall = {
  callId,
  attempt: {
    type: 'integer',
    minimum: 0,
    description: prose`The number of this attempt. Of a call that the person made and that is none: the attempts before
      it.`,
  },
  isLastAttempt: s.flag('True if no attempt is left after this one, not even for a callback.'),
  leaseExpiresAt: s.time('When the lease ends. Extend it before then.'),
  dialBefore: s.time('Do not dial after this time: the lease or the calling hours end.'),
  dialledAt: s.timeOrNull('When the call was dialled, as `extend` reported it. Null: not reported.'),
  timeZone: s.text('The time zone of the lead, or else of the campaign.'),
  lead: s.reference('Lead'),
}

export const callDirection = s.codes({ outbound: 'the service called', inbound: 'the person rang' })

/** Why a claim returns no calls. */
const claimReasons: Readonly<Record<ClaimReason, string>> = {
  ...waitReasons,
  agent_failing: prose`the leases of this \`agent\` (or of this key, without a name) end without reports. It
    gets no leads for ten minutes, then one to try again with`,
  suppression_unavailable: prose`the service cannot check suppressed numbers until the operator restores a
    secret. Only the claim within a report returns this; a claim on its own fails with 503`,
  ready: 'the claim has waited, and a lead may be callable now',
}

const results: Readonly<Record<CallResult['result'], string>> = {
  recorded: 'the report is stored, or replaces an `unknown`',
  recorded_late: prose`the lead was claimed again in the meantime. The report is in its history; the newer call
    continues. After an outcome of the class done or dead the lead is not called again`,
  do_not_call_recorded: prose`the call was already reported, or its lead is gone since: erased, or taken by a restore.
    Its number is now suppressed; outcome, duration and details do not change`,
  replayed: 'the same report was already stored, or a do-not-call whose number is suppressed',
  conflict: 'a report with another outcome was already stored',
  unknown_call: prose`the call does not exist, or the key has no access to it. Without its lead a call is unknown for
    every report except a do-not-call, and after 7 days for that, too`,
}

const reported = {
  results: s.array(s.reference('CallResult'))`One result per call, in the order of the request.`,
  claim: s.reference('ClaimedCalls'),
}

const nextClaim = { description: 'What to claim after the reports. Null: nothing.' }

const schemas = {
  ClaimCalls: s.describeBody(
    claimBody,
    'How many leads of which campaign to claim, and for which agent.',
    fields,
  ),
  ClaimOfReport: s.describeBody(claimOfReportBody, 'The same in a report, which never waits.', fields),
  ClaimedCall: s.exactObject(claimedCall),
  ClaimedCalls: s.exactObject({
    calls: s.array(s.reference('ClaimedCall'))`In the order to call them.`,
    reason: s.orNull(s.codes(claimReasons, 'Why there are no calls. Null if there are some.')),
    retryAfterSeconds: s.countOrNull`When to claim again. Null if there are calls. At most 30, except with
      \`agent_failing\`. 0 after a wait: claim again at once.`,
  }),
  ReportedCall: s.describeBody(reportedCall, 'The outcome of a call.', fields),
  ReportCalls: withClaim(
    s.describeBody(reportBody, 'The outcomes of calls, and optionally a claim.', {
      ...fields,
      claim: nextClaim,
    }),
  ),
  CallResult: s.exactObject({
    callId: s.text('As sent.'),
    result: s.codes(results),
    leadId: {
      ...leadId,
      type: ['string', 'null'],
      description: prose`Null if the call is unknown or its lead is gone; then \`status\`, \`attempts\` and
        \`nextCallAt\` are null too.`,
    },
    status: s.oneOfOrNull(leadStatuses)`The current status of the lead.`,
    attempts: s.countOrNull('The attempts of the lead so far.'),
    nextCallAt: s.timeOrNull`When the lead can be called, as \`GET /api/v1/leads/{leadId}/calling\` says. Null: not
      before something else changes, or never.`,
  }),
  CallsReported: s.objectWithout(['claim'], reported),
  ExtendCalls: s.describeBody(extendBody, 'The calls to extend.', fields),
  ExtendedCall: s.exactObject({
    callId: s.text('As sent.'),
    leaseExpiresAt: s.timeOrNull('Null if the lease is lost.'),
    dialBefore: s.timeOrNull`Do not dial after this time: the lease or the current calling hours end. Null if the
      lease is lost.`,
    stop: s.oneOfOrNull(stops)`Why the call should end soon. Null: continue. With \`paused\` and
      \`outside_hours\` a conversation may continue, but do not dial any more. If several reasons apply, the first in
      this list. The lease is extended anyway, unless it is lost.`,
  }),
  ReleasedCall: s.describeBody(releasedCall, 'A call that was not dialled.', fields),
  ReleaseCalls: s.describeBody(releaseBody, 'The calls to release.', {
    calls: { items: s.reference('ReleasedCall'), description: 'Each is released on its own.' },
  }),
  OpenCall: s.exactObject({
    ...claimedCall,
    direction: callDirection,
    agent: { type: ['string', 'null'] },
    stop: s.oneOfOrNull(
      stops,
    )`Why the call should end soon, or not be dialled, as \`extend\` says. Null: continue.`,
  }),
}

function withClaim(body: ReturnType<typeof s.describeBody>) {
  const claim = { anyOf: [s.reference('ClaimOfReport'), { type: 'null' }], ...nextClaim }
  return { ...body, properties: { ...body.properties, claim } }
}

export const exampleCall = {
  callId: exampleIds.call,
  attempt: 1,
  isLastAttempt: false,
  leaseExpiresAt: '2026-11-20T09:10:00.000Z',
  dialBefore: '2026-11-20T09:10:00.000Z',
  dialledAt: null,
  timeZone: 'Europe/Berlin',
  lead: exampleLead,
}
const exampleResult = {
  callId: exampleIds.call,
  result: 'recorded',
  leadId: exampleIds.lead,
  status: 'attempting',
  attempts: 1,
  nextCallAt: '2026-11-20T10:03:12.000Z',
}
const nothingToCall = { calls: [], reason: 'outside_hours', retryAfterSeconds: 30 }

const operations = {
  claimCalls: needs.agent('POST /api/v1/calls/claim', {
    summary: 'Claim leads to call',
    description: prose`Leases up to ${limits.callsPerRequest} leads of a campaign to you: due appointments
first, then by priority, then by how long they have been due. Each call counts as an attempt. With an
\`Idempotency-Key\` you can retry a claim for 24 hours: it returns the calls that are still open, and none while
the campaign is paused. A claim that returned no calls does not use up its key.

With \`waitSeconds\` one request can wait up to ${limits.waitMaxSeconds} seconds for a lead, counted from its
arrival, instead of polling. It leases nothing once the wait has begun, so a client that has left loses no lead:
with \`reason: "ready"\` it claims again, with a new \`Idempotency-Key\`. When the time is over it returns the
usual reason with \`retryAfterSeconds: 0\`. A paused campaign is waited for, too: resuming it wakes the claim. A
campaign without a time zone is answered at once. When the key was revoked meanwhile, the response is 401. When
the service holds as many waits as it can, a claim that finds no lead is 503 with \`Retry-After:
${mostSeconds}\`; it is not held. Each wait is one request of the key’s hour; a key carries five processes that
wait all day.`,
    parameters: [idempotencyKey],
    body: body('ClaimCalls', claimBody, {
      calls: ['Claim up to ten leads', { campaignId: 'demo', limit: 10, agent: 'seat-7' }],
      wait: ['Wait for a lead', { campaignId: 'demo', waitSeconds: 25 }],
    }),
    responses: ok(
      'The calls, or the reason why there is none.',
      s.reference('ClaimedCalls'),
      { calls: [exampleCall], reason: null, retryAfterSeconds: null },
      ['Idempotent-Replayed'],
    ),
    failures: ['campaign_denied', 'idempotency_key_reused'],
  }),

  reportCalls: needs.agent('POST /api/v1/calls/report', {
    summary: 'Report calls and claim more',
    description: prose`Reports the outcomes of 1 to ${limits.callsPerRequest} calls, whichever key of the
      campaign or company claimed them. Safe to retry. Late reports are never lost: they replace an \`unknown\`,
      and a do-not-call always takes effect. With \`claim\` the request also claims leads, in the same
      transaction; the \`Idempotency-Key\` applies to that claim. If the claim fails (400, 403, 409), nothing is
      recorded. With \`reason: "suppression_unavailable"\` the reports are recorded, but the claim returns no
      calls. At most ${limits.reportBodyMaxBytes / 1024 / 1024} MiB.`,
    parameters: [idempotencyKey],
    body: body('ReportCalls', reportBody, {
      report: [
        'Report an outcome',
        { calls: [{ callId: exampleIds.call, outcome: 'no_answer', durationSeconds: 24 }] },
      ],
      callback: [
        'Report a callback and claim the next lead',
        {
          calls: [
            {
              callId: exampleIds.call,
              outcome: 'callback_requested',
              callbackAt: '2027-01-15T09:30:00+01:00',
              details: { summary: 'On holiday.' },
            },
          ],
          claim: { campaignId: 'demo', limit: 1 },
        },
      ],
    }),
    refusals: ['calls[1].callbackAt is required', 'claim.waitSeconds is not supported'],
    responses: ok(
      'The results of the reports, and the claimed calls.',
      s.reference('CallsReported'),
      { results: [exampleResult], claim: nothingToCall },
      ['Idempotent-Replayed'],
    ),
    failures: ['campaign_denied', 'idempotency_key_reused'],
  }),

  extendCalls: needs.agent('POST /api/v1/calls/extend', {
    summary: 'Extend leases',
    description:
      `Gives ongoing calls more time, and says which should end. A lease never becomes shorter. A ` +
      `lease that has ended is lost.`,
    body: body('ExtendCalls', extendBody, {
      call: ['Extend a call', { callIds: [exampleIds.call], leaseSeconds: 600 }],
      dial: ['Report that it is dialled', { callIds: [exampleIds.call], dialledAt: '2026-11-20T09:03:12Z' }],
    }),
    responses: list('One result per id, in the order of the request.', 'calls', 'ExtendedCall', [
      {
        callId: exampleIds.call,
        leaseExpiresAt: '2026-11-20T09:20:00.000Z',
        dialBefore: '2026-11-20T09:20:00.000Z',
        stop: null,
      },
    ]),
  }),

  releaseCalls: needs.agent('POST /api/v1/calls/release', {
    summary: 'Release calls that were not dialled',
    description: prose`The call does not count as an attempt. The lead can be claimed again after
      \`delaySeconds\`, an appointment as an appointment, at most
      ${settingRanges.releaseDelaySeconds.max.toLocaleString('en')}.`,
    body: body('ReleaseCalls', releaseBody, {
      call: ['Release a call', { calls: [{ callId: exampleIds.call }] }],
    }),
    refusals: ['calls[1].callId is required', 'calls[1].delaySeconds must be an integer between 0 and 86400'],
    responses: list('One result per call, in the order of the request.', 'results', 'CallResult', [
      { ...exampleResult, status: 'raw', attempts: 0 },
    ]),
  }),

  listOpenCalls: needs.agent('GET /api/v1/calls', {
    summary: 'List open calls',
    description:
      'Calls that are leased and not yet reported, in the order in which their leases end. Use it ' +
      'after an agent restarts.',
    cli: { noun: 'call', verb: 'list', columns: 'callId leadId agent attempt claimedAt leaseExpiresAt' },
    query: s.describeQuery(openCallsQuery, {
      ...fields,
      agent: { ...fields.agent, description: 'Only calls claimed under this name.' },
      ...s.pageOf('calls', limits.callsPerRequest),
    }),
    responses: page('The calls.', 'calls', 'OpenCall', [
      {
        ...exampleCall,
        dialledAt: '2026-11-20T09:03:12.000Z',
        direction: 'outbound',
        agent: 'seat-7',
        stop: null,
      },
    ]),
    failures: ['campaign_denied'],
  }),
}

export const calling: Area = { tag, operations, schemas }
