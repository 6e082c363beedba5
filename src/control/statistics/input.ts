// The query of statistics, and of the overview that has them: from, to, and by hour or day. How far apart they may be
// is in series.ts.
import type * as z from 'zod/mini'
import { instant, oneOf, optional, query } from '../../base/http/schemas.ts'
import { buckets } from './series.ts'

const range = {
  from: instant('from'),
  to: instant('to'),
  bucket: optional(oneOf('bucket', buckets)),
}

export const statisticsQuery = query(range)
export const overviewQuery = query({ ...range, include: optional(oneOf('include', ['leads'])) })

export type StatisticsQuery = z.output<typeof statisticsQuery>
