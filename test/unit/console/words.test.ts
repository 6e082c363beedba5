// What the console shows and draws from the API's data: typed hours, shares of a bar, times in a zone, numbers in a
// language, and the state of a campaign.
import { afterEach, describe, expect, it } from 'vitest'
import { describeLive } from '../../../src/console/calling/dialer-words.ts'
import {
  type Blocker,
  describeBlockers,
  describeCampaign,
  needsAgent,
  openUntil,
} from '../../../src/console/overview/campaign-state.ts'
import { describePickUp, funnelOf, topOfScale, totalOf } from '../../../src/console/overview/funnel.ts'
import { adviceOnHours } from '../../../src/console/overview/hours-ahead.ts'
import {
  describeWeek,
  formatWindows,
  readWindows,
  rowsOf,
  textsOfHours,
  textsOfRows,
} from '../../../src/console/settings/hours/week.ts'
import { describeActivity, foldImports } from '../../../src/console/settings/people/activity-words.ts'
import {
  about,
  clock,
  counted,
  countedUpTo,
  minutes,
  setLanguage,
  share,
} from '../../../src/console/ui/words/number-words.ts'
import { type WeekHours, type Window, weekDays } from '../../../src/console/ui/words/week-days.ts'
import { browserZone, shortTime, zoneName, zoneOf } from '../../../src/console/ui/words/zone-time.ts'
import type { Campaign } from '../../../src/sdk/src/models.ts'

type Queue = Campaign['queue']

afterEach(() => setLanguage(undefined))

it.each<[text: string, windows: readonly Window[] | null]>([
  [
    '09:00-12:30, 13:30-18:00',
    [
      ['09:00', '12:30'],
      ['13:30', '18:00'],
    ],
  ],
  ['9 - 17', [['09:00', '17:00']]],
  ['13-18, 9-14', [['09:00', '18:00']]],
  ['', []],
  ['closed', []],
  ['18-9', null],
  ['9-25', null],
  ['nine to five', null],
])('A day of hours is typed as %j', (text, windows) => {
  expect(readWindows(text)).toEqual(windows)
  if (windows !== null) expect(readWindows(formatWindows(windows))).toEqual(windows)
})

describe('Drawings', () => {
  it('The funnel fills its line, and shows a part with one lead in it', () => {
    const parts = funnelOf({ raw: 999_999, attempting: 1, concluded: 0, exhausted: 0 })
    expect(parts.reduce((sum, { percent }) => sum + percent, 0)).toBeCloseTo(100)
    expect(parts[1]?.percent).toBeGreaterThan(0.5)
    expect(parts[2]?.percent).toBe(0)
    expect(
      funnelOf({ raw: 0, attempting: 0, concluded: 0, exhausted: 0 }).every(({ percent }) => percent === 0),
    ).toBe(true)
  })

  it('The counts of all buckets are added up, each of its own', () => {
    const series = [5, 0, 7].map((created) => ({ created, suppressed: 1, called: 2, answered: 3 }))
    const counts = ['created', 'suppressed', 'called', 'answered'] as const
    expect(counts.map((count) => totalOf(series, count))).toEqual([12, 3, 6, 9])
  })

  it('The pick-up time is rounded up to seconds or minutes, says no more than its class, and is absent when there is none', () => {
    const words = (medianSeconds: number | null, p95Seconds: number | null, count = 9) =>
      describePickUp({ count, medianSeconds, p95Seconds })
    expect(words(1.2, 29.8)).toBe(`half within 2 s, 95 % within 30 s`)
    expect(words(0.5, 59.1)).toBe(`half within 1 s, 95 % within 1 min`)
    expect(words(0.5, 0.9)).toBe('95 % within 1 s')
    expect(words(61, 300)).toBe(`half within 2 min, 95 % within 5 min`)
    expect(words(24, 1_800)).toBe(`half within 24 s, 95 % within 1 h`)
    expect(words(3_380, null)).toBe(`half within 1 h, some over 1 h`)
    expect(words(null, null)).toBe('half take over 1 h')
    expect(words(null, null, 0)).toBeNull()
  })

  it('The scale ends at a round number near the highest value, and is never empty', () => {
    expect([0, 1, 3, 47, 51, 1001].map(topOfScale)).toEqual([1, 1, 3, 50, 60, 1500])
    for (let highest = 1; highest < 2_000; highest++)
      expect(highest / topOfScale(highest)).toBeGreaterThan(0.66)
  })
})

