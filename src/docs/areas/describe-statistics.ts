// Statistics in the API description: how many leads a campaign has in each status, and what was counted by the hour.
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
import { givenTwice, queryMessages } from '../openapi/failures.ts'
import {
  answered,
  count,
  describeQuery,
  instantPattern,
  type Properties,
  reference,
} from '../openapi/json-schema.ts'
import { type Area, answer, json, keyedOperation } from '../openapi/operation.ts'
import { time } from './describe-calling.ts'
import { campaignInPath, exampleQueue } from './describe-campaigns.ts'

const tag = { name: 'Statistics', description: 'How a campaign does, counted as it happens.' }
const tags = [tag.name]

const words: Readonly<Record<string, string>> = {
  created: 'Leads stored.',
  skipped: 'Leads of bulk requests that were there before, or came twice.',
  invalid: 'Leads that a bulk request with `onInvalid=skip` left out.',
  suppressed: 'Of those stored, leads whose number must not be called.',
  claimed: 'Calls handed out.',
  unknown:
    'Calls of which nothing was told before their lease ended. One that is told of later is taken out again.',
  released: 'Calls that nobody dialled.',
}
const counted = (names: readonly string[]): Properties =>
  Object.fromEntries(names.map((name) => [name, count(words[name] ?? `Calls reported as \`${name}\`.`)]))

const schemas = {
  Statistics: answered({
    status: {
      ...answered(
        Object.fromEntries(leadStatuses.map((status) => [status, count(`Leads that are ${status}.`)])),
      ),
      description: 'At this moment.',
    },
    series: {
      type: 'array',
      items: answered({ start: time('When the bucket begins.'), ...counted(counters) }),
      description: 'Oldest first, without a gap.',
    },
    outcomes: {
      ...answered(counted(countedOutcomes)),
      description: 'What became of calls: sums of the series.',
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

const getStatistics = keyedOperation({
  operationId: 'getStatistics',
  tags,
  summary: 'Read a campaign’s statistics',
  description: `Hours are of UTC. A day is the UTC hours that begin in it by the clock of the campaign’s time zone. Buckets are whole: the first holds \`from\`, the last the moment before \`to\`. So where \`from\` or \`to\` is within a bucket, there is one more than the time between them holds. That time is at most ${longestDays.hour} days by the hour, and ${longestDays.day} by the day.`,
  right: 'look',
  parameters: [
    campaignInPath,
    ...describeQuery(statisticsQuery, {
      from: {
        pattern: instantPattern,
        description: `ISO 8601 with a UTC offset, or Unix milliseconds. Without it: the last ${defaultBuckets.hour} hours, or ${defaultBuckets.day} days.`,
        examples: ['2026-11-20T00:00:00+01:00'],
      },
      to: {
        pattern: instantPattern,
        description: `The end, which is not in it any more, at most ${farthestDays} days ahead. Without it: now.`,
        examples: ['2026-11-21T00:00:00+01:00'],
      },
      bucket: { description: 'How long each bucket is. An hour when not set.' },
    }),
  ],
  answers: { 200: answer('The statistics.', json(reference('Statistics'), exampleStatistics)) },
  invalid: {
    messages: [
      ...queryMessages(statisticsQuery, [
        ...givenTwice(statisticsQuery),
        { from: 'yesterday' },
        { to: 'yesterday' },
        { bucket: 'week' },
      ]),
      beforeCounting,
      tooFar,
      notEarlier,
      ...buckets.map(tooLong),
    ],
    example: notEarlier,
  },
  refusals: ['campaign_denied'],
})

export const statistics: Area = {
  tag,
  paths: { '/api/v1/campaigns/{campaignId}/stats': { get: getStatistics } },
  schemas,
}
