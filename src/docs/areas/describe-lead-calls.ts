// The calls of a lead in the API description: history, why the lead is not called, and requeueing one or many.

import { limits } from '../../base/limits.ts'
import { timestampPattern } from '../../base/timestamp.ts'
import { callingQuery, campaignCallsQuery, pastCallsQuery, requeueBody } from '../../queue/calling/input.ts'
import { blockerReasons } from '../../queue/calling/reasons.ts'
import { callsCsvHeader } from '../../queue/calling/table/shown-call.ts'
import { summaryMaxChars } from '../../queue/calling/table/store/call-details.ts'
import { callsLookedAt } from '../../queue/calling/table/store/list-calls.ts'
import { pastOutcomes } from '../../queue/campaigns/outcomes.ts'
import { callId } from '../fields/call-fields.ts'
import { fields as leadFields, leadId } from '../fields/lead-fields.ts'
import * as s from '../openapi/json-schema.ts'
import { type Area, body, json, needs, ok, page, response } from '../openapi/operation.ts'
import { prose } from '../openapi/prose.ts'
import { exampleIds } from '../samples/example-ids.ts'
import { exampleLead, exampleOrigin } from '../samples/example-leads.ts'
import { origin } from './describe-leads.ts'

const tag = {
  name: 'Calls of a lead',
  description: 'The call history of a lead and of a campaign, and why a lead is not called now.',
}

const at_capacity = `${blockerReasons.at_capacity} (\`maxLiveCalls\`, \`callsPerMinute\`). A report may end this sooner`

/** A call as histories have it. */
export const pastCall = {
  callId,
  direction: s.codes({ outbound: 'the service called', inbound: 'the person rang' }),
  attempt: {
    type: 'integer',
    minimum: 0,
    description: prose`The number of the attempt. The attempt after a released one has the same number. Of a call
      that the person made and that is no attempt: the attempts before it.`,
  },
  agent: s.textOrNull('The agent’s name in the claim.'),
  claimedAt: s.time('When the call was claimed.'),
  outcome: s.oneOfOrNull(pastOutcomes)`Null: the call is ongoing. \`unknown\`: its lease ended without a
    report. \`released\`: nobody dialled, or the lease of a call that the person made ended without a report.`,
  endedAt: s.timeOrNull('When the outcome was reported, or the lease ended.'),
  callbackAt: s.timeOrNull('The agreed time of the callback.'),
  doNotCall: s.flag('The person asked not to be called again.'),
  isLate: s.flag('The report arrived after the lead was claimed again.'),
  durationSeconds: { type: ['integer', 'null'], minimum: 0, maximum: limits.durationMaxSeconds },
  providerCallId: s.textOrNull('The id of the call at the telephone provider.'),
  consentId: s.textOrNull('The consent that the call used. Null: its campaign required none.'),
  details: { type: ['object', 'null'], additionalProperties: true, description: 'Exactly as sent.' },
}

const { details: _, ...ofPast } = pastCall
const campaignCall: s.Properties = {
  callId: ofPast.callId ?? {},
  leadId,
  phoneNumber: s.text('E.164.'),
  externalId: s.textOrNull('Your own id for the lead.'),
  direction: ofPast.direction ?? {},
  attempt: ofPast.attempt ?? {},
  agent: s.textOrNull('The agent’s name in the claim. `dialer`: the campaign’s dialer.'),
  claimedAt: ofPast.claimedAt ?? {},
  dialledAt: s.timeOrNull('When the agent said that it dials. Null: it has not said so.'),
  endedAt: ofPast.endedAt ?? {},
  durationSeconds: ofPast.durationSeconds ?? {},
  outcome: ofPast.outcome ?? {},
  callbackAt: ofPast.callbackAt ?? {},
  doNotCall: ofPast.doNotCall ?? {},
  isLate: ofPast.isLate ?? {},
  providerCallId: ofPast.providerCallId ?? {},
  consentId: ofPast.consentId ?? {},
  costAmount: s.textOrNull`What the call has cost, as \`details\` say: decimal text, in whole units of the currency.
    Null: they do not say, or not as a number.`,
  costCurrency: s.textOrNull('Three letters, such as `USD`. Null: unknown.'),
  recordingUrl: s.textOrNull('Of `details`, if it is an https URL of at most 2,048 characters.'),
  transcriptUrl: s.textOrNull('The same.'),
  summary: s.textOrNull(`Of \`details\`: the first ${summaryMaxChars.toLocaleString('en')} characters.`),
  ...origin,
}

