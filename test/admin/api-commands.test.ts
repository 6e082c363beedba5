// The commands that the API description gives, over a service that is played: their names, and what each asks for.
import { describe, expect, it } from 'vitest'
import { apiCommands } from '../../src/admin/api/describe-commands.ts'
import { command } from './command.ts'
import { askedBy, played, startService } from './played-service.ts'

it('The commands of the API description keep their names, which scripts use', () => {
  const names = apiCommands.map(({ cli }) => `${cli.noun} ${cli.verb}`)
  expect([...new Set(names)].sort()).toMatchInlineSnapshot(`
    [
      "activity list",
      "call inbound",
      "call list",
      "campaign calls",
      "campaign create",
      "campaign list",
      "campaign overview",
      "campaign preview",
      "campaign set",
      "company create",
      "company list",
      "company move",
      "company move-abort",
      "company move-state",
      "company restore",
      "company set",
      "company show",
      "consent record",
      "consent search",
      "consent uses",
      "consent withdraw",
      "dialer add",
      "dialer check",
      "dialer presets",
      "dialer preview",
      "dialer remove",
      "dialer set",
      "dialer show",
      "dialer test",
      "dialer tested",
      "dialer trace",
      "event keep",
      "event list",
      "event restored",
      "gate add",
      "gate go-on",
      "gate remove",
      "gate set",
      "gate show",
      "gate trace",
      "gate try",
      "key create",
      "key list",
      "key revoke",
      "key rotate",
      "key self",
      "lead calls",
      "lead create",
      "lead erase",
      "lead explain",
      "lead list",
      "lead requeue",
      "lead search",
      "lead set",
      "lead show",
      "lead stats",
      "member add",
      "member list",
      "member remove",
      "member set",
      "member show",
      "source add",
      "source list",
      "source remove",
      "source rotate",
      "source set",
      "source show",
      "source try",
      "suppression add",
      "suppression list",
      "suppression remove",
      "webhook add",
      "webhook deliveries",
      "webhook list",
      "webhook remove",
      "webhook replay",
      "webhook rotate",
      "webhook set",
      "webhook show",
      "webhook test",
    ]
  `)
})

it('The help has a line for each noun', async () => {
  const { stdout } = await command('--help')
  const [, listed = ''] = stdout.split('Commands:\n')
  const lines = listed.trimEnd().split('\n')
  expect(lines.length).toBeGreaterThan(8)
  for (const line of lines) expect(line).toMatch(/^ {2}[a-z]+ .{8,70}$/)
})

