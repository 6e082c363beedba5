// The query of statistics: from, to, and by hour or day. How far apart they may be is in series.ts.
import type * as z from 'zod/mini'
import { instant, oneOf, optional, query } from '../http/schemas.ts'
import { buckets } from './series.ts'

export const statisticsQuery = query({
  from: instant('from'),
  to: instant('to'),
  bucket: optional(oneOf('bucket', buckets)),
})

export type StatisticsQuery = z.output<typeof statisticsQuery>