describe('Times', () => {
  const now = Date.parse('2026-11-21T22:30:00Z')

  it('Times are shown in the time zone, as short as is unambiguous', () => {
    expect(shortTime(now, 'Europe/Berlin', now, 'en-GB')).toBe('23:30')
    expect(shortTime(Date.parse('2026-11-23T08:00:00Z'), 'Europe/Berlin', now, 'en-GB')).toBe('Monday 09:00')
    expect(shortTime(Date.parse('2026-12-24T08:00:00Z'), 'Europe/Berlin', now, 'en-GB')).toBe(
      '24 Dec 2026, 09:00',
    )
    expect(zoneName('America/New_York')).toBe('New York')
  })
})

it('Times of a campaign without a time zone, and of no campaign, are those of the browser', () => {
  for (const campaign of [undefined, null, { timeZone: null }]) expect(zoneOf(campaign)).toBe(browserZone())
  expect(zoneOf({ timeZone: 'Asia/Tokyo' })).toBe('Asia/Tokyo')
})

it('Numbers have the separators of the reader’s language', () => {
  setLanguage('de-DE')
  expect([counted(1234567), countedUpTo(10_000, true), share(1, 3)]).toEqual([
    '1.234.567',
    '10.000+',
    '33\u00A0%',
  ])
  setLanguage('en-US')
  expect([counted(1234567), countedUpTo(10_000, true), countedUpTo(12, true)]).toEqual([
    '1,234,567',
    '10,000+',
    '12',
  ])
  expect([share(1, 0), clock(-5), clock(545_000)]).toEqual(['', '0:00', '9:05'])
})

it('Numbers of time are about right, and say so once', () => {
  expect([20, 60, 3000, 5400, 10_800].map(about)).toEqual([
    'less than a minute',
    'about 1 minute',
    'about 50 minutes',
    'about 2 hours',
    'about 3 hours',
  ])
})

it('Numbers of time in whole minutes are at least one', () => {
  expect([0, 61, 2580, 3600].map(minutes)).toEqual(['1 min', '2 min', '43 min', '60 min'])
})

