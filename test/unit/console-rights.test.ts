// How the console learns what a key may do: from whatever the API grants, with as few refusals as there can be.
import { describe, expect, it } from 'vitest'
import { hasRight, keyScopes, type Right } from '../../src/access/scope.ts'
import { learnRights, nothingLearned, rightsOf } from '../../src/console/service/rights.ts'

const one = [{ id: 'demo' }]

/** What each request asks for, as in src/index.ts. */
const rightOf: Readonly<Record<string, Right>> = {
  '/leads': 'read',
  '/leads/bulk': 'write',
  '/calls': 'agent',
  '/webhooks': 'manage',
  '/suppressions': 'read',
}

function playService(
  scope: (typeof keyScopes)[number],
  isOfCompany: boolean,
  broken: readonly string[] = [],
) {
  const statuses: number[] = []
  const ask = async (_: string, path: string) => {
    const name = path.split('?')[0] ?? ''
    const right = rightOf[name]
    if (right === undefined) throw new Error(path)
    const isGranted = hasRight(scope, right) && (name !== '/suppressions' || isOfCompany)
    const status = broken.includes(name) ? 503 : isGranted ? 200 : 403
    statuses.push(status)
    return { status }
  }
  return { ask, statuses }
}

describe('What a key may do', () => {
  it.each(keyScopes.flatMap((scope) => [[scope, true] as const, [scope, false] as const]))(
    'is learned of scope %s, of the company: %s, with one refusal at most for the scope',
    async (scope, isOfCompany) => {
      const campaigns = isOfCompany ? [...one, { id: 'second' }] : one
      const { ask, statuses } = playService(scope, isOfCompany)
      const learned = await learnRights(ask, campaigns, nothingLearned)
      expect(rightsOf(learned)).toEqual({
        read: hasRight(scope, 'read'),
        write: hasRight(scope, 'write'),
        agent: hasRight(scope, 'agent'),
        manage: hasRight(scope, 'manage'),
        company: isOfCompany,
      })
      const refusals = statuses.filter((status) => status === 403).length
      const ofScope = scope === 'manage' ? 0 : 1
      expect(refusals).toBe(ofScope + (isOfCompany || scope === 'agent' ? 0 : 1))

      const again = playService(scope, isOfCompany)
      expect(await learnRights(again.ask, campaigns, learned)).toEqual(learned)
      expect(again.statuses).toEqual([])
    },
  )

  it('is not known while the service cannot say, and asked for again', async () => {
    const { ask } = playService('manage', true, ['/leads/bulk'])
    const learned = await learnRights(ask, one, nothingLearned)
    expect(learned).toEqual({ read: true, write: null, agent: null, manage: null, company: true })
    expect(await learnRights(playService('manage', true).ask, one, learned)).toEqual({
      read: true,
      write: true,
      agent: true,
      manage: true,
      company: true,
    })
  })
})
