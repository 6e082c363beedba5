// The API description allows exactly the requests that the service accepts: generated bodies and queries are checked with
// both. JSON Schema cannot express everything (size and depth of metadata, NUL, unpaired surrogates, days that no month
// has), so none of that is generated.
import type { Schema } from '@cfworker/json-schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  callingQuery,
  openCallsQuery,
  readClaim,
  readExtend,
  readRelease,
  readReport,
} from '../../src/calling/input.ts'
import { readCampaignChange } from '../../src/campaigns/settings-input.ts'
import { wrongBulks, wrongCreates, wrongListQueries } from '../../src/docs/invalid/leads.ts'
import { readErasure } from '../../src/erasure/input.ts'
import { eventsQuery } from '../../src/events/input.ts'
import { readBulk, readCreate } from '../../src/leads/create-input.ts'
import { bulkQuery, listQuery } from '../../src/leads/query-input.ts'
import { statisticsQuery } from '../../src/statistics/input.ts'
import { readRemove, readSuppress, suppressionsQuery } from '../../src/suppression/input.ts'
import { deliveriesQuery, readChangeWebhook, readCreateWebhook } from '../../src/webhooks/input.ts'
import { serverOf } from '../../src/webhooks/webhook-url.ts'
import { isValid, operationNamed, readAs } from './document.ts'

const schemaOfBody = (operationId: string) =>
  operationNamed(operationId).requestBody?.content['application/json'].schema as Schema

const some = fc.constantFrom
const texts = some(
  'x',
  'demo',
  '+14155550123',
  '1',
  'true',
  'x'.repeat(128),
  'x'.repeat(129),
  '😀'.repeat(255),
)
const anything = fc.oneof(texts, some(null, true, 0, [], {}), fc.jsonValue())
/** Mostly valid values, so that valid requests are not rare. */
const mostly = <Value>(right: fc.Arbitrary<Value>, other: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 6, arbitrary: right }, { weight: 1, arbitrary: fc.oneof(other, anything) })

const phoneNumbers = some('+1415555', '+14155550123', '+491701234567890')
const wrongPhoneNumbers = some('+141555', '+04155550123', '14155550123', `+${'1'.repeat(16)}`)
const timestamps = some(
  '2027-01-15T09:30:00+01:00',
  '2027-01-15T09:30Z',
  '2027-01-15T09:30:00.123456789-0330',
)
const wrongTimestamps = some('2027-01-15T09:30:00', '2027-01-15', '2027-01-15 09:30Z', 'now')
const lead = {
  phoneNumber: mostly(phoneNumbers, wrongPhoneNumbers),
  externalId: mostly(some('', 'x'.repeat(255), '😀'.repeat(255)), some('x'.repeat(256), '😀'.repeat(256))),
  // An empty string means "not set" (D10), which the schema does not express.
  metadata: mostly(fc.object(), some('x')).filter((value) => value !== ''),
  scheduledFor: mostly(timestamps, wrongTimestamps).filter((value) => value !== ''),
  priority: mostly(some(0, 1, 100), some(101, -1, 1.5, '5')).filter((value) => value !== ''),
  // The pattern cannot know which zones exist.
  timeZone: mostly(some('Europe/Berlin', 'UTC', 'Etc/GMT+5'), some('Berlin', '+05:30', 'utc')).filter(
    (value) => value !== '',
  ),
}

