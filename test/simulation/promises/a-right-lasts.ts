// 5b. A key, and the URL of a source, works until somebody ends it; who has waited with one is told nothing then. A
// restore takes back what was made since.
import type { Made } from '../model/known.ts'
import type { Promised } from './promise.ts'

/** What the service takes to look at a key again. */
const lookMs = 2_000

export const aRightLasts: Promised = {
  name: 'a right lasts',

  onAnswer({ operation, answer, about, key: text, company, answeredMs }, known) {
    if (known.restored.has(company)) return null
    const { source } = (about ?? {}) as { readonly source?: Made }
    const key = known.keys.find((one) => one.text === text)
    const endedMs = key?.endedBy?.answeredMs ?? Number.POSITIVE_INFINITY
    const isLong = endedMs + lookMs + 8 * known.slowestMs < (answeredMs as number)
    if (isLong && !known.hasFailed && (answer?.status ?? 500) < 300)
      return `${operation} with a key is answered long after that was ended`
    const isEnded = ({ id, endsAtMs }: Made) =>
      (endsAtMs !== null && endsAtMs <= (answeredMs as number) + known.jumpedMs) ||
      known.exchanges.some(({ path, method }) => method !== 'GET' && path.includes(id))
    if (source !== undefined && answer?.status === 404 && !isEnded(source))
      return 'a URL of a source is refused'
    return key !== undefined && answer?.status === 401 && !isEnded(key)
      ? `a key is refused by ${operation}`
      : null
  },
}
