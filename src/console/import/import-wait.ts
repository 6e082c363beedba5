// Why an import waits, in words.
import { limits } from '../../base/limits.ts'
import { countOf } from '../ui/words/number-words.ts'
import type { Wait } from './import-messages.ts'

export function describeWait(wait: Wait | null): string | null {
  if (wait === null) return null
  const seconds = Math.ceil(wait.seconds)
  switch (wait.why) {
    case 'limit':
      // The checks are requests too, so a few small files reach it.
      return `The service takes ${limits.bulkRequestsPerMinutePerKey} requests a minute, checks included. \
Continuing in ${countOf(seconds, 'second')}.`
    case 'unreached':
      return `Cannot reach the service. Retrying in ${countOf(seconds, 'second')}.`
    case 'busy':
      return `The service is busy. Retrying in ${countOf(seconds, 'second')}.`
  }
}
