// What the console derives for a new campaign and the first steps: ids from names, and which steps are done. Pure.
import { describe, expect, it } from 'vitest'
import { idProblem, suggestId } from '../../../src/console/campaigns/campaign-ids.ts'
import { hasAgent, hasDialer, hasLead, hasTest } from '../../../src/console/campaigns/done-by-api.ts'
import { isNewId } from '../../../src/queue/campaigns/settings-input.ts'

it.each([
  ['Spring 2027', 'spring-2027'],
  ['  Frühling & Straße! ', 'fruhling-strasse'],
  ['v1.2_final', 'v1.2_final'],
  ['..', ''],
  ['東京', ''],
  ['x'.repeat(300), 'x'.repeat(128)],
])('The id of a new campaign is suggested from %j', (name, id) => {
  expect(suggestId(name)).toBe(id)
})

it('The id of a new campaign is taken or refused as the API does it', () => {
  for (const id of ['a', 'A_b-c.d', '...', 'x'.repeat(128), '', '.', '..', 'a b', 'ü', 'x'.repeat(129)])
    expect([id, idProblem(id) === null]).toEqual([id, isNewId(id)])
})

describe('The first steps', () => {
  const status = { raw: 0, attempting: 0, exhausted: 0, concluded: 0 }
  const queue = { leased: 0, agentsWaiting: 0 }
  const none = { status, queue, series: [{ created: 0, claimed: 0 }] }

  it('The first steps have a lead once one is stored, or was', () => {
    expect(hasLead(none)).toBe(false)
    expect(hasLead({ ...none, status: { ...status, raw: 1 } })).toBe(true)
    expect(hasLead({ ...none, series: [{ created: 1, claimed: 0 }] })).toBe(true)
  })

  it('The first steps have an agent once one waits, or has claimed', () => {
    expect(hasAgent({ ...none, status: { ...status, raw: 1 } })).toBe(false)
    expect(hasAgent({ ...none, queue: { ...queue, agentsWaiting: 1 } })).toBe(true)
    expect(hasAgent({ ...none, queue: { ...queue, agentsWaiting: null } })).toBe(false)
    expect(hasAgent({ ...none, queue: { ...queue, leased: 1 } })).toBe(true)
    expect(hasAgent({ ...none, status: { ...status, attempting: 1 } })).toBe(true)
    expect(hasAgent({ ...none, series: [{ created: 0, claimed: 1 }] })).toBe(true)
  })

  it('The first steps have a dialer while one is on and has not stopped', () => {
    const isDone = (status: 'idle' | 'waiting' | 'off' | 'stopped') => hasDialer({ status, reason: null })
    expect([hasDialer(null), isDone('off'), isDone('stopped')]).toEqual([false, false, false])
    expect([isDone('idle'), isDone('waiting')]).toEqual([true, true])
  })
  it('The first steps have a call of one’s own phone once it was started', () => {
    expect(hasTest([])).toBe(false)
    expect(hasTest([{ step: 'test', verdict: 'not_dialled:account' }])).toBe(false)
    expect(hasTest([{ step: 'start', verdict: 'started' }])).toBe(false)
    expect(
      hasTest([
        { step: 'start', verdict: 'started' },
        { step: 'test', verdict: 'started' },
      ]),
    ).toBe(true)
  })
})
