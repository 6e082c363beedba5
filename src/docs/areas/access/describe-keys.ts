// API keys in the API description: which exist, how they are used, and how to create, rotate and revoke them.

import { keyScopes, memberScopes, rights, rightsOf } from '../../../base/access/scope.ts'
import { limits } from '../../../base/limits.ts'
import { createKeyBody, rotateKeyBody, withCreatedQuery } from '../../../control/keys/input.ts'
import * as s from '../../openapi/json-schema.ts'
import { type Area, body, created, idempotencyKey, needs, ok } from '../../openapi/operation.ts'
import { prose } from '../../openapi/prose.ts'
import { exampleIds } from '../../samples/example-ids.ts'

const tag = {
  name: 'Keys',
  description:
    'The API keys of your company, and how they are used. A key is returned once, when it is created.',
}

const identity = {
  keyId: {
    type: 'string',
    description: 'The `actor` of events.',
    examples: [exampleIds.key],
  },
  name: s.text('The display name: who uses the key.'),
  scope: { type: 'string', enum: keyScopes },
  campaignId: s.textOrNull('The only campaign that the key has access to. Null: all.'),
} as const
const createdAt = s.time('When the key was created.')
const expiresAt = s.timeOrNull('When the key expires.')

const { keyId, ...ofKey } = identity
const newKeyMembers = {
  keyId,
  key: s.textOrNull('The key, this once. Null in a repeated request.'),
  keyNote: s.text('`shown once`, and only in a repeated request.'),
  ...ofKey,
  hint: s.text('The first characters of the key.'),
  createdAt,
  expiresAt,
}

const schemas = {
  Key: s.exactObject({
    ...identity,
    hint: s.text('The first characters of the key.'),
    createdAt,
    createdBy: s.textOrNull`The \`keyId\` of the key, or the \`memberId\` of the member, that created it; \`op_…\` or
      \`operator\`: the operator of the service. Null: unknown.`,
    actorName: s.textOrNull`The name of the member that created it, or \`former member\`. Null: no member did.`,
    successorOf: s.textOrNull('The `keyId` of the key that it replaces by rotation. Null: none.'),
    isDialer: s.flag`It is the key of the campaign’s dialer: nobody has it, it is not rotated, and its requests are
      the dialer’s claims.`,
    sourceId: s.textOrNull`The source that works with it: nobody has the key, it is not rotated, and its requests are
      posts. Null: none.`,
    expiresAt,
    revokedAt: s.timeOrNull('When the key was revoked.'),
    lastUsedAt: s.timeOrNull('When the key was last used. Null: not since `since`.'),
    requests: s.count('Requests with this key since `since`, including failed ones.'),
    refused: {
      type: 'object',
      additionalProperties: { type: 'integer', minimum: 1 },
      description: 'How many of them failed, by `X-Error-Code`.',
      examples: [{ campaign_denied: 3, rate_limited: 41 }],
    },
  }),
  CreateKey: s.describeBody(
    createKeyBody,
    'The new key. It never has more rights than the key that you send.',
    {
      name: { ...identity.name, minLength: 1, maxLength: limits.campaignNameMaxChars },
      scope: { description: 'What the key may do: see the rights of each scope.' },
      campaignId: {
        maxLength: limits.campaignIdMaxChars,
        description:
          'The only campaign that the key has access to. Absent: the whole company, which needs a company-wide key.',
      },
      expiresAt: {
        format: 'date-time',
        description: 'When the key expires, not later than the key that you send. Absent: with that key.',
      },
    },
  ),
  RotateKey: s.describeBody(rotateKeyBody, 'How the old key ends.', {
    graceSeconds: {
      description: prose`How long the old key still works. Default: 86400. A key that rotates itself needs at
          least ${limits.ownKeyGraceMinSeconds}.`,
    },
  }),
  NewKey: s.objectWithout(['keyNote'], newKeyMembers),
  OwnKey: s.exactObject({
    ...identity,
    rights: s.array({ type: 'string', enum: Object.keys(rights) })`What the scope allows. \`look\`: read a
      lead and its calls, and settings of campaigns. \`read\`: list leads, events and suppressions. \`write\`:
      create, change, requeue and suppress. \`agent\`: claim and report calls. \`manage\`: everything else.`,
    createdAt,
    expiresAt,
  }),
}

