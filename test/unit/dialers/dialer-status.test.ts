// How a dialer is, as GET shows it.
import { expect, it } from 'vitest'
import { type DialerState, openDialerMemory } from '../../../src/channels/dialers/dialer-memory.ts'
import { countAside, showIn } from '../../../src/channels/dialers/dialer-status.ts'
import { wellDialer } from '../../../src/channels/dialers/rounds/dialer-health.ts'
import { gatherWrites } from '../../../src/channels/dialers/rounds/gathered-storage.ts'

const noStorage = {
  get: () => undefined,
  put: () => {},
  delete: () => false,
  list: () => [],
} as unknown as SyncKvStorage
const waitingFor = (reason: string) => ({ waiting: { reason, nextMs: null, atMs: 0 }, wantsStart: false })

it.each<
  [what: string, state: Partial<DialerState>, isEnabled: boolean, status: string, reason: string | null]
>([
  ['nothing to do', waitingFor('empty'), true, 'idle', null],
  ['its own pace to wait for', waitingFor('pace'), true, 'waiting', 'pace'],
  ['hours to wait for', waitingFor('outside_hours'), true, 'waiting', 'outside_hours'],
  ['three rounds that failed', { troubles: 3 }, true, 'failing', null],
  ['two rounds that failed', { ...waitingFor('empty'), troubles: 2 }, true, 'idle', null],
  ['three rounds that failed, and is off', { troubles: 3 }, false, 'failing', null],
  ['a stop', { health: { ...wellDialer, stopped: 'account' } }, true, 'stopped', 'account'],
  ['a rest', { health: { ...wellDialer, rest: { reason: 'busy', untilMs: 99 } } }, true, 'resting', 'busy'],
  ['a stop, and is off', { health: { ...wellDialer, stopped: 'account' } }, false, 'off', null],
])('A dialer that has %s is shown so', (_, state, isEnabled, status, reason) => {
  const memory = openDialerMemory(gatherWrites(noStorage))
  memory.change(state)
  expect(showIn(memory, isEnabled, 10)).toEqual({ status, reason, sinceMs: 10 })
  expect(countAside(memory.calls)).toBe(0)
})
