// `campaign set`, `show`, `list`, `pause` and `resume` on a running service: what is typed, what it becomes, and its
// words.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readHours } from '../../src/admin/api/readers.ts'
import { clockTime, describeCampaign, formatHours } from '../../src/admin/text/campaign-words.ts'
import type { QueueOverview } from '../../src/queue/calling/store/campaign-overview.ts'
import { defaultAppointmentHours } from '../../src/queue/campaigns/calling-hours.ts'
import { type CallingSettings, defaultSettings } from '../../src/queue/campaigns/settings.ts'
import { seedCallingWorld } from './calling-world.ts'
import { serviceOfFile } from './command.ts'

const service = serviceOfFile()

type Shown = CallingSettings & {
  readonly id: string
  readonly name: string
  readonly archived: boolean
  readonly queue: QueueOverview & { nextOpening: string | null }
}

/** One that nobody has configured. */
async function seedCampaign(wantedId: string = randomUUID()) {
  const world = await seedCallingWorld(service)
  return { ...world, id: await world.another(wantedId) }
}

const settingsOf = ({ id: _, name: __, queue: ___, ...settings }: Shown) => settings

describe('Campaign set', () => {
  it('A campaign has what was set, and an option left out stays', async () => {
    const { id, json } = await seedCampaign()
    const lunch = [
      ['09:00', '12:30'],
      ['13:30', '18:00'],
    ]
    const words = [
      `campaign set ${id} --name Autumn --time-zone Europe/Berlin --closed 2026-12-25 --closed 2026-12-24`,
      '--max-attempts 5 --lease 5m --min-gap 1h --per-day 2 --per-week off --outcome no_answer=retry:30',
      '--outcome busy=dead --retention-days 90 --retention-suppresses no --max-live-calls 10',
      '--calls-per-minute 120',
    ].join(' ')
    const hours = ['--hours', 'mon-fri 09:00-12:30 13:30-18:00', '--hours', 'sat 10:00-14:00']
    const set = await json<Shown>(words, ...hours, '--appointment-hours', 'sun closed')
    const expected: ReturnType<typeof settingsOf> = {
      ...defaultSettings,
      timeZone: 'Europe/Berlin',
      callingHours: {
        ...Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri'].map((day) => [day, lunch])),
        sat: [['10:00', '14:00']],
        sun: [],
      } as unknown as CallingSettings['callingHours'],
      appointmentHours: { ...defaultAppointmentHours, sun: [] },
      closedDates: ['2026-12-25', '2026-12-24'],
      maxAttempts: 5,
      leaseSeconds: 300,
      maxLiveCalls: 10,
      callsPerMinute: 120,
      numberLimits: { minGapMinutes: 60, per24Hours: 2, per7Days: null },
      outcomes: {
        ...defaultSettings.outcomes,
        no_answer: { class: 'retry', minutes: 30 },
        busy: { class: 'dead', minutes: 15 },
      } as CallingSettings['outcomes'],
      retentionDays: 90,
      retentionSuppresses: false,
      archived: false,
    }
    expect(settingsOf(set)).toEqual(expected)
    expect(set.name).toBe('Autumn')

    await json(`campaign set ${id} --max-attempts 4 --retention-days none --max-live-calls none`)
    const shown = await json<Shown>(`campaign show ${id}`)
    expect(settingsOf(shown)).toEqual({
      ...expected,
      maxAttempts: 4,
      retentionDays: null,
      maxLiveCalls: null,
    })
  })

  it('The word default restores each setting by itself', async () => {
    const { id, json } = await seedCampaign()
    const changed: Record<string, string> = {
      '--time-zone': 'UTC',
      '--hours': 'daily 00:00-24:00',
      '--appointment-hours': 'daily closed',
      '--closed': '2026-12-25',
      '--max-attempts': '50',
      '--lease': '2h',
      '--max-live-calls': '3',
      '--calls-per-minute': '60000',
      '--min-gap': 'off',
      '--per-day': '9',
      '--per-week': 'off',
      '--outcome': 'voicemail=done',
      '--retention-days': '30',
      '--retention-suppresses': 'no',
    }
    const set = async (...options: string[]) =>
      settingsOf(await json<Shown>(`campaign set ${id}`, ...options))
    const before = await set(...Object.entries(changed).flat())
    for (const [option, value] of Object.entries(changed)) {
      expect(await set(option, 'default'), option).not.toEqual(before)
      expect(await set(option, value), option).toEqual(before)
    }
    expect(settingsOf(await json<Shown>(`campaign show ${id}`))).toEqual(before)
    expect(await set(...Object.keys(changed).flatMap((option) => [option, 'default']))).toEqual({
      ...defaultSettings,
      archived: false,
    })
  })

  it('Nothing to set, and a campaign or company that the key has no access to, are one line', async () => {
    const { id, company, run } = await seedCampaign()
    const none = `no-${id}`
    const denied = `${service.base} answered 403 Campaign not found or access denied`
    const refusals = {
      [`campaign set ${id}`]: 'nothing to set: see the options in --help',
      [`campaign set ${none} --max-attempts 1`]: denied,
      [`campaign show ${none} --company ${company}`]: denied,
      [`campaign pause ${none}`]: denied,
      [`campaign pause ${id} --company other`]: `the API key is of company ${company}, not of other`,
    }
    for (const [words, message] of Object.entries(refusals))
      expect(await run(words)).toEqual({
        exitCode: 1,
        stdout: '',
        stderr: `error: ${message}\n`,
      })
  })

  it('Where two companies have a campaign of one id, only that of the key changes', async () => {
    const one = await seedCampaign()
    const other = await seedCampaign(one.id)
    const isPaused = async (of: typeof one) =>
      (await of.json<Shown>(`campaign show ${one.id} --company ${of.company}`)).paused
    await one.json(`campaign pause ${one.id}`)
    expect([await isPaused(one), await isPaused(other)]).toEqual([true, false])
  })
})