const exampleIdentity = { keyId: exampleIds.key, name: 'hubspot', scope: 'write', campaignId: 'spring' }
const exampleKeys = [
  {
    ...exampleIdentity,
    hint: 'lk_x81K…',
    createdAt: '2026-10-01T08:00:00.000Z',
    createdBy: 'operator',
    actorName: null,
    successorOf: null,
    isDialer: false,
    sourceId: null,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: '2026-11-20T09:04:12.120Z',
    requests: 4120,
    refused: { lead_exists: 212, rate_limited: 41 },
  },
]

const exampleNewKey = {
  ...exampleIdentity,
  key: 'lk_x81KpQ2mLk7TzB1nVw0c4fX9sQ2mLk7T0aZ9bc',
  hint: 'lk_x81K…',
  createdAt: '2026-11-20T09:00:00.000Z',
  expiresAt: null,
}

export const exampleCreated = {
  keys: [],
  webhooks: [
    {
      webhookId: exampleIds.webhook,
      url: 'https://crm.example.com/hooks/leads',
      campaignId: null,
      disabledAt: null,
    },
  ],
}

export const createdParts = {
  keys: {
    type: 'array',
    items: s.exactObject({ ...identity, expiresAt, revokedAt: s.timeOrNull('Null: the key still works.') }),
  },
  webhooks: s.arrayOf(
    s.exactObject({
      webhookId: { type: 'string' },
      url: s.text('Where it sends events.'),
      campaignId: s.textOrNull('The only campaign whose events it gets. Null: all.'),
      disabledAt: s.timeOrNull('Null: the webhook still sends.'),
    }),
  ),
}

const createdByKey = {
  created: s.exactObject({
    ...createdParts,
    members: s.arrayOf(
      s.exactObject({
        memberId: { type: 'string', examples: [exampleIds.member] },
        email: s.textOrNull('The address with which the member signs in.'),
        name: s.textOrNull('The name that is shown. Null: the address is.'),
        scope: s.oneOf(memberScopes)`The role.`,
        campaignId: s.textOrNull('The only campaign that the member has access to. Null: all.'),
        removedAt: s.timeOrNull('Null: the member still has access.'),
      }),
    ),
  }),
  noManagerLeft: s.flag`True if members were removed by this who managed the whole company, and no such member is
    left: then only a key manages it.`,
}
const exampleCreatedByKey = { created: { ...exampleCreated, members: [] }, noManagerLeft: false }

const newKeysLimit = prose`A company creates and rotates at most ${limits.newKeysPerHourPerCompany} keys in any
  hour; then the response is 429 with \`Retry-After\`. Revoking is not limited, and what the operator of the
  service creates does not count.`

const withCreated = s.describeQuery(withCreatedQuery, {
  withCreated: s.queryFlag`True: also revokes the keys in \`created\`, disables its webhooks, and removes its members,
    whose sessions end.`,
})

/** What an operation is for everybody: of the own company, and for the operator of any (describe-companies.ts). */
export const keyOperations = {
  list: {
    cli: {
      noun: 'key',
      verb: 'list',
      columns: 'keyId name scope campaignId hint createdAt expiresAt revokedAt lastUsedAt',
    },
    responses: ok(
      'The keys.',
      s.exactObject({ keys: s.arrayOf('Key'), since: s.time('The start of the counted period.') }),
      { keys: exampleKeys, since: '2026-11-13T10:00:00.000Z' },
    ),
  },
  create: {
    cli: { noun: 'key', verb: 'create', secret: 'key' },
    parameters: [idempotencyKey],
    body: body('CreateKey', createKeyBody, {
      crm: ['For a CRM', { name: 'hubspot', scope: 'write', campaignId: 'demo' }],
    }),
    refusals: ['expiresAt must be in the future'],
    responses: created('The new key.', s.reference('NewKey'), exampleNewKey, ['Idempotent-Replayed']),
  },
  rotate: {
    cli: {
      noun: 'key',
      verb: 'rotate',
      secret: 'key',
      options: { graceSeconds: { name: 'grace', reader: 'duration' } },
    },
    query: withCreated,
    parameters: [idempotencyKey],
    body: body('RotateKey', rotateKeyBody, {
      hour: ['The old key works for an hour', { graceSeconds: 3600 }],
    }),
    isBodyOptional: true,
    responses: created(
      'The new key.',
      s.objectWithout(['keyNote'], {
        ...newKeyMembers,
        previousExpiresAt: s.time('When the old key expires.'),
        ...createdByKey,
      }),
      { ...exampleNewKey, previousExpiresAt: '2026-11-20T10:00:00.000Z', ...exampleCreatedByKey },
      ['Idempotent-Replayed'],
    ),
  },
  revoke: {
    cli: { noun: 'key', verb: 'revoke', confirm: true },
    query: withCreated,
    responses: ok(
      'The key is revoked.',
      s.exactObject({
        keyId: identity.keyId,
        revokedAt: s.time('When the key was revoked.'),
        ...createdByKey,
      }),
      { keyId: exampleIds.key, revokedAt: '2026-11-20T10:00:00.000Z', ...exampleCreatedByKey },
    ),
  },
} as const

