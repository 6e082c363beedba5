// Statistics in the API description: leads by status, and activity by the hour.
import { leadStatuses } from '../../leads/lead.ts'
import { countedOutcomes, counters } from '../../ledger/hours/counts.ts'
import { statisticsQuery } from '../../statistics/input.ts'
import {
  beforeCounting,
  buckets,
  defaultBuckets,
  farthestDays,
  longestDays,
  notEarlier,
  tooFar,
  tooLong,
} from '../../statistics/series.ts'
import { queryMessages } from '../openapi/failures.ts'
import {
  count,
  describeQuery,
  exactObject,
  instantPattern,
  type Properties,
  reference,
  time,
} from '../openapi/json-schema.ts'
import { type Area, keyedOperation, ok } from '../openapi/operation.ts'
import { exampleQueue } from './describe-campaigns.ts'

const tag = { name: 'Statistics', description: 'The activity of a campaign, counted as it happens.' }

const meanings: Readonly<Record<string, string>> = {
  created: 'Leads stored.',
  skipped: 'Leads of bulk requests that already existed or were repeated.',
  invalid: 'Invalid leads that bulk requests with `onInvalid=skip` skipped.',
  suppressed: 'Stored leads whose number is suppressed.',
  claimed: 'Calls claimed.',
  unknown: 'Calls whose lease ended without a report. A late report removes the call from this count.',
  released: 'Calls released without dialling.',
}
const counted = (names: readonly string[]): Properties =>
  Object.fromEntries(names.map((name) => [name, count(meanings[name] ?? `Calls reported as \`${name}\`.`)]))

const schemas = {
  Statistics: exactObject({
    status: {
      ...exactObject(
        Object.fromEntries(leadStatuses.map((status) => [status, count(`Leads with status \`${status}\`.`)])),
      ),
      description: 'The current number of leads by status.',
    },
    series: {
      type: 'array',
      items: exactObject({ start: time('The start of the bucket.'), ...counted(counters) }),
      description: 'The buckets, oldest first, without gaps.',
    },
    outcomes: {
      ...exactObject(counted(countedOutcomes)),
      description: 'Outcomes of calls: sums of the series.',
    },
    queue: reference('Queue'),
  }),
}

const none = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 0]))
const ofCalls = { answered: 11, no_answer: 18, voicemail: 6, busy: 3, unknown: 2 }
const exampleStatistics = {
  status: { raw: 2480, attempting: 312, exhausted: 96, concluded: 540 },
  series: [
    {
      start: '2026-11-20T14:00:00.000Z',
      ...none(counters),
      created: 200,
      skipped: 4,
      claimed: 40,
      ...ofCalls,
    },
    { start: '2026-11-20T15:00:00.000Z', ...none(counters) },
  ],
  outcomes: { ...none(countedOutcomes), ...ofCalls },
  queue: exampleQueue,
}

const operations = {
  getStatistics: keyedOperation('GET /api/v1/campaigns/{campaignId}/stats', {
    summary: 'Read a campaign’s statistics',
    description: `Hours are UTC hours. A day consists of the UTC hours that begin in it, in the campaign’s time zone. Buckets are whole: the first contains \`from\`, the last the moment before \`to\`. The range is at most ${longestDays.hour} days by the hour, and ${longestDays.day} days by the day.`,
    right: 'look',
    parameters: describeQuery(statisticsQuery, {
      from: {
        pattern: instantPattern,
        description: `ISO 8601 with a UTC offset, or Unix milliseconds. Default: the last ${defaultBuckets.hour} hours, or ${defaultBuckets.day} days.`,
        examples: ['2026-11-20T00:00:00+01:00'],
      },
      to: {
        pattern: instantPattern,
        description: `The end, exclusive, at most ${farthestDays} days in the future. Default: now.`,
        examples: ['2026-11-21T00:00:00+01:00'],
      },
      bucket: { description: 'The length of each bucket. Default: `hour`.' },
    }),
    responses: ok('The statistics.', reference('Statistics'), exampleStatistics),
    invalid: {
      messages: [
        ...queryMessages(statisticsQuery, [{ from: 'yesterday' }, { to: 'yesterday' }, { bucket: 'week' }]),
        beforeCounting,
        tooFar,
        notEarlier,
        ...buckets.map(tooLong),
      ],
      example: notEarlier,
    },
  }),
}

export const statistics: Area = { tag, operations, schemas }