describe('The state of a campaign', () => {
  const now = Date.parse('2026-11-21T10:00:00Z')
  const explain = (queue: Partial<Queue>, timeZone: string | null = 'Europe/Berlin') => {
    const known = {
      queued: 1,
      leased: 0,
      isCapped: false,
      reason: null,
      nextOpening: null,
      gate: null,
      ...queue,
    }
    return explainIn({}, known, timeZone).title
  }
  const everyDay = (...windows: string[][]) =>
    Object.fromEntries(
      ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, windows]),
    ) as Campaign['callingHours']
  /** `now` is a Saturday, 11:00 in Berlin. */
  const explainIn = (hours: Partial<Campaign>, queue: Partial<Queue>, timeZone: string | null) => {
    const never = { callingHours: everyDay(), appointmentHours: everyDay(), closedDates: [] }
    return describeCampaign({ timeZone, ...never, ...hours, queue } as unknown as Campaign, now)
  }

  it('The state of a campaign is a sentence for every reason', () => {
    const monday = '2026-11-23T08:00:00Z'
    expect(explain({ reason: 'outside_hours', nextOpening: monday })).toMatch(
      /^Closed until Monday 09:00.* in Berlin$/,
    )
    expect(explain({ reason: 'outside_hours' })).toMatch(/no upcoming hours/)
    expect(explain({ reason: 'paused' })).toBe('Paused')
    expect(explain({ reason: 'not_configured' }, null)).toMatch(/no time zone/)
    expect(explain({ reason: 'waiting' })).toMatch(/waiting for its next call/)
    expect(explain({ reason: 'waiting', leased: 2 })).toMatch(/being called/)
    expect(explain({ reason: 'empty' })).toBe('Queue is empty')
    expect(explain({})).toMatch(/no agent is calling/)
  })

  it('The state of a campaign is not green while only calls of a dialer that is off are live', () => {
    const hours = {
      callingHours: everyDay(['00:00', '24:00']),
      appointmentHours: everyDay(),
      closedDates: [],
    }
    const queue = { queued: 1, leased: 2, isCapped: false, reason: null, nextOpening: null }
    const campaign = { timeZone: 'Europe/Berlin', ...hours, queue } as unknown as Campaign
    const dialer = { status: 'off', reason: null } as const
    const ending = { tone: 'wait', title: 'The dialer is off, and its last calls end' }
    for (const reason of [null, 'empty', 'at_capacity'] as const)
      expect(
        describeCampaign({ ...campaign, queue: { ...campaign.queue, reason } }, now, { dialer }),
      ).toMatchObject(ending)
    expect(describeCampaign(campaign, now).tone).toBe('good')
  })

  it('A live call of a dialer has no length before its start is confirmed', () => {
    const startedAt = '2026-11-21T09:58:00Z'
    const lengthOf = (agent: string, dialledAt: string | null) =>
      describeLive({ agent, startedAt, dialledAt }, now)
    expect(lengthOf('dialer', null)).toBe('Start not confirmed')
    expect([lengthOf('dialer', startedAt), lengthOf('seat-1', null)]).toEqual(['2:00', '2:00'])
  })

  it('The state of a campaign counts the agents that wait for leads, and asks for none while they do', () => {
    expect(explain({ reason: 'empty', agentsWaiting: 3 })).toBe('Open: waiting for leads, 3 agents ready')
    expect(explain({ reason: 'empty', leased: 2, agentsWaiting: 1 })).toBe(
      'Open: the last leads are being called, 1 agent ready',
    )
    expect(explain({ reason: 'waiting', agentsWaiting: 2 })).toMatch(/^Open: every lead .*, 2 agents ready$/)
    expect(explain({ agentsWaiting: 2 })).toBe('Open: leads are ready, 2 agents ready')
    const needs = (agentsWaiting: number | null) =>
      needsAgent({ queue: { reason: null, agentsWaiting } } as unknown as Campaign, null)
    expect([0, null, 1].map(needs)).toEqual([true, true, false])
    expect(explain({ reason: 'waiting', agentsWaiting: 0 })).toBe(
      'Open: every lead is waiting for its next call',
    )
    // Nobody knows how many wait.
    expect(explain({ reason: 'empty', agentsWaiting: null })).toBe('Queue is empty')
    expect(explain({ agentsWaiting: null })).toMatch(/no agent is calling/)
  })

  it('The state of a campaign is at capacity by its cap when that is full, and else by its pace', () => {
    setLanguage('en')
    const capacity = { maxLiveCalls: 1_200, callsPerMinute: 60 }
    const at = (leased: number) =>
      explainIn(capacity, { reason: 'at_capacity', leased, nextOpening: null }, 'UTC')
    expect(at(1_200)).toMatchObject({ tone: 'good', title: 'Open: 1,200 of at most 1,200 calls are live' })
    expect(at(1_199).title).toBe('Open: at its pace of 60 calls a minute')
  })

  it('The state of a campaign is closed outside of hours, whatever is in the queue', () => {
    const nextOpening = '2026-11-23T08:00:00Z'
    for (const reason of ['empty', 'waiting', null] as const) {
      expect(explain({ reason, nextOpening })).toMatch(/^Closed until Monday/)
    }
    expect(explain({ reason: 'paused', nextOpening })).toBe('Paused')
  })

  it('The state of a campaign is a callback that waits for its hours, where the campaign never closes', () => {
    const due = { reason: 'outside_hours', queued: 1, leased: 0, nextOpening: null } as const
    const [always, nine] = [everyDay(['00:00', '24:00']), everyDay(['09:00', '10:00'])]
    const explainWith = (hours: Partial<Campaign>) =>
      explainIn({ callingHours: always, ...hours }, due, 'Europe/Berlin')
    const ofWeek = { ...nine, sun: [] }
    expect(explainWith({ appointmentHours: ofWeek }).title).toMatch(
      /^Open: a callback is waiting for its hours, from Monday 0?9:00.* in Berlin$/,
    )
    expect(explainWith({ appointmentHours: ofWeek, closedDates: ['2026-11-23'] }).title).toMatch(
      /from Tuesday 0?9:00.* in Berlin$/,
    )
    const later = everyDay(['08:00', '09:00'], ['13:00', '14:00'])
    expect(explainWith({ appointmentHours: later }).title).toMatch(/, from 0?1?[13]:00.* in Berlin$/)
    // In another time zone, or never.
    for (const appointmentHours of [always, everyDay()])
      expect(explainWith({ appointmentHours }).title).toBe('Open: a callback is waiting for its hours')
  })

  it('The state of a campaign is open, with due leads outside their hours', () => {
    const due = { reason: 'outside_hours', queued: 1, leased: 0, nextOpening: null } as const
    const callingHours = everyDay(['10:00', '12:00'])
    const appointmentHours = everyDay(['18:00', '20:00'])
    const open = explainIn({ callingHours, appointmentHours }, due, 'Europe/Berlin')
    expect(open.title).toBe('Open: the leads that are due are outside their hours')
    expect(open.advice).toMatch(/from (18|0?6):00.* in Berlin/)
  })

  it('Hours end when they close, across midnight too, and never when they are open around the clock', () => {
    const endOf = (callingHours: Campaign['callingHours'], time: string) => {
      const campaign = { timeZone: 'UTC', callingHours, closedDates: ['2026-12-25'] } as unknown as Campaign
      const endMs = openUntil(campaign, Date.parse(time))
      return endMs && new Date(endMs).toISOString().slice(0, 16)
    }
    const nineToFive = everyDay(['09:00', '17:00'])
    expect(endOf(nineToFive, '2026-11-23T10:00Z')).toBe('2026-11-23T17:00')
    expect(endOf(nineToFive, '2026-11-23T17:00Z')).toBeNull()
    expect(endOf(nineToFive, '2026-12-25T10:00Z')).toBeNull()
    const night = everyDay(['00:00', '02:00'], ['20:00', '24:00'])
    expect(endOf(night, '2026-11-22T21:40Z')).toBe('2026-11-23T02:00')
    expect(endOf(everyDay(['00:00', '24:00']), '2026-11-23T00:00Z')).toBe('2026-11-30T00:00')
  })

  it('The state of a campaign is open within hours', () => {
    expect(explain({ leased: 1 })).toMatch(/leads are being called/)
  })
})

