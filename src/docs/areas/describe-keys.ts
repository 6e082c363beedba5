// API keys in the API description: which exist, and how they are used. The command line creates them.

import { keyScopes, rights, rightsOf } from '../../access/scope.ts'
import {
  arrayOf,
  count,
  exactObject,
  reference,
  text,
  textOrNull,
  time,
  timeOrNull,
} from '../openapi/json-schema.ts'
import { type Area, keyedOperation, ok } from '../openapi/operation.ts'
import { exampleIds } from '../samples/example-ids.ts'

const tag = {
  name: 'Keys',
  description: 'The API keys of your company, and how they are used. The keys themselves are never returned.',
}

const identity = {
  keyId: {
    type: 'string',
    description: 'The `actor` of events.',
    examples: [exampleIds.key],
  },
  name: text('The display name: who uses the key.'),
  scope: { type: 'string', enum: keyScopes },
  campaignId: textOrNull('The only campaign that the key has access to. Null: all.'),
} as const
const createdAt = time('When the key was created.')
const expiresAt = timeOrNull('When the key expires.')

const schemas = {
  Key: exactObject({
    ...identity,
    hint: text('The first characters of the key.'),
    createdAt,
    expiresAt,
    revokedAt: timeOrNull('When the key was revoked.'),
    lastUsedAt: timeOrNull('When the key was last used. Null: not since `since`.'),
    requests: count('Requests with this key since `since`, including failed ones.'),
    refused: {
      type: 'object',
      additionalProperties: { type: 'integer', minimum: 1 },
      description: 'How many of them failed, by `X-Error-Code`.',
      examples: [{ campaign_denied: 3, rate_limited: 41 }],
    },
  }),
  OwnKey: exactObject({
    ...identity,
    rights: {
      type: 'array',
      items: { type: 'string', enum: Object.keys(rights) },
      description:
        'What the scope allows. `look`: read a lead and its calls, and settings of campaigns. `read`: list leads, events and suppressions. `write`: create, change, requeue and suppress. `agent`: claim and report calls. `manage`: everything else.',
    },
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
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: '2026-11-20T09:04:12.120Z',
    requests: 4120,
    refused: { lead_exists: 212, rate_limited: 41 },
  },
]

const operations = {
  listKeys: keyedOperation('GET /api/v1/keys', {
    summary: 'List API keys',
    description:
      'Returns up to 1,000 keys, newest first, including expired and revoked ones, with their usage in the last seven days. A request is counted a few seconds after its response. A campaign’s key gets only the keys of its campaign.',
    right: 'manage',
    responses: ok(
      'The keys.',
      exactObject({
        keys: arrayOf('Key'),
        since: time('The start of the counted period.'),
      }),
      { keys: exampleKeys, since: '2026-11-13T10:00:00.000Z' },
    ),
  }),

  getOwnKey: keyedOperation('GET /api/v1/keys/self', {
    summary: 'Read your API key',
    description: 'Returns the scope, rights, campaign and company of the key that you send.',
    right: 'look',
    responses: ok(
      'The key.',
      exactObject({
        key: reference('OwnKey'),
        company: exactObject({ id: { type: 'string' }, name: { type: 'string' } }),
      }),
      {
        key: {
          ...exampleIdentity,
          rights: rightsOf('write'),
          createdAt: '2026-10-01T08:00:00.000Z',
          expiresAt: null,
        },
        company: { id: 'acme', name: 'Acme' },
      },
    ),
  }),
}

export const keys: Area = { tag, operations, schemas }
