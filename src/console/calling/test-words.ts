// What became of a test call, in words. Pure.
import type { DialerTest } from '../../sdk/src/models.ts'
import { dialerReason } from './dialer-words.ts'

export const wordsOf = (code: string | null) => code?.replaceAll('_', ' ')

/** Null: it was just started. */
export function describeTest(test: DialerTest | null): string {
  if (test?.state === 'unknown') return 'It may have rung.'
  if (test?.state === 'refused') return `Refused: ${dialerReason(test.reason ?? '')}`
  if (test?.state !== 'ended') return 'This rings now.'
  const { outcome, seconds, reason, saidOutcome, callbackAt } = test
  const parts = [wordsOf(outcome), seconds !== null && `${seconds} s`, reason, saidOutcome, callbackAt]
  return `Ended: ${parts.filter(Boolean).join(' · ')}`
}