describe('Campaign pause and resume', () => {
  it('A paused campaign gives no calls until it is resumed, and keeps its settings', async () => {
    const world = await seedCallingWorld(service)
    await world.add()
    const before = await world.json<Shown>(`campaign show ${world.campaign}`)
    expect(before.queue).toMatchObject({ queued: 1, leased: 0, reason: null })

    const paused = await world.json<Shown>(`campaign pause ${world.campaign}`)
    expect(paused.queue).toMatchObject({ queued: 1, reason: 'paused' })
    expect(await world.claim()).toEqual([])
    expect(settingsOf(paused)).toEqual({ ...settingsOf(before), paused: true })

    const resumed = await world.json<Shown>(`campaign resume ${world.campaign}`)
    expect(settingsOf(resumed)).toEqual(settingsOf(before))
    expect(await world.claim()).toHaveLength(1)
  })
})

describe('A campaign in words', () => {
  const queue: QueueOverview & { agentsWaiting: number | null } = {
    campaignNumber: 1,
    waitedForUntilMs: 0,
    queued: 12,
    leased: 3,
    heldForConsent: 0,
    gate: null,
    isCapped: false,
    reason: null,
    nextOpeningMs: null,
    failingAgents: [],
    dialer: null,
    agentsWaiting: 3,
  }
  const berlin = {
    ...defaultSettings,
    id: 'spring',
    name: 'Spring',
    archived: false,
    timeZone: 'Europe/Berlin',
  }
  const lineOf = (label: string, settings: Partial<CallingSettings>, at: string, state = queue) => {
    const lines = describeCampaign({ ...berlin, ...settings }, state, 'acme', Date.parse(at))
    return lines.find((line) => line.startsWith(label))?.slice('business hours  '.length)
  }

  it.each<[at: string, settings: Partial<CallingSettings>, words: string]>([
    ['2026-11-18T10:00:00Z', {}, 'open until 17:00 in Berlin (Europe/Berlin)'],
    ['2026-11-18T07:59:59Z', {}, 'closed until 09:00 in Berlin (Europe/Berlin)'],
    ['2026-11-18T16:00:00Z', {}, 'closed until Thursday 09:00 in Berlin (Europe/Berlin)'],
    ['2026-11-21T12:00:00Z', {}, 'closed until Monday 09:00 in Berlin (Europe/Berlin)'],
    ['2026-11-21T12:00:00Z', { timeZone: 'UTC' }, 'closed until Monday 09:00 in UTC'],
    [
      '2026-11-21T12:00:00Z',
      { closedDates: ['2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26', '2026-11-27'] },
      'closed until Monday 2026-11-30 09:00 in Berlin (Europe/Berlin)',
    ],
    [
      '2026-11-18T10:00:00Z',
      {
        timeZone: 'America/New_York',
        callingHours: readHours('daily 00:00-24:00') as never,
      },
      'open for at least a week in New York (America/New_York)',
    ],
    ['2026-11-18T10:00:00Z', { timeZone: null }, 'closed until a time zone is set'],
    [
      '2026-11-18T10:00:00Z',
      { callingHours: readHours('daily closed') as never },
      'closed, no opening within a year',
    ],
  ])('At %s with %o its hours are shown by the clock of its zone', (at, settings, words) => {
    expect(lineOf('business hours', settings, at)).toBe(words)
  })

  it.each<[atMs: string, nowMs: string, words: string]>([
    ['2026-11-18T23:30:00Z', '2026-11-18T22:30:00Z', 'Thursday 00:30'],
    ['2026-11-24T23:00:00Z', '2026-11-18T12:00:00Z', 'Wednesday 2026-11-25 00:00'],
    ['2026-11-24T22:59:00Z', '2026-11-18T12:00:00Z', 'Tuesday 23:59'],
    ['2026-11-18T12:00:00Z', '2026-11-18T12:00:00Z', '13:00'],
  ])('%s seen from %s is %s in Berlin', (at, now, words) => {
    expect(clockTime('Europe/Berlin', Date.parse(at), Date.parse(now))).toBe(words)
  })

  it('Hours are spelled as --hours takes them', () => {
    const parse = readHours
    const lines = ['mon-thu 09:00-12:30 13:30-18:00', 'fri 09:00-12:00', 'sun 10:00-11:00']
    const hours = lines.reduce((before, line) => parse(line, before), parse('daily closed'))
    expect(formatHours(hours as CallingSettings['callingHours'])).toEqual(lines)
    expect(parse('sat-mon,wed closed', parse('daily 08:00-20:00'))).toEqual({
      ...parse('tue 08:00-20:00'),
      ...parse('thu,fri 08:00-20:00'),
      ...parse('mon,wed,sat,sun closed'),
    })
  })

  it('Its queue is shown with the reason why nothing can be claimed', () => {
    const at = '2026-11-18T10:00:00Z'
    expect(lineOf('queue', {}, at)).toBe('12 queued, 3 leased: leads can be claimed')
    expect(lineOf('queue', {}, at, { ...queue, heldForConsent: 5 })).toBe(
      '12 queued, 3 leased, 5 held without consent: leads can be claimed',
    )
    const closed = { ...queue, isCapped: true, reason: 'outside_hours' } as const
    expect(lineOf('queue', {}, at, closed)).toMatch(
      /^12 queued, .+ \(at least\): nothing .+ not within calling hours/,
    )
    const unset = { ...queue, reason: 'not_configured' } as const
    expect(lineOf('queue', {}, at, unset)).toContain('`campaign set spring --time-zone <name>`')
  })

  it('Agents that wait for a lead are counted, and are not said to be none when that is unknown', () => {
    const at = '2026-11-18T10:00:00Z'
    const line = (agentsWaiting: number | null) =>
      lineOf('agents waiting', {}, at, { ...queue, agentsWaiting })
    expect([3, 0, null].map(line)).toEqual(['3', '0', 'unknown'])
  })

  it('Only the outcomes that were changed are shown', () => {
    const at = '2026-11-18T10:00:00Z'
    expect(lineOf('outcomes', {}, at)).toBe('default')
    const outcomes = { ...defaultSettings.outcomes, busy: { class: 'retry', minutes: 5 } }
    expect(lineOf('outcomes', { outcomes } as never, at)).toBe('busy=retry:5, others default')
  })
})