const schemas = {
  RequeueLeads: {
    ...s.describeBody(requeueBody, 'The leads to requeue.', {
      status: { description: 'The status of the leads: `exhausted` or `concluded`.' },
      since: {
        pattern: timestampPattern.source,
        description: 'Only leads that got this status at or after this time: ISO 8601 with a UTC offset.',
        examples: ['2026-11-20T08:00:00+01:00'],
      },
    }),
    additionalProperties: false,
  },
  PastCall: s.exactObject(pastCall),
  CampaignCall: s.exactObject(campaignCall),
  Blocker: s.exactObject({
    code: s.codes({ ...blockerReasons, at_capacity }),
    until: s.timeOrNull('Null: until somebody changes something.'),
  }),
}

const examplePast = {
  callId: exampleIds.call,
  direction: 'outbound',
  attempt: 1,
  agent: 'seat-7',
  claimedAt: '2026-11-20T09:00:00.000Z',
  outcome: 'no_answer',
  endedAt: '2026-11-20T09:03:12.000Z',
  callbackAt: null,
  doNotCall: false,
  isLate: false,
  durationSeconds: 24,
  providerCallId: null,
  consentId: null,
  details: null,
}

const exampleCall = {
  callId: exampleIds.call,
  leadId: exampleIds.lead,
  phoneNumber: '+14155550123',
  externalId: 'crm-42',
  direction: 'outbound',
  attempt: 1,
  agent: 'dialer',
  claimedAt: '2026-11-20T09:00:00.000Z',
  dialledAt: '2026-11-20T09:00:01.000Z',
  endedAt: '2026-11-20T09:03:12.000Z',
  durationSeconds: 96,
  outcome: 'answered',
  callbackAt: null,
  doNotCall: false,
  isLate: false,
  providerCallId: 'c7a1',
  consentId: null,
  costAmount: '0.12',
  costCurrency: 'USD',
  recordingUrl: 'https://voice.example/r/c7a1',
  transcriptUrl: null,
  summary: 'Asked for an offer.',
  origin: exampleOrigin,
}
const exampleCells: Readonly<Record<string, unknown>> = {
  ...exampleCall,
  originKind: exampleOrigin.kind,
  originId: exampleOrigin.memberId,
  originName: exampleOrigin.name,
  originImport: exampleOrigin.import,
}
const exampleRow = callsCsvHeader
  .trim()
  .split(',')
  .map((name) => exampleCells[name] ?? '')

