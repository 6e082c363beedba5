// 4h. The hours of a campaign add up to what has happened in them: calls that began, by whom, how they ended, and how
// long their leads had waited. A restore takes back what it counts.
import { fits, type Tally, talliesOf } from '../model/tallies.ts'
import type { Promised } from './promise.ts'

export const addsUp: Promised = {
  name: 'adds up',

  onLook({ hours }, company, known) {
    if (known.restored.has(company) || known.jumpedMs > 0) return null
    const keyOf = ({ campaign, hour, counter }: Tally) => `${counter} of ${campaign} in hour ${hour}`
    const happened = Map.groupBy(talliesOf(known, company), keyOf)
    const counted = hours.flatMap(({ campaign, hour, ...counts }) =>
      Object.entries(counts).map(([counter, count]) => [keyOf({ campaign, hour, counter }), count] as const),
    )
    const wrong = counted.find(([key, count]) => !fits(Number(count), happened.get(key) ?? []))
    if (wrong !== undefined)
      return `${wrong[0]} was ${happened.get(wrong[0])?.length ?? 0}, and is counted ${wrong[1]}`
    const missed = happened.keys().find((key) => !counted.some(([one]) => one === key))
    return missed === undefined ? null : `${missed} is not counted`
  },
}
