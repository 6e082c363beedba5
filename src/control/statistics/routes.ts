// GET /campaigns/{campaignId}/stats, and the same counts for the overview of a campaign.
import { accepts } from 'hono/accepts'
import { accessTo, granted, type KeyedExchange } from '../../base/access/granted.ts'
import type { AccessNames } from '../../base/access/store/rights.ts'
import type { Bind } from '../../base/database/database.ts'
import { type Answer, success } from '../../base/http/envelope.ts'
import { invalidField } from '../../base/http/errors.ts'
import { readQueryOf } from '../../base/http/validate.ts'
import { countedOutcomes, hourCounts } from '../../base/ledger/hours/counts.ts'
import { pickUpTimes } from '../../base/ledger/hours/pick-up.ts'
import { formatTimestamp } from '../../base/timestamp.ts'
import { queueJson } from '../../queue/calling/campaigns.ts'
import { outcomes } from '../../queue/campaigns/outcomes.ts'
import { getGrouped } from './grouped.ts'
import { type StatisticsQuery, statisticsQuery } from './input.ts'
import { summarizePickUp } from './pick-up-summary.ts'
import { callsOf, findQuestionProblem, hoursToRead, type Question, toSeries } from './series.ts'
import { readFunnel } from './store/funnel.ts'

const readStatisticsQuery = readQueryOf(statisticsQuery)

/** Every outcome has a counter. */
outcomes satisfies readonly (typeof countedOutcomes)[number][]

export async function getStatistics(x: KeyedExchange): Promise<Answer> {
  const { by, ...query } = await readStatisticsQuery(x)
  if (by !== null) {
    const supports = ['application/json', 'text/csv']
    const type = accepts(x.c, { header: 'Accept', supports, default: 'application/json' })
    return getGrouped(x, by, query, type === 'text/csv')
  }
  const { funnel, statistics } = await readStatistics(x, questionOf(query))
  return success({ ...statistics, queue: await queueJson(x, funnel.queue) }, 200, { Vary: 'Accept' })
}

export const questionOf = ({
  from,
  to,
  bucket,
}: Pick<StatisticsQuery, 'from' | 'to' | 'bucket'>): Question => ({
  bucket: bucket ?? 'hour',
  fromMs: from,
  toMs: to,
})

/** The campaign of the path. The rows of `more` are read in the same trip. */
export async function readStatistics(
  x: KeyedExchange,
  question: Question,
  more: readonly Bind<AccessNames>[] = [],
) {
  const campaignId = x.c.req.param('campaignId') ?? ''
  const access = accessTo(x, campaignId)
  const { nowMs } = access
  const problem = findQuestionProblem(question, nowMs)
  if (problem !== null) throw invalidField(problem)

  const funnel = await granted(x, readFunnel(x.db, access, hoursToRead(question, nowMs), more))
  x.record.campaignId = campaignId
  const timeZone = funnel.campaign.timeZone ?? 'UTC'
  const buckets = toSeries(question, nowMs, timeZone, funnel.hours, hourCounts.length).map(
    ({ startMs, counts }) => ({ start: formatTimestamp(startMs), ...named(counts) }),
  )
  const called = callsOf(buckets)
  const series = buckets.map(({ start, ...counts }, index) => ({
    start,
    called: called[index] ?? 0,
    ...counts,
  }))
  const sumOf = (name: CountName) => series.reduce((sum, entry) => sum + entry[name], 0)
  const statistics = {
    status: funnel.status,
    series,
    outcomes: Object.fromEntries(countedOutcomes.map((outcome) => [outcome, sumOf(outcome)])),
    pickUp: summarizePickUp(pickUpTimes.map(({ name }) => sumOf(name))),
  }
  return { funnel, statistics, nowMs }
}

type CountName = (typeof hourCounts)[number]['name']

const named = (counts: readonly number[]) =>
  Object.fromEntries(hourCounts.map(({ name }, index) => [name, counts[index] ?? 0])) as Record<
    CountName,
    number
  >
