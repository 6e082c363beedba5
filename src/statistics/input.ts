// What a client may ask of statistics: from when to when, by the hour or by the day. How long that may be is in series.ts.
import type * as z from 'zod/mini'
import { instant, oneOf, optional, query } from '../http/schemas.ts'
import { buckets } from './series.ts'

export const statisticsQuery = query({
  from: instant('from'),
  to: instant('to'),
  bucket: optional(oneOf('bucket', buckets)),
})

export type StatisticsQuery = z.output<typeof statisticsQuery>
