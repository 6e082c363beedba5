// GET /campaigns/{campaignId}/statistics.
import { accessTo, granted, type KeyedExchange } from '../access/authenticate.ts'
import { queueJson } from '../calling/campaigns.ts'
import { outcomes } from '../campaigns/outcomes.ts'
import { type Answer, success } from '../http/envelope.ts'
import { ApiError } from '../http/errors.ts'
import { readQueryOf } from '../http/validate.ts'
import { countedOutcomes, counters } from '../ledger/hours/counts.ts'
import { formatTimestamp } from '../timestamp.ts'
import { statisticsQuery } from './input.ts'
import { findQuestionProblem, hoursToRead, type Question, toSeries } from './series.ts'
import { readFunnel } from './store/funnel.ts'

const readStatisticsQuery = readQueryOf(statisticsQuery)

/** Every outcome has a counter. */
outcomes satisfies readonly (typeof countedOutcomes)[number][]

export async function getStatistics(x: KeyedExchange): Promise<Answer> {
  const campaignId = x.c.req.param('campaignId') ?? ''
  const { from, to, bucket } = await readStatisticsQuery(x)
  const access = accessTo(x, campaignId)
  const { nowMs } = access
  const question: Question = { bucket: bucket ?? 'hour', fromMs: from, toMs: to }
  const problem = findQuestionProblem(question, nowMs)
  if (problem !== null) throw new ApiError({ kind: 'invalid_field', message: problem })

  const { queue, status, timeZone, hours } = await granted(
    x,
    readFunnel(x.db, access, hoursToRead(question, nowMs)),
  )
  x.record.campaignId = campaignId
  const series = toSeries(question, nowMs, timeZone ?? 'UTC', hours, counters.length).map(
    ({ startMs, counts }) => ({ start: formatTimestamp(startMs), ...named(counts) }),
  )
  return success({
    status,
    series,
    outcomes: Object.fromEntries(
      countedOutcomes.map((outcome) => [
        outcome,
        series.reduce((sum, entry) => sum + (entry[outcome] ?? 0), 0),
      ]),
    ),
    queue: await queueJson(x, queue),
  })
}

const named = (counts: readonly number[]) =>
  Object.fromEntries(counters.map((counter, index) => [counter, counts[index] ?? 0])) as Record<
    (typeof counters)[number],
    number
  >
