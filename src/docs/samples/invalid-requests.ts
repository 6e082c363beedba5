// Three texts of each operation's 400, as examples. Every operation with a body or a query has them; the tests ask the
// service for each.

type Three = readonly [string, string, string]

const wrongTime = 'must be an ISO 8601 timestamp with a UTC offset'
const wrongMoment = `${wrongTime}, or Unix milliseconds`
const wrongCampaign = 'campaignId must be a string of at most 128 characters'
const twoNumbers = 'phoneNumbers[1] must be in E.164 format'

const newKey: Three = [
  'name is required',
  'scope must be one of read, write, agent, manage',
  'expiresAt must be in the future',
]
const rotation: Three = [
  'graceSeconds must be an integer between 0 and 604800',
  'withCreated must be true or false',
  'Request body must be a JSON object',
]
const revocation: Three = [
  'withCreated must be true or false',
  'withCreated must be given once',
  'Unknown query parameter withcreated, did you mean withCreated?',
]
const newMember: Three = [
  'email is required',
  'email must be an e-mail address of at most 254 characters',
  'scope must be one of read, write, manage',
]
const restoreTime: Three = [`to ${wrongTime}`, 'to must not be in the future', 'campagnId is not a member']

/** By method and path. */
export const invalidRequests: Readonly<Record<string, Three>> = {
  'POST /api/v1/members': newMember,
  'POST /api/v1/companies/{companyId}/members': newMember,
  'PATCH /api/v1/members/{memberId}': [
    'scope must be one of read, write, manage',
    'email is not a member',
    'withCreated must be true or false',
  ],
  'DELETE /api/v1/members/{memberId}': [
    'erase must be true or false',
    'withCreated must be given once',
    'Unknown query parameter withcreated, did you mean withCreated?',
  ],
  'GET /api/v1/activity': ['actor is not valid', 'cursor is not valid', 'actor must be given once'],
  'POST /api/v1/leads': [
    'phoneNumber is required',
    'phoneNumber must be in E.164 format',
    'scheduled_for is not a member: use scheduledFor',
  ],
  'POST /api/v1/leads/bulk': [
    'leads[1].phoneNumber is required',
    'Maximum 1000 leads per bulk request',
    'Unknown query parameter dryrun, did you mean dryRun?',
  ],
  'GET /api/v1/leads': [
    'campaignId query parameter is required',
    'limit must be an integer between 1 and 1000',
    'cursor is not valid',
  ],
  'PATCH /api/v1/leads/{leadId}': [
    'priority must be an integer between 0 and 100',
    'metadata must be an object',
    'phoneNumber is not a field that can be changed',
  ],
  'GET /api/v1/leads/search': [
    'q must be a string of 1 to 100 characters',
    'status must be one of raw, attempting, exhausted, concluded',
    'cursor is not valid',
  ],
  'POST /api/v1/leads/requeue': [
    'leadIds array is required',
    'Maximum 100 leads per request',
    'leadIds[1] is given twice',
  ],
  'POST /api/v1/erasures': [
    'phoneNumber or leadId is required, and not both',
    'phoneNumber must be in E.164 format',
    'supress is not known',
  ],
  'POST /api/v1/calls/claim': [
    'limit must be an integer between 1 and 100',
    'campaignId is required',
    'leaseSecond is not a member',
  ],
  'POST /api/v1/calls/report': [
    'calls[1].callbackAt is required',
    'claim.waitSeconds is not supported',
    'Maximum 100 calls per request',
  ],
  'POST /api/v1/calls/extend': [
    'callIds array is required',
    'callIds[1] must be a string',
    'leaseSeconds must be an integer between 30 and 7200',
  ],
  'POST /api/v1/calls/release': [
    'calls array is required',
    'calls[1].callId is required',
    'calls[1].delaySeconds must be an integer between 0 and 86400',
  ],
  'GET /api/v1/calls': [
    'campaignId query parameter is required',
    'limit must be an integer between 1 and 100',
    'cursor is not valid',
  ],
  'GET /api/v1/leads/{leadId}/calls': [
    'cursor is not valid',
    'limit must be an integer between 1 and 100',
    'limit must be given once',
  ],
  'GET /api/v1/leads/{leadId}/calling': [
    `at ${wrongMoment}`,
    'at must be given once',
    'Unknown query parameter AT, did you mean at?',
  ],
  'POST /api/v1/campaigns/{campaignId}/requeue': [
    'status must be one of exhausted, concluded',
    `since ${wrongTime}`,
    'colour is not a member',
  ],
  'GET /api/v1/campaigns': [
    'limit must be an integer between 1 and 1000',
    'limit must be an integer between 1 and 25 when include is overview',
    'archived must be true or false',
  ],
  'GET /api/v1/campaigns/{campaignId}/preview': [
    'consentPurpose must be 1 to 64 of letters, digits, dot, underscore and hyphen',
    'consentMaxAgeDays must be an integer between 1 and 3650',
    'consentPurpose must be given once',
  ],
  'POST /api/v1/campaigns': [
    'name is required',
    'timeZone must be the name of a time zone, such as Europe/Berlin',
    'maxAttempts must be an integer between 1 and 50',
  ],
  'PATCH /api/v1/campaigns/{campaignId}': [
    'callingHours.fri must have windows that do not overlap',
    'id must be that of the campaign',
    'maxAttempts must be an integer between 1 and 50',
  ],
  'PUT /api/v1/campaigns/{campaignId}/dialer': [
    'preset must be one of vapi, retell, twilio, telnyx, elevenlabs, bland, bolna, ultravox, pretend, custom',
    'variables.assistantId is required',
    'secrets.apiKey is required',
  ],
  'PATCH /api/v1/campaigns/{campaignId}/dialer': [
    'maxLive must be an integer between 1 and 100',
    'enabled must be true or false',
    'variables must be an object',
  ],
  'POST /api/v1/campaigns/{campaignId}/sources': [
    'name is required',
    'countries[1] must be the code of a country, such as DE',
    'onExisting must be one of keep, requeue',
  ],
  'PATCH /api/v1/campaigns/{campaignId}/sources/{sourceId}': [
    'enabled must be true or false',
    'fields.phone is not a member: phoneNumber, externalId, scheduledFor, priority, timeZone',
    'url is not a member',
  ],
  'POST /api/v1/campaigns/{campaignId}/sources/{sourceId}/try': [
    'contentType must be a string',
    'body must be a string',
    'Request body must be a JSON object',
  ],
  'POST /api/v1/campaigns/{campaignId}/dialer/preview': [
    'leadId is required',
    'leadId must be a string',
    'lead is not a member',
  ],
  'POST /api/v1/campaigns/{campaignId}/dialer/test': [
    'phoneNumber must be in E.164 format',
    'metadata must be an object',
    'number is not a member',
  ],
  'GET /api/v1/campaigns/{campaignId}/stats': [
    'from must be earlier than to',
    'from and to must be at most 31 days apart when bucket is hour',
    'bucket must be one of hour, day',
  ],
  'GET /api/v1/campaigns/{campaignId}/overview': [
    'from must be earlier than to',
    'include must be one of leads',
    `from ${wrongMoment}`,
  ],
  'POST /api/v1/suppressions': [
    twoNumbers,
    'phoneNumbers array is required',
    'reason must be a string of at most 255 characters',
  ],
  'GET /api/v1/suppressions': [
    'cursor is not valid',
    'limit must be an integer between 1 and 1000',
    wrongCampaign,
  ],
  'DELETE /api/v1/suppressions': [twoNumbers, 'phoneNumbers array is required', wrongCampaign],
  'POST /api/v1/consents': [
    'consents[0].purpose is required',
    `consents[0].givenAt ${wrongTime}`,
    'consents[0].textSha256 must be a SHA-256 of 64 hexadecimal digits',
  ],
  'POST /api/v1/consents/search': [
    'phoneNumber is required',
    'phoneNumber must be in E.164 format',
    'campaignId is not a member',
  ],
  'POST /api/v1/consents/withdraw': [
    'purpose must be 1 to 64 of letters, digits, dot, underscore and hyphen',
    'withdrawnAt must not be more than 5 minutes in the future',
    'phoneNumber is required',
  ],
  'GET /api/v1/consents/{consentId}/uses': [
    'limit must be an integer between 1 and 1000',
    'cursor is not valid',
    'limit must be given once',
  ],
  'POST /api/v1/numbers/record': [
    'phoneNumber is required',
    'phoneNumber must be in E.164 format',
    'cursor is not valid',
  ],
  'GET /api/v1/events': [
    'after is not valid',
    'after is older than 90 days',
    'types must be event types, separated by commas',
  ],
  'POST /api/v1/webhooks': ['url must be an https:// URL', 'url must name a public host', 'url is required'],
  'PATCH /api/v1/webhooks/{webhookId}': [
    'disabled must be true or false',
    'url must be an https:// URL',
    wrongCampaign,
  ],
  'POST /api/v1/webhooks/{webhookId}/rotate': [
    'previousExpiresAt must be between now and 7 days from now',
    `previousExpiresAt ${wrongTime}`,
    'secret is not a member',
  ],
  'POST /api/v1/webhooks/{webhookId}/replay': [
    'since must be in the last 90 days',
    'since is required',
    'until is not a member',
  ],
  'GET /api/v1/webhooks/{webhookId}/deliveries': [
    'limit must be an integer between 1 and 1000',
    'limit must be given once',
    'Unknown query parameter LIMIT, did you mean limit?',
  ],
  'POST /api/v1/keys': newKey,
  'POST /api/v1/keys/{keyId}/rotate': rotation,
  'DELETE /api/v1/keys/{keyId}': revocation,
  'GET /api/v1/companies': [
    'limit must be an integer between 1 and 1000',
    'cursor is not valid',
    'Unknown query parameter Limit, did you mean limit?',
  ],
  'POST /api/v1/companies': [
    'id is required',
    'store must be one of shared, own',
    'location is for a store of its own',
  ],
  'PATCH /api/v1/companies/{companyId}': [
    'name is required',
    'maxCampaigns must be an integer between 1 and 2097151',
    'campagnId is not a member',
  ],
  'POST /api/v1/companies/{companyId}/keys': newKey,
  'POST /api/v1/companies/{companyId}/keys/{keyId}/rotate': rotation,
  'DELETE /api/v1/companies/{companyId}/keys/{keyId}': revocation,
  'POST /api/v1/companies/{companyId}/move': [
    'to must be one of shared, own',
    'jurisdiction must be one of eu',
    'location is for a store of its own',
  ],
  'POST /api/v1/companies/{companyId}/restore': [
    'confirm must be the id of the company',
    'to must be at least a minute ago',
    'to must be within the last 30 days',
  ],
  'POST /api/v1/restoring': restoreTime,
  'POST /api/v1/restored': restoreTime,
}
