// Statistics in the API description: leads by status, and activity by the hour.

import { countedOutcomes, counters, hourCounts } from '../../base/ledger/hours/counts.ts'
import { type PickUpTime, pickUpTimes } from '../../base/ledger/hours/pick-up.ts'
import { limits } from '../../base/limits.ts'
import { groupings, statisticsQuery, tooManyToCount } from '../../control/statistics/input.ts'
import { summarizePickUp } from '../../control/statistics/pick-up-summary.ts'
import { defaultBuckets, farthestDays, longestDays } from '../../control/statistics/series.ts'
import { pastOutcomes } from '../../queue/campaigns/outcomes.ts'
import { originNames } from '../../queue/leads/csv.ts'
import { leadStatuses } from '../../queue/leads/lead.ts'
import * as s from '../openapi/json-schema.ts'
import { type Area, json, needs, response } from '../openapi/operation.ts'
import { prose } from '../openapi/prose.ts'
import { exampleIds } from '../samples/example-ids.ts'
import { exampleQueue } from './describe-campaigns.ts'
import { origin } from './describe-leads.ts'

const tag = { name: 'Statistics', description: 'The activity of a campaign, counted as it happens.' }

const meanings: Readonly<Record<string, string>> = {
  created: 'Leads stored.',
  skipped: 'Leads of bulk requests that already existed or were repeated.',
  invalid: 'Invalid leads that bulk requests with `onInvalid=skip` skipped.',
  suppressed: 'Stored leads whose number is suppressed.',
  claimed: 'Leads claimed.',
  inbound: 'Calls that people made and agents took. Neither these nor their outcomes are in any other count.',
  unknown: 'Calls whose lease ended without a report. A late report removes the call from this count.',
  released: 'Calls released without dialling.',
}

const longest: Readonly<Record<PickUpTime['name'], string>> = {
  pickUp1s: 'at most 1 second',
  pickUp5s: 'more than 1 and at most 5 seconds',
  pickUp30s: 'more than 5 and at most 30 seconds',
  pickUp5min: 'more than 30 seconds and at most 5 minutes',
  pickUp1h: 'more than 5 minutes and at most an hour',
  pickUpLater: 'more than an hour',
}
const pickUps: s.Properties = Object.fromEntries(
  pickUpTimes.map(({ name }) => [
    name,
    s.count(`Leads claimed ${longest[name]} after they became callable.`),
  ]),
)

const withinSeconds = (share: string) => ({
  type: ['number', 'null'],
  minimum: 0,
  description: prose`Within how many seconds ${share} of the leads were claimed, interpolated within a count of
    the series. Null: longer than an hour, or no lead was claimed.`,
})

const counted = (names: readonly string[]): s.Properties =>
  Object.fromEntries(names.map((name) => [name, s.count(meanings[name] ?? `Calls reported as \`${name}\`.`)]))

const called = s.count`Calls: what was claimed, less what was released without dialling. A release counts where its
  claim does.`

const counts: s.Properties = {
  status: {
    ...s.exactObject(
      Object.fromEntries(leadStatuses.map((status) => [status, s.count(`Leads with status \`${status}\`.`)])),
    ),
    description: 'The current number of leads by status.',
  },
  series: s.array(
    s.exactObject({ start: s.time('The start of the bucket.'), called, ...counted(counters), ...pickUps }),
  )`The buckets, oldest first, without gaps.`,
  outcomes: {
    ...s.exactObject(counted(countedOutcomes)),
    description: 'Outcomes of calls: sums of the series.',
  },
  pickUp: {
    ...s.exactObject({
      count: s.count('Leads claimed whose time was measured: the sum of the six counts.'),
      medianSeconds: withinSeconds('half'),
      p95Seconds: withinSeconds('95 %'),
    }),
    description: prose`How long leads waited for an agent, over the whole series: from when a lead could first
      be called (its due time, the start of the calling hours, or when the campaign was resumed or its hours
      were changed, whichever is latest) to its claim. Measured when no attempt counted before: a lead that is
      released or requeued is measured again, a retry is not. Leads of a bulk of 20 or more are left out: they
      wait for a line.`,
  },
}