const operations = {
  listKeys: needs.manage('GET /api/v1/keys', {
    summary: 'List API keys',
    description: prose`Returns up to 1,000 keys, newest first: the active ones, and while there is room expired
      and revoked ones, with their usage in the last seven days. A request is counted a few seconds after its
      response. A campaign’s key gets only the keys of its campaign.`,
    ...keyOperations.list,
  }),

  createKey: needs.manage('POST /api/v1/keys', {
    summary: 'Create an API key',
    description: prose`The key is returned this once, and not stored. With an \`Idempotency-Key\`, a repeated
      request returns the same \`keyId\` with \`key: null\`. ${newKeysLimit}`,
    ...keyOperations.create,
    failures: [
      'campaign_denied',
      'company_key_required',
      'key_outlives_own',
      'too_many_keys',
      'idempotency_key_reused',
    ],
  }),

  rotateKey: needs.manage('POST /api/v1/keys/{keyId}/rotate', {
    summary: 'Rotate an API key',
    description: prose`Creates a new key with the same rights. The old key expires after the grace period. The new
      key expires when the old one would have, or with the key that you send, if that is sooner. The answer is that
      of creating a key; \`created\` names what the old key created. Without a grace period, webhooks that the old
      key or its predecessors created are disabled. ${newKeysLimit}`,
    ...keyOperations.rotate,
    failures: ['key_inactive', 'grace_too_short', 'too_many_keys', 'idempotency_key_reused'],
  }),

  revokeKey: needs.manage('DELETE /api/v1/keys/{keyId}', {
    summary: 'Revoke an API key',
    description: prose`Takes effect with the next request. \`created\` names the active keys, webhooks and members
      that the key created, what these created, and the successors of all keys. It also names what the
      keys created that this one replaced by rotation, and these keys while they are active. A key that another
      key made the successor of this one is not among them. Neither is what your key created, unless it is such
      a successor, and neither the key that you send nor the member whose session it is ever ends. A campaign’s key
      only reaches webhooks and members of its campaign.`,
    ...keyOperations.revoke,
    failures: ['key_is_own'],
  }),

  getOwnKey: needs.look('GET /api/v1/keys/self', {
    summary: 'Read your API key',
    description: prose`Returns the scope, rights, campaign and company of the key that you send; and the member,
      if it is a session of the console.`,
    cli: { noun: 'key', verb: 'self' },
    responses: ok(
      'The key.',
      s.exactObject({
        key: s.reference('OwnKey'),
        company: s.exactObject({
          id: { type: 'string' },
          name: { type: 'string' },
          consentYears: s.count('How many years a consent is kept after its giving and its last use.'),
        }),
        member: s.orNull(
          s.exactObject({
            memberId: { type: 'string' },
            email: s.textOrNull('In lower case.'),
            name: s.textOrNull('The name that is shown.'),
          }),
        ),
      }),
      {
        key: {
          ...exampleIdentity,
          rights: rightsOf('write'),
          createdAt: '2026-10-01T08:00:00.000Z',
          expiresAt: null,
        },
        company: { id: 'acme', name: 'Acme', consentYears: 5 },
        member: null,
      },
    ),
  }),
}

export const keys: Area = { tag, operations, schemas }
