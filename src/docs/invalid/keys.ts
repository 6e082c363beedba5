// The 400 messages of creating and rotating API keys, from invalid inputs as in leads.ts.

import { readCreateKey, readRotateKey } from '../../keys/input.ts'
import { limits } from '../../limits.ts'
import { bodyMessages } from '../openapi/failures.ts'
import { idempotencyKeyMessage } from './leads.ts'

const valid = { name: 'hubspot', scope: 'write' }

export const createKeyMessages = [
  ...bodyMessages(
    [
      [],
      { ...valid, name: '' },
      { ...valid, name: 'x'.repeat(limits.campaignNameMaxChars + 1) },
      { ...valid, name: '\0' },
      { ...valid, scope: 'owner' },
      { ...valid, campaignId: '' },
      { ...valid, campaignId: 'x'.repeat(limits.campaignIdMaxChars + 1) },
      { ...valid, expiresAt: 'tomorrow' },
      { ...valid, expiresAt: '2020-01-01T00:00:00Z' },
    ],
    (json) => readCreateKey(json, Date.parse('2026-01-01T00:00:00Z')),
  ),
  idempotencyKeyMessage,
]

export const rotateKeyMessages = [
  ...bodyMessages([[], { graceSeconds: -1 }], readRotateKey),
  idempotencyKeyMessage,
]