// An empty string means "not set" for optional members, which the schema does not express.
const isSet = (value: unknown) => value !== ''
const claim = {
  campaignId: mostly(some('demo', 'x'.repeat(128)), some('x'.repeat(129))),
  limit: mostly(some(1, 100, null), some(0, 101, 1.5)).filter(isSet),
  leaseSeconds: mostly(some(30, 7_200, null), some(29, 7_201)).filter(isSet),
  agent: mostly(some('seat', '😀'.repeat(64)), some('x'.repeat(65))).filter(isSet),
}
/** An unknown member, in one body of six. */
const other = { colour: some<unknown>(...Array(10).fill(undefined), 'red', null) }
const claims = fc.oneof(fc.constant(null), fc.record({ ...claim, ...other }, { requiredKeys: [] }))
const reports = fc.tuple(
  fc.record(
    {
      callId: fc.constant('1'),
      // `callback_requested` is valid only with a time.
      outcome: mostly(some('busy', 'answered'), some('unknown', 'rang')),
      callbackAt: mostly(timestamps, wrongTimestamps).filter(isSet),
      doNotCall: mostly(fc.boolean(), some('yes')).filter(isSet),
      durationSeconds: mostly(some(0, 86_400), some(-1, 0.5)).filter(isSet),
      providerCallId: mostly(some('CA1'), some('x'.repeat(256))).filter(isSet),
      details: mostly(fc.object(), some('x', [1])).filter(isSet),
      ...other,
    },
    { requiredKeys: ['callId'] },
  ),
)
const numbers = {
  phoneNumbers: mostly(fc.array(phoneNumbers, { minLength: 1, maxLength: 3 }), fc.array(wrongPhoneNumbers)),
  campaignId: mostly(some('demo', null), some('', 'x'.repeat(129))),
  ...other,
}
/** The pattern cannot know whether a host is public. */
const urls = some('https://example.com/hooks', 'HTTPS://example.com')
const wrongUrls = some('http://example.com/', 'ftp://example.com/', `https://example.com/${'x'.repeat(2048)}`)
const webhook = {
  url: mostly(urls, wrongUrls).filter((url) => url === '' || !/^\W/.test(String(url))),
  types: mostly(
    some(['call.reported'], ['lead.erased', 'call.expired']),
    some([], ['webhook.test'], ['lead.erased', 'lead.erased']),
  ).filter(isSet),
  campaignId: mostly(some('demo', null), some('', 'x'.repeat(129))),
  include: mostly(some([], ['details'], null), some(['notes'])).filter(isSet),
  ...other,
}
const server = serverOf('https://service.example.com/')
const settings = fc.record(
  {
    id: some('demo'),
    name: mostly(some('Demo', '😀'.repeat(255)), some('', 'x'.repeat(256))),
    paused: mostly(fc.boolean(), some('yes')),
    timeZone: mostly(some('Europe/Berlin', 'UTC', null), some('Berlin', 'utc', '')),
    callingHours: mostly(
      some({}, { mon: [['09:00', '24:00']], tue: [] }, null),
      some({ mon: [['24:00', '25:00']] }, { monday: [] }, { mon: null }, { mon: [['09:00']] }, []),
    ),
    closedDates: mostly(some([], ['2026-12-25'], null), some(['25.12.2026'], ['2026-12-25', 7], {})),
    maxAttempts: mostly(some(1, 50, null), some(0, 51)),
    numberLimits: mostly(
      some({}, { per24Hours: null, per7Days: 1_000 }, null),
      some({ perHour: 1 }, { minGapMinutes: 0 }, { minGapMinutes: 10_081 }, []),
    ),
    outcomes: mostly(
      some({}, { busy: { class: 'dead' }, unknown: null }, { failed: { minutes: 0 } }, null),
      some({ rang: {} }, { busy: { class: 'later' } }, { busy: { minutes: -1 } }, { busy: 7 }, []),
    ),
    colour: some(undefined, undefined, undefined, undefined, 'red'),
  },
  { requiredKeys: [] },
)