const operations = {
  listCallsOfCampaign: needs.read('GET /api/v1/campaigns/{campaignId}/calls', {
    summary: 'List the calls of a campaign',
    description: prose`Returns one page, newest first. A page looks at ${callsLookedAt.toLocaleString('en')} calls at
      most: with filters it may be empty, though others follow, so continue until \`nextCursor\` is null. Calls of
      erased leads are left out. With \`Accept: text/csv\` the response is CSV, the header \`Next-Cursor\` has the
      cursor of the next page, and only the first page has the names of the columns; it is a
      \`leads.exported\` event.
      After an upgrade from version 2.1 the calls are indexed first: 503 until then.`,
    cli: {
      noun: 'campaign',
      verb: 'calls',
      columns: 'claimedAt phoneNumber agent outcome durationSeconds costAmount costCurrency summary',
      csv: {
        columns: [
          ...Object.keys(exampleCall).slice(0, -1),
          'kind',
          'sourceId',
          'keyId',
          'memberId',
          'import',
          'name',
        ],
        spread: 'origin',
      },
    },
    query: s.describeQuery(campaignCallsQuery, {
      from: {
        pattern: s.instantPattern,
        description: 'Only calls claimed then or later: ISO 8601 with a UTC offset, or Unix milliseconds.',
        examples: ['2026-11-01T00:00:00+01:00'],
      },
      to: {
        pattern: s.instantPattern,
        description: 'Only calls claimed earlier.',
        examples: ['2026-12-01T00:00:00+01:00'],
      },
      outcome: { description: 'Only calls with this outcome.' },
      agent: {
        description: 'Only calls of the agent with this name. `dialer`: of the campaign’s dialer.',
        examples: ['seat-7'],
      },
      origin: {
        ...leadFields.origin,
        description: 'Only calls of leads that came from here, as in a list of leads.',
      },
      limit: s.queryNumber(limits.callsPerPage)`The maximum number of calls. Default: ${limits.callsShown}.`,
      cursor: s.pageCursor,
    }),
    responses: {
      200: response(
        'The calls.',
        {
          ...json(s.exactObject({ calls: s.arrayOf('CampaignCall'), nextCursor: s.nextCursor }), {
            calls: [exampleCall],
            nextCursor: null,
          }),
          'text/csv': {
            schema: { type: 'string', pattern: `^(${callsCsvHeader.trim()}\r\n)?` },
            example: `${callsCsvHeader}${exampleRow.join()}\r\n`,
          },
        },
        'Vary',
        'Next-Cursor',
      ),
    },
  }),

  listCallsOfLead: needs.look('GET /api/v1/leads/{leadId}/calls', {
    summary: 'List the calls of a lead',
    description:
      `Returns one page, oldest first: at most ${limits.callsPerRequest} calls, with ` +
      `at most 2 MiB of details.`,
    cli: {
      noun: 'lead',
      verb: 'calls',
      columns: 'callId attempt agent claimedAt outcome endedAt durationSeconds details',
    },
    query: s.describeQuery(pastCallsQuery, s.pageOf('calls', limits.callsPerRequest)),
    responses: page('The calls.', 'calls', 'PastCall', [examplePast]),
  }),

  explainLead: needs.look('GET /api/v1/leads/{leadId}/calling', {
    summary: 'Explain why a lead is not called',
    description: prose`Returns everything that blocks a call now, until when, and when the lead can be called
      next. With \`at\`, predicts the same for another time.`,
    cli: { noun: 'lead', verb: 'explain' },
    query: s.describeQuery(callingQuery, {
      at: {
        pattern: s.instantPattern,
        description: 'The time: ISO 8601 with a UTC offset, or Unix milliseconds. Default: now.',
        examples: ['2026-11-23T09:00:00+01:00'],
      },
    }),
    responses: ok(
      'The blockers.',
      s.exactObject({
        callable: s.flag('True if nothing blocks the lead: it only waits for its turn.'),
        blockers: s.arrayOf('Blocker'),
        nextCallAt: s.timeOrNull`The earliest time of the next call. Null: not until somebody changes something, or an
          ongoing call ends.`,
      }),
      {
        callable: false,
        blockers: [
          { code: 'number_gap', until: '2026-11-20T09:15:00.000Z' },
          { code: 'spaced', until: '2026-11-20T10:03:12.000Z' },
        ],
        nextCallAt: '2026-11-20T10:03:12.000Z',
      },
    ),
  }),

  requeueLead: needs.write('POST /api/v1/leads/{leadId}/requeue', {
    summary: 'Requeue a lead',
    description: prose`Puts an exhausted or concluded lead back into the queue, with as many attempts as a new
      lead. It is due at once, or at \`scheduledFor\` when that lies ahead. \`attempts\` keeps counting. The request has
      no body.`,
    responses: ok('The requeued lead.', s.exactObject({ lead: s.reference('Lead') }), { lead: exampleLead }),
    failures: ['lead_leased', 'number_suppressed'],
  }),

  requeueLeads: needs.write('POST /api/v1/campaigns/{campaignId}/requeue', {
    summary: 'Requeue leads',
    description: prose`Requeues leads of the campaign that became \`exhausted\` or \`concluded\` at or after
      \`since\`, each with as many attempts as a new lead. At most
      ${limits.leadsPerRequeue.toLocaleString('en')} per request. While \`more\` is true, send the same request
      again within ten minutes: it continues after the leads of the previous one. Leads with suppressed numbers
      do not change.`,
    cli: { noun: 'lead', verb: 'requeue' },
    body: body('RequeueLeads', requeueBody, {
      requeue: [
        'Requeue leads that were exhausted since this morning',
        { status: 'exhausted', since: '2026-11-20T08:00:00+01:00' },
      ],
    }),
    responses: ok(
      'The number of requeued leads.',
      s.exactObject({
        requeued: s.count('Leads put back into the queue.'),
        skipped: s.count('Leads not requeued because their numbers are suppressed.'),
        more: s.flag('True: there may be more. Send the same request again.'),
      }),
      { requeued: 998, skipped: 2, more: true },
    ),
  }),
}

export const leadCalls: Area = { tag, operations, schemas }