const schemas = {
  Statistics: s.exactObject({ ...counts, queue: s.reference('Queue') }),
  OverviewStatistics: s.exactObject(counts),
  GroupedStatistics: s.exactObject({
    by: s.oneOf(groupings)`As requested.`,
    rows: s.array(
      s.reference('StatisticsRow'),
    )`By \`day\` and \`hour\` the oldest first, without gaps; else those
      with the most calls first, at most 1,000.`,
  }),
  StatisticsRow: s.objectWithout(['start', 'outcome', 'agent', 'origin'], {
    start: s.time('By `day` and `hour`: the start.'),
    outcome: s.oneOfOrNull(pastOutcomes)`By \`outcome\`. Null: ongoing.`,
    agent: s.textOrNull('By `agent`: its name. Null: without a name.'),
    ...origin,
    leads: s.countOrNull('Leads created in the range, erased ones too. Null by `outcome` and `agent`.'),
    called: s.count('Calls claimed in the range, without those that were released.'),
    answered: s.count('Of these, calls with the outcome `answered`.'),
    concluded: s.count('Of these, calls that concluded their lead.'),
    costs: s.array(
      s.exactObject({
        currency: s.text('Three letters, such as `USD`.'),
        amount: s.text('The sum: decimal text, in whole units.'),
        perAnswered: s.textOrNull('The sum for each answered call. Null: none was.'),
      }),
    )`What the calls have cost, as their \`details\` say, by currency. Empty: nothing is known.`,
    unknownCosts: s.count('Calls with a cost whose currency is unknown. It is in no sum.'),
  }),
}

const none = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 0]))
const all = hourCounts.map(({ name }) => name)
const ofPickUp = { pickUp1s: 14, pickUp5s: 5, pickUp30s: 2, pickUp5min: 1 }
const ofCalls = { answered: 11, no_answer: 18, voicemail: 6, busy: 3, unknown: 2 }
export const exampleCounts = {
  status: { raw: 2480, attempting: 312, exhausted: 96, concluded: 540 },
  series: [
    {
      start: '2026-11-20T14:00:00.000Z',
      ...none(all),
      created: 200,
      skipped: 4,
      claimed: 40,
      called: 40,
      ...ofCalls,
      ...ofPickUp,
    },
    { start: '2026-11-20T15:00:00.000Z', ...none(all), called: 0 },
  ],
  outcomes: { ...none(countedOutcomes), ...ofCalls },
  pickUp: summarizePickUp([...Object.values(ofPickUp), 0, 0]),
}
const exampleStatistics = { ...exampleCounts, queue: exampleQueue }

export const rangeParameters = {
  from: {
    pattern: s.instantPattern,
    description: prose`ISO 8601 with a UTC offset, or Unix milliseconds. Default: the last
      ${defaultBuckets.hour} hours, or ${defaultBuckets.day} days.`,
    examples: ['2026-11-20T00:00:00+01:00'],
  },
  to: {
    pattern: s.instantPattern,
    description: `The end, exclusive, at most ${farthestDays} days in the future. Default: now.`,
    examples: ['2026-11-21T00:00:00+01:00'],
  },
  bucket: { description: 'The length of each bucket. Default: `hour`.' },
}

const by = {
  description: prose`Counts leads, calls and costs on request, by this, instead of what is counted as it happens. The
    default range is ${defaultBuckets.hour} hours by the hour, else ${defaultBuckets.day} days.`,
}
const exampleGrouped = {
  by: 'origin',
  rows: [
    {
      origin: { kind: 'source', sourceId: exampleIds.source, name: 'Contact form' },
      ...{ leads: 120, called: 260, answered: 48, concluded: 51 },
      costs: [{ currency: 'USD', amount: '31.2', perAnswered: '0.65' }],
      unknownCosts: 0,
    },
  ],
} as const
const csvColumns = 'leads,called,answered,concluded,unknownCosts'

const operations = {
  getStatistics: needs.look('GET /api/v1/campaigns/{campaignId}/stats', {
    summary: 'Read a campaign’s statistics',
    description: prose`Hours are UTC hours. A day consists of the UTC hours that begin in it, in the campaign’s
      time zone. Buckets are whole: the first contains \`from\`, the last the moment before \`to\`. The range is
      at most ${longestDays.hour} days by the hour, and ${longestDays.day} days by the day. With \`by\` at most
      ${limits.countedOnRequest.toLocaleString('en')} leads and as many calls of the range are counted; beyond that the
      response is 400 \`${tooManyToCount}\`. With \`by\` and \`Accept: text/csv\` it is CSV, whose last columns are two
      for each currency: \`costUSD\`, \`costPerAnsweredUSD\`.`,
    cli: { noun: 'lead', verb: 'stats', columns: 'status rows' },
    query: s.describeQuery(statisticsQuery, { ...rangeParameters, by }),
    refusals: [
      'from must be earlier than to',
      'from and to must be at most 31 days apart when bucket is hour',
    ],
    responses: {
      200: response(
        'The statistics.',
        {
          ...json(
            { oneOf: [s.reference('Statistics'), s.reference('GroupedStatistics')] },
            exampleStatistics,
            {
              by: { summary: 'With `by=origin`', data: exampleGrouped },
            },
          ),
          'text/csv': {
            schema: {
              type: 'string',
              pattern: `^(start|outcome|agent|${originNames}),${csvColumns}(,[A-Za-z]+)*\r\n`,
            },
            example: `outcome,${csvColumns},costUSD,costPerAnsweredUSD\r\nanswered,,48,48,48,0,31.2,0.65\r\n`,
          },
        },
        'Vary',
      ),
    },
  }),
}

export const statistics: Area = { tag, operations, schemas }