describe('Hours', () => {
  const week = (...windows: [string, string][]) =>
    Object.fromEntries(weekDays.map((day) => [day, windows])) as unknown as WeekHours

  it('Around the clock, and callback hours narrower than calling hours, get a sentence each', () => {
    const [always, day, short] = [
      week(['00:00', '24:00']),
      week(['09:00', '17:00']),
      week(['10:00', '16:00']),
    ]
    expect(adviceOnHours(day, day)).toEqual([])
    expect(adviceOnHours(day, week(['08:00', '12:00'], ['12:00', '21:00']))).toEqual([])
    expect(adviceOnHours(short, always)).toEqual([])
    expect(adviceOnHours(always, always)).toEqual([expect.stringMatching(/around the clock/)])
    expect(adviceOnHours(day, short)).toEqual([expect.stringMatching(/^Callback hours leave out/)])
    expect(adviceOnHours(always, day)).toHaveLength(2)
  })
})

describe('A blocker', () => {
  const now = Date.parse('2026-11-21T10:00:00Z')
  it.each<[code: Blocker['code'], until: string | null, words: RegExp]>([
    ['spaced', '2026-11-21T13:18:00Z', /^Waiting before the next attempt, until (14:18|0?2:18)/],
    ['number_gap', '2026-11-23T08:00:00Z', /^The number was called recently, until Monday 0?9:00/],
    ['final', null, /^The lead is finished; it can be queued again$/],
  ])('%s until %s is a sentence', (code, until, words) => {
    expect(describeBlockers([{ code, until }], 'Europe/Berlin', now)[0]?.words).toMatch(words)
  })

  it('Of two with a time, only the later time is said', () => {
    const both = [
      { code: 'number_gap', until: '2026-11-21T10:20:00Z' },
      { code: 'outside_hours', until: '2026-11-23T08:00:00Z' },
    ] as const
    const words = describeBlockers(both, 'Europe/Berlin', now).map(({ words }) => words)
    expect(words).toEqual([
      'The number was called recently',
      expect.stringMatching(/^Outside calling hours, until Monday 0?9:00/),
    ])
  })
})