it('The help of every command is plain text: without links and the marks of Markdown', async () => {
  const names = [...new Set(apiCommands.map(({ cli }) => `${cli.noun} ${cli.verb}`))]
  for (const name of [...names, 'lead import', 'suppression import', 'agent pretend', 'webhook listen']) {
    const { exitCode, stdout } = await command(`${name} --help`)
    expect([name, exitCode, /\]\(|\*\*|^#/m.exec(stdout)?.[0]]).toEqual([name, 0, undefined])
  }
  const { stdout } = await command('key rotate --help')
  expect(stdout).toContain('Rotate an API key of a company.')
  expect(stdout).not.toContain('See ')
  expect((await command('lead create --help')).stdout).toMatch(/see\s+consents/)
})

it('The help marks as required what no word after the verb can stand for', async () => {
  const { stdout } = await command('source show --help')
  expect(stdout).toMatch(/--campaign <value> \(required\)/)
  expect(stdout).not.toMatch(/--source <value> \(required\)/)
  expect((await command('campaign show --help')).stdout).not.toContain('(required)')
})

it('The commands that cannot be undone ask first', () => {
  const asking = apiCommands.filter(({ cli }) => cli.confirm)
  expect(asking.map(({ cli }) => `${cli.noun} ${cli.verb}`).sort()).toMatchInlineSnapshot(`
    [
      "company move",
      "company restore",
      "event restored",
      "key revoke",
      "key revoke",
      "lead erase",
      "member remove",
      "source remove",
      "source rotate",
    ]
  `)
})

describe('The options of a command', () => {
  const requests: Record<string, [method: string, path: string, body?: object]> = {
    'campaign set a/b --name Spring --paused yes': [
      'PATCH',
      '/campaigns/a%2Fb',
      { name: 'Spring', paused: true },
    ],
    'campaign set --campaign demo --archived no': ['PATCH', '/campaigns/demo', { archived: false }],
    'campaign set demo --lease 5m --min-gap 1h --per-week off --max-attempts 4': [
      'PATCH',
      '/campaigns/demo',
      { leaseSeconds: 300, numberLimits: { minGapMinutes: 60, per7Days: null }, maxAttempts: 4 },
    ],
    'campaign set demo --time-zone default --hours default --outcome default --closed default --per-day default':
      [
        'PATCH',
        '/campaigns/demo',
        {
          timeZone: null,
          callingHours: null,
          outcomes: null,
          closedDates: null,
          numberLimits: { per24Hours: 3 },
        },
      ],
    'campaign set demo --closed 2026-12-24 --closed 2026-12-25,2026-12-26': [
      'PATCH',
      '/campaigns/demo',
      { closedDates: ['2026-12-24', '2026-12-25', '2026-12-26'] },
    ],
    'campaign set demo --outcome no_answer=retry:60 --outcome busy=default --outcome failed=dead': [
      'PATCH',
      '/campaigns/demo',
      { outcomes: { no_answer: { class: 'retry', minutes: 60 }, busy: null, failed: { class: 'dead' } } },
    ],
    'suppression add +14155550100 +14155550101 --campaign demo': [
      'POST',
      '/suppressions',
      { campaignId: 'demo', phoneNumbers: ['+14155550100', '+14155550101'] },
    ],
    'suppression remove +14155550100': ['DELETE', '/suppressions', { phoneNumbers: ['+14155550100'] }],
    'lead show ld_1': ['GET', '/leads/ld_1'],
    'lead set ld_1 --external-id default --priority 5': [
      'PATCH',
      '/leads/ld_1',
      { externalId: null, priority: 5 },
    ],
    'lead search 0123 --status raw --limit 5': ['GET', '/leads/search?status=raw&limit=5&q=0123'],
    'lead requeue ld_1 ld_2': ['POST', '/leads/requeue', { leadIds: ['ld_1', 'ld_2'] }],
    'lead requeue --campaign demo --status exhausted --since 2027-01-01T00:00:00Z': [
      'POST',
      '/campaigns/demo/requeue',
      { status: 'exhausted', since: '2027-01-01T00:00:00Z' },
    ],
    'lead erase ld_1 --suppress no --yes': ['POST', '/erasures', { suppress: false, leadId: 'ld_1' }],
    'webhook add https://example.com/ --types lead.erased,call.reported --include details': [
      'POST',
      '/webhooks',
      {
        types: ['lead.erased', 'call.reported'],
        include: ['details'],
        url: 'https://example.com/',
      },
    ],
    'key create --name crm --scope write --campaign demo': [
      'POST',
      '/keys',
      { name: 'crm', scope: 'write', campaignId: 'demo' },
    ],
    'key create --company acme --name crm --scope write': [
      'POST',
      '/companies/acme/keys',
      { name: 'crm', scope: 'write' },
    ],
    'key rotate key_1 --grace 1h --with-created': [
      'POST',
      '/keys/key_1/rotate?withCreated=true',
      { graceSeconds: 3600 },
    ],
    'key revoke key_1 --company acme --yes': ['DELETE', '/companies/acme/keys/key_1'],
    'company create --id acme --name Acme --store own --location weur': [
      'POST',
      '/companies',
      { id: 'acme', name: 'Acme', store: 'own', location: 'weur' },
    ],
    'company restore acme --to 2027-01-01T00:00:00Z --yes': [
      'POST',
      '/companies/acme/restore',
      { confirm: 'acme', to: '2027-01-01T00:00:00Z' },
    ],
    'company move acme --to own --yes': ['POST', '/companies/acme/move', { to: 'own' }],
    'company set acme --max-campaigns 20000': ['PATCH', '/companies/acme', { maxCampaigns: 20000 }],
    'company set acme --consent-years default': ['PATCH', '/companies/acme', { consentYears: null }],
    'campaign set demo --require-consent {"purpose":"phone-offers","maxAgeDays":365}': [
      'PATCH',
      '/campaigns/demo',
      { requireConsent: { purpose: 'phone-offers', maxAgeDays: 365 } },
    ],
    'campaign preview demo': ['GET', '/campaigns/demo/preview'],
    'consent search +14155550100': ['POST', '/consents/search', { phoneNumber: '+14155550100' }],
    'consent withdraw +14155550100 --purpose phone-offers --reason mail': [
      'POST',
      '/consents/withdraw',
      { purpose: 'phone-offers', reason: 'mail', phoneNumber: '+14155550100' },
    ],
    'consent uses con_1 --limit 5': ['GET', '/consents/con_1/uses?limit=5'],
    'consent record +14155550100': ['POST', '/numbers/record', { phoneNumber: '+14155550100' }],
    'campaign list --archived': ['GET', '/campaigns?archived=true&limit=20'],
  }

  it.for(Object.entries(requests))('Become a request: %s', async ([words, [method, path, body]]) => {
    expect(await askedBy(words)).toEqual({ method, path, ...(body && { body }) })
  })

  it('Hours are merged day by day, and other days are not sent', async () => {
    const lunch = [
      ['09:00', '12:30'],
      ['13:30', '18:00'],
    ]
    const hours = ['--hours', 'fri-sat 09:00-12:30 13:30-18:00', '--hours', 'sat,sun closed']
    const { body } = await askedBy('campaign set demo', ...hours, '--appointment-hours', 'daily 10:00-12:00')
    expect(body.callingHours).toEqual({ fri: lunch, sat: [], sun: [] })
    expect(Object.keys(body.appointmentHours)).toHaveLength(7)
  })

  it.each([
    ['9-17', ['09:00', '17:00']],
    ['9:30-17:5', ['09:30', '17:5']],
    ['0-24', ['00:00', '24:00']],
    ['009-17', ['009', '17:00']],
  ])('The hours %s are read as clock times where they are some', async (written, window) => {
    const { body } = await askedBy('campaign set demo', '--hours', `mon ${written}`)
    expect(body.callingHours).toEqual({ mon: [window] })
  })

  it('A command that sets hours says which hours it leaves as they were', async () => {
    const week = Object.fromEntries(
      ['mon', 'tue', 'wed', 'thu', 'fri'].map((day) => [day, [['09:00', '17:00']]]),
    )
    const after = played({ callingHours: { ...week, sat: [['00:00', '24:00']], sun: [['00:00', '24:00']] } })
    const closed = played({
      callingHours: {
        ...week,
        sat: [
          ['10:00', '12:00'],
          ['13:00', '14:00'],
        ],
        sun: [],
      },
    })
    const { run } = await startService(after, closed, played({}))
    const stderrOf = async (...hours: string[]) => (await run('campaign set demo', ...hours)).stderr
    expect(await stderrOf('--hours', 'mon-fri 9-17')).toBe('--hours: sat, sun stay 00:00-24:00\n')
    expect(await stderrOf('--hours', 'mon-fri 9-17')).toBe(
      '--hours: sat stays 10:00-12:00 13:00-14:00; sun stays closed\n',
    )
    expect(await stderrOf('--hours', 'mon-sat 9-17', '--appointment-hours', 'daily 8-21')).toBe(
      '--hours: sun stays as before\n',
    )
    expect(await stderrOf('--hours', 'default')).toBe('')
    expect(await stderrOf('--paused', 'yes')).toBe('')
  })

  it('A grace period becomes the time when it ends', async () => {
    const before = Date.now()
    for (const [more, ms] of [
      [[], 86_400_000],
      [['--grace', '1h'], 3_600_000],
    ] as const) {
      const { body } = await askedBy('webhook rotate wh_1', ...more)
      const endsAtMs = Date.parse(body.previousExpiresAt)
      expect(endsAtMs - before).toBeGreaterThanOrEqual(ms)
      expect(endsAtMs - Date.now()).toBeLessThanOrEqual(ms)
    }
  })

  it('JSON is sent as it was typed, with all digits of its numbers', async () => {
    const { asked, run } = await startService()
    await run('lead create +14155550100 --campaign demo --metadata', '{"n":12345678901234567890}')
    expect(asked[0]?.body).toContain('"metadata":{"n":12345678901234567890}')
  })
})
