// API keys in the API description: which there are, and how they are used. They are made by the command line.
import { keyScopes, rights, rightsOf } from '../../access/scope.ts'
import { answered, count, reference } from '../openapi/json-schema.ts'
import { type Area, answer, json, keyedOperation } from '../openapi/operation.ts'
import { time, timeOrNull } from './describe-calling.ts'

const tag = {
  name: 'Keys',
  description: 'The API keys of your company, and how they are used. The keys themselves are told to nobody.',
}

const identity = {
  keyId: {
    type: 'string',
    description: 'What events name as their `actor`.',
    examples: ['key_sYtL0wJvB4qzN1dE'],
  },
  name: { type: 'string', description: 'Who uses it, for people.' },
  scope: { type: 'string', enum: keyScopes },
  campaignId: { type: ['string', 'null'], description: 'The only campaign that it is for. Null: all.' },
} as const
const createdAt = time('When it was made.')
const expiresAt = timeOrNull('When it ends by itself.')

const schemas = {
  Key: answered({
    ...identity,
    hint: { type: 'string', description: 'Its first characters.' },
    createdAt,
    expiresAt,
    revokedAt: timeOrNull('When it was ended.'),
    lastUsedAt: timeOrNull('When it was last used. Null: not since `since`.'),
    requests: count('All requests with it since `since`, those that were refused included.'),
    refused: {
      type: 'object',
      additionalProperties: { type: 'integer', minimum: 1 },
      description: 'Of them, how many were refused, by their `X-Error-Code`.',
      examples: [{ campaign_denied: 3, rate_limited: 41 }],
    },
  }),
  OwnKey: answered({
    ...identity,
    rights: {
      type: 'array',
      items: { type: 'string', enum: Object.keys(rights) },
      description:
        'What its scope allows. `look`: one lead with its calls, and settings of campaigns. `read`: lists, events and suppressed numbers. `write`: create, change, requeue and suppress. `agent`: claim and report calls. `manage`: all else.',
    },
    createdAt,
    expiresAt,
  }),
}

const exampleKeys = [
  {
    keyId: 'key_sYtL0wJvB4qzN1dE',
    name: 'hubspot',
    scope: 'write',
    campaignId: 'spring',
    hint: 'lk_x81K…',
    createdAt: '2026-10-01T08:00:00.000Z',
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: '2026-11-20T09:04:12.120Z',
    requests: 4120,
    refused: { lead_exists: 212, rate_limited: 41 },
  },
]

const listKeys = keyedOperation({
  operationId: 'listKeys',
  tags: [tag.name],
  summary: 'List API keys',
  description:
    'The newest first, ended ones included, at most 1,000; each with how it was used in the last seven days. A use is counted some seconds after its answer. A campaign’s key sees those of its campaign.',
  right: 'manage',
  parameters: [],
  answers: {
    200: answer(
      'Keys.',
      json(
        answered({
          keys: { type: 'array', items: reference('Key') },
          since: time('The beginning of what is counted.'),
        }),
        { keys: exampleKeys, since: '2026-11-13T10:00:00.000Z' },
      ),
    ),
  },
  refusals: [],
})

const getOwnKey = keyedOperation({
  operationId: 'getOwnKey',
  tags: [tag.name],
  summary: 'Read your own API key',
  description: 'What the key that you send may do, and of which company it is.',
  right: 'look',
  parameters: [],
  answers: {
    200: answer(
      'The key.',
      json(
        answered({
          key: reference('OwnKey'),
          company: answered({ id: { type: 'string' }, name: { type: 'string' } }),
        }),
        {
          key: {
            keyId: 'key_sYtL0wJvB4qzN1dE',
            name: 'hubspot',
            scope: 'write',
            campaignId: 'spring',
            rights: rightsOf('write'),
            createdAt: '2026-10-01T08:00:00.000Z',
            expiresAt: null,
          },
          company: { id: 'acme', name: 'Acme' },
        },
      ),
    ),
  },
  refusals: [],
})

export const keys: Area = {
  tag,
  paths: { '/api/v1/keys': { get: listKeys }, '/api/v1/keys/self': { get: getOwnKey } },
  schemas,
}