it('What people did is a sentence that says how many, which part, and from which role', () => {
  setLanguage('en')
  const names = { member: (id: string) => `Member ${id}`, key: (id: string) => `“${id}”` }
  const say = (type: string, data: object) =>
    describeActivity({ type, data } as Parameters<typeof describeActivity>[0], names)
  const sources = { changed: ['sources'], sourceName: 'Contact form' }
  expect([
    say('suppression.added', { count: 8 }),
    say('suppression.lifted', { count: 1 }),
    say('campaign.changed', { ...sources, sourceChanged: ['countries', 'notDoNotCall'] }),
    say('campaign.changed', { ...sources, sourceChanged: ['removed'] }),
    say('campaign.changed', { changed: ['paused'], paused: true }),
    say('campaign.changed', { changed: ['maxAttempts', 'paused'], paused: true }),
    say('member.changed', { memberId: 'mem_1', from: 'write', scope: 'read' }),
    say('erasure.done', { leadsErased: 1, suppressed: true }),
    say('consent.recorded', { count: 2 }),
    say('leads.exported', { format: 'csv' }),
    say('company.restored', {}),
  ]).toEqual([
    '8 numbers added to do-not-call',
    '1 number removed from do-not-call',
    'Source Contact form changed: countries, not do not call',
    'Source Contact form removed',
    'Calling paused',
    'Settings changed: max attempts, paused',
    'Member mem_1 changed: from write to read',
    '1 lead erased, and the number blocked',
    '2 consents recorded',
    'Leads exported as CSV',
    'The operator restored the company',
  ])
})

it('The parts in which a file was sent are one import, and those of another file or person another', () => {
  setLanguage('en')
  const part = (id: string, count: number, file: string, actor = 'mem_1') =>
    ({ id, type: 'leads.imported', actor, data: { campaignId: 'demo', count, import: file } }) as never
  const entries = [
    part('5', 8, 'b.csv'),
    part('4', 1000, 'a.xlsx'),
    part('3', 68, 'a.xlsx'),
    part('2', 2, 'a.xlsx', 'key_1'),
  ]
  const names = { member: String, key: String }
  expect(foldImports(entries).map((one) => [one.id, describeActivity(one, names)])).toEqual([
    ['5', '8 leads imported from b.csv'],
    ['4', '1,068 leads imported from a.xlsx'],
    ['2', '2 leads imported from a.xlsx'],
  ])
})

it('Days with the same hours are one row and one phrase, whatever their order', () => {
  const none = { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] }
  const day = [['09:00', '17:00']]
  const long = [
    ['08:00', '12:00'],
    ['13:00', '20:00'],
  ]
  const hours = { ...none, mon: day, tue: day, wed: long, thu: day, fri: day, sun: long }
  expect(describeWeek(hours)).toBe(
    'Mon, Tue, Thu, Fri 09:00 to 17:00; Wed, Sun 08:00 to 12:00, 13:00 to 20:00',
  )
  expect(describeWeek({ ...none, mon: day, tue: day, wed: day, sat: day })).toBe(
    'Mon to Wed, Sat 09:00 to 17:00',
  )
  expect(describeWeek(none)).toBe('never')
  expect(textsOfRows(rowsOf(textsOfHours(hours)))).toEqual(textsOfHours(hours))
  // A day is in one row.
  expect(
    textsOfRows([
      { days: ['mon'], text: '9-17' },
      { days: ['mon', 'sun'], text: '10-12' },
    ]),
  ).toMatchObject({ mon: '9-17', tue: '', sun: '10-12' })
})
