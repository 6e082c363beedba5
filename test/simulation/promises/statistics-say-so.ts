// 4i. Statistics say what has happened in each hour or day. Where anything moves meanwhile nobody knows.
import { fits, type Tallies, talliesOf } from '../model/tallies.ts'
import type { Exchange } from '../observed.ts'
import type { Promised } from './promise.ts'

type Entry = Readonly<Record<string, number | string | null>> & { readonly start: string }
const hourMs = 3_600_000
const pickUps = ['pickUp1s', 'pickUp5s', 'pickUp30s', 'pickUp5min', 'pickUp1h', 'pickUpLater']

export const statisticsSaySo: Promised = {
  name: 'statistics say so',

  onAnswer(exchange, known) {
    const { operation, answer, company, sentAt } = exchange
    const isAsked = operation === 'getStatistics' || operation === 'getOverview'
    if (!isAsked || answer?.status !== 200 || company === null || known.jumpedMs > 0) return null
    if (known.restored.has(company) || (known.movedAt[company] ?? 0) >= sentAt) return null
    const { data } = answer.body
    if (data.by !== undefined) return null
    const { series } = (data.stats ?? data) as { readonly series: readonly Entry[] }
    return judgeSeries(series, exchange, talliesOf(known, company))
  },
}

const campaignOf = ({ path }: Exchange) => /\/campaigns\/([^/]+)/.exec(path)?.[1] as string

/** Each entry is until the next one. */
function judgeSeries(series: readonly Entry[], exchange: Exchange, tallies: Tallies): string | null {
  for (const [index, entry] of series.entries()) {
    const { start, ...counts } = entry
    const next = series[index + 1]?.start
    const [fromHour, untilHour] = [start, next].map((at) =>
      at === undefined ? Infinity : Date.parse(at) / hourMs,
    )
    const ofSpan = tallies.filter(
      ({ campaign, hour }) =>
        campaign === campaignOf(exchange) &&
        hour >= Math.floor(fromHour as number) &&
        hour < (untilHour as number),
    )
    const wrong = Object.entries(counts).find(
      ([name, count]) =>
        isJudged(name) &&
        !fits(
          Number(count),
          ofSpan.filter(({ counter }) => counter === name),
        ),
    )
    if (wrong !== undefined)
      return `statistics say ${wrong[0]} ${wrong[1]} times from ${start}, and it was not so`
  }
  return null
}

const isJudged = (name: string) =>
  pickUps.includes(name) || !['called', 'created', 'skipped', 'invalid', 'suppressed'].includes(name)