describe('Bodies', () => {
  it('of a create are valid exactly if the service accepts them', () => {
    const body = fc.record(
      { campaignId: mostly(some('demo', '😀'.repeat(128)), some('', 'x'.repeat(129))), ...lead },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(body, (value) => {
        const sent = JSON.parse(JSON.stringify(value)) as unknown
        const isAccepted = readCreate(JSON.stringify(value)).isValid
        expect(isValid(schemaOfBody('createLead'), sent)).toBe(isAccepted)
      }),
      { numRuns: 600 },
    )
  })

  it('of a bulk are valid exactly if the service accepts them, lead by lead', () => {
    const schema = schemaOfBody('createLeads')
    fc.assert(
      fc.property(fc.record(lead, { requiredKeys: [] }), (value) => {
        const body = { campaignId: 'demo', leads: [JSON.parse(JSON.stringify(value))] }
        const bulk = readBulk(JSON.stringify(body))
        expect(isValid(schema, body)).toBe(bulk.isValid && bulk.value.items[0]?.isValid === true)
      }),
      { numRuns: 300 },
    )
  })

  it.each<[string, fc.Arbitrary<object>, (json: string) => { isValid: boolean }]>([
    ['claimCalls', fc.record({ ...claim, ...other }, { requiredKeys: [] }), readClaim],
    [
      'reportCalls',
      fc.record(
        {
          calls: mostly(reports, fc.array(fc.anything(), { maxLength: 2 })),
          claim: mostly(claims, some('x')),
          ...other,
        },
        { requiredKeys: [] },
      ),
      readReport,
    ],
    [
      'extendCalls',
      fc.record(
        {
          callIds: mostly(some(['1'], ['1', '1']), some([], [7])),
          leaseSeconds: claim.leaseSeconds,
          dialledAt: mostly(timestamps, wrongTimestamps).filter(isSet),
          ...other,
        },
        { requiredKeys: [] },
      ),
      readExtend,
    ],
    [
      'releaseCalls',
      fc.record(
        {
          calls: mostly(
            some([{ callId: '1' }], [{ callId: '1', delaySeconds: 0 }]),
            some([], [{}], [{ callId: '1', delaySeconds: -1 }], [{ callId: '1', delay: 1 }]),
          ),
          ...other,
        },
        { requiredKeys: [] },
      ),
      readRelease,
    ],
    [
      'suppressNumbers',
      fc.record(
        {
          ...numbers,
          reason: mostly(some('asked', 'x'.repeat(255)), some('x'.repeat(256))).filter(isSet),
        },
        { requiredKeys: [] },
      ),
      readSuppress,
    ],
    ['liftSuppressions', fc.record(numbers, { requiredKeys: [] }), readRemove],
    ['changeCampaign', settings, (json) => readCampaignChange(json, 'demo')],
    [
      'erasePerson',
      fc.record(
        {
          phoneNumber: mostly(some('+14155550123', null), wrongPhoneNumbers),
          leadId: mostly(some('1a1fb47365400000100000001nTelzbbSjlh', null), some('')),
          suppress: mostly(fc.boolean(), some('yes')).filter(isSet),
          ...other,
        },
        { requiredKeys: [] },
      ),
      readErasure,
    ],
    ['createWebhook', fc.record(webhook, { requiredKeys: [] }), (json) => readCreateWebhook(json, server)],
    [
      'changeWebhook',
      fc.record({ ...webhook, disabled: mostly(fc.boolean(), some(null)) }, { requiredKeys: [] }),
      (json) => readChangeWebhook(json, server),
    ],
  ])('are valid exactly if the service accepts them: %s', (operationId, bodies, read) => {
    const schema = schemaOfBody(operationId)
    fc.assert(
      fc.property(bodies, (value) => {
        const json = JSON.stringify(value)
        expect(isValid(schema, JSON.parse(json)), json).toBe(read(json).isValid)
      }),
      { numRuns: 300 },
    )
  })

  it.each([
    ['createLead', wrongCreates.filter((body) => !/x{999}|"in"|\\u0000/.test(JSON.stringify(body)))],
    ['createLeads', wrongBulks],
  ])('of %s are invalid if they break a rule that the schema expresses', (operationId, wrong) => {
    for (const body of wrong)
      expect(isValid(schemaOfBody(operationId), JSON.parse(JSON.stringify(body))), JSON.stringify(body)).toBe(
        false,
      )
  })
})

describe('Queries', () => {
  const values = fc.oneof(
    texts,
    timestamps,
    wrongTimestamps,
    some(
      '',
      'false',
      'raw',
      'called',
      'skip',
      'fail',
      '0',
      '1000',
      '1001',
      '01',
      '0'.repeat(14),
      '00000100000002',
      'evt_x81Kp200000000c10',
      'call.reported,lead.erased',
    ),
    fc.nat().map(String),
  )

  it.each([
    ['createLeads', bulkQuery, {}],
    ['listLeads', listQuery, { campaignId: 'demo' }],
    ['listOpenCalls', openCallsQuery, { campaignId: 'demo' }],
    ['explainLead', callingQuery, {}],
    ['listSuppressions', suppressionsQuery, {}],
    ['listEvents', eventsQuery, {}],
    ['getStatistics', statisticsQuery, {}],
    ['listDeliveries', deliveriesQuery, {}],
  ] as const)('of %s are valid exactly if the service accepts them', (operationId, query, others) => {
    const parameters = operationNamed(operationId).parameters.filter((parameter) => parameter.in === 'query')
    fc.assert(
      fc.property(some(...parameters), values, ({ name, schema, allowEmptyValue }, value) => {
        const isAccepted = query.safeParse({ ...others, [name as string]: value }).success
        const isEmptyValue = value === '' && allowEmptyValue === true
        const described = isEmptyValue || isValid(schema as Schema, readAs(schema as Schema, value))
        expect(described, `${name}=${value}`).toBe(isAccepted)
      }),
      { numRuns: 600 },
    )
  })

  it('require exactly the parameters that the service requires', () => {
    const required = operationNamed('listLeads').parameters.filter((parameter) => parameter.required === true)
    expect(required.map(({ name }) => name)).toEqual(['campaignId'])
    expect(listQuery.safeParse(wrongListQueries[0]).success).toBe(false)
    expect(listQuery.safeParse({ campaignId: 'demo' }).success).toBe(true)
  })
})
