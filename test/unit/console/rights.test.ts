// What the console offers to a key, from the one answer that says what the key may do.
import { expect, it } from 'vitest'
import { hasRight, keyScopes, rightsOf as rightsOfScope } from '../../../src/base/access/scope.ts'
import { rightsOf } from '../../../src/console/service/rights.ts'

it.each(keyScopes.flatMap((scope) => [[scope, null] as const, [scope, 'demo'] as const]))(
  'The rights of a key in the console are those of scope %s, for campaign %s',
  (scope, campaignId) => {
    expect(rightsOf({ rights: [...rightsOfScope(scope)], campaignId })).toEqual({
      read: hasRight(scope, 'read'),
      write: hasRight(scope, 'write'),
      agent: hasRight(scope, 'agent'),
      manage: hasRight(scope, 'manage'),
      company: campaignId === null,
    })
  },
)
