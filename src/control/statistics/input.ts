// The query of statistics, and of the overview that has them: from, to, and by hour or day. How far apart they may be
// is in series.ts.
import type * as z from 'zod/mini'
import { instant, oneOf, optional, query } from '../../base/http/schemas.ts'
import { buckets } from './series.ts'

/** By what leads, calls and costs are counted on request. */
export const groupings = ['day', 'hour', 'outcome', 'origin', 'agent'] as const
export type Grouping = (typeof groupings)[number]

export const tooManyToCount = 'choose a shorter time'

const range = {
  from: instant('from'),
  to: instant('to'),
  bucket: optional(oneOf('bucket', buckets)),
}

export const statisticsQuery = query({ ...range, by: optional(oneOf('by', groupings)) })
export const overviewQuery = query({ ...range, include: optional(oneOf('include', ['leads'])) })

export type StatisticsQuery = z.output<typeof statisticsQuery>
