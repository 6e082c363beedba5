// What became of a test call: read until it is over, and in words.
import type { DialerTest } from '../../sdk/src/models.ts'
import { shortTime, zoneName } from '../ui/words/zone-time.ts'
import { dialerReason } from './dialer-words.ts'

export const wordsOf = (code: string | null) => code?.replaceAll('_', ' ')

export const isOver = ({ state }: DialerTest) => state !== 'starting' && state !== 'ringing_or_live'

/** What is over is read once: the service forgets it after an hour. */
export function testReader() {
  let ended: { readonly testId: string; readonly test: DialerTest } | null = null
  return async (testId: string, read: (testId: string) => Promise<DialerTest>) => {
    if (testId === '') return null
    if (ended?.testId === testId) return ended.test
    const test = await read(testId)
    if (isOver(test)) ended = { testId, test }
    return test
  }
}

/** Null: it was just started. */
export function describeTest(test: DialerTest | null, zone: string, nowMs: number): string {
  if (test === null || !isOver(test)) return 'This rings now.'
  const { state, outcome, seconds, reason, saidOutcome, callbackAt } = test
  if (state === 'unknown') return 'It may have rung.'
  if (state === 'refused') return `Refused: ${dialerReason(reason ?? '')}`
  const callback =
    callbackAt && `call back ${shortTime(Date.parse(callbackAt), zone, nowMs)} in ${zoneName(zone)}`
  const parts = [wordsOf(outcome), seconds !== null && `${seconds} s`, reason, saidOutcome, callback]
  return `Ended: ${parts.filter(Boolean).join(' · ')}`
}
