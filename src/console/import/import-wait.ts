// Why an import waits, in words.
import { counted, countOf } from '../ui/words/number-words.ts'
import { leadsPerMinute, type Wait } from './import-messages.ts'

export function describeWait(wait: Wait | null): string | null {
  if (wait === null) return null
  const seconds = Math.ceil(wait.seconds)
  switch (wait.why) {
    case 'limit':
      return `Limit of ${counted(leadsPerMinute)} leads a minute reached. Continuing in ${countOf(seconds, 'second')}.`
    case 'unreached':
      return `Cannot reach the service. Retrying in ${countOf(seconds, 'second')}.`
    case 'busy':
      return `The service is busy. Retrying in ${countOf(seconds, 'second')}.`
  }
}
