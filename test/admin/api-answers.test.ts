// The commands that the API description gives, over a service that is played: what they print of mistakes and answers,
// and how a write is repeated.
import { PassThrough } from 'node:stream'
import { describe, expect, it, vi } from 'vitest'
import { entryCsv, entryJson, recordCsvHeader } from '../../src/queue/consents/record-format.ts'
import type { RecordEntry } from '../../src/queue/consents/store/record.ts'
import { played, startService } from './played-service.ts'

describe('A mistake', () => {
  const mistakes: Record<string, RegExp> = {
    'campaign set demo': /nothing to set/,
    'campaign set --name Spring': /required option '--campaign <value>' not specified/,
    'campaign set demo --max-attempts many': /'--max-attempts <value>' argument 'many' is invalid.+a number/,
    'campaign set demo --hours mon': /days and hours/,
    'campaign set demo --hours mon-foo': /days and hours/,
    'campaign set demo --lease 29': /'29' is invalid.+30s, 24h/,
    'campaign set demo --min-gap 90s': /whole minutes/,
    'campaign set demo --outcome busy': /<outcome>=<class>:<minutes>/,
    'campaign set demo --paused maybe': /yes or no/,
    'campaign set one two --name Spring': /too many arguments|one word too many/,
    'key create --name crm --scope admin': /'admin' is invalid.+read, write/,
    'key create --name crm': /required option '--scope <value>' not specified/,
    'key revoke key_1': /nobody can be asked without a terminal: add --yes/,
    'company restore acme --to 2027-01-01T00:00:00Z': /nobody can be asked/,
    'company move acme --to own': /nobody can be asked/,
    'lead create +14155550100 --campaign demo --metadata {': /must be JSON/,
    'lead requeue ld_1 --status exhausted': /option '--status' does not go with the others/,
    'lead requeue': /required option '--lead <value>' not specified/,
    'lead erase ld_1': /nobody can be asked without a terminal: add --yes/,
  }

  it.for(Object.entries(mistakes))(
    'A mistake is one line, and nothing is sent: %s',
    async ([words, said]) => {
      const { asked, run } = await startService()
      const { exitCode, stdout, stderr } = await run(words)
      expect({ exitCode, stdout, asked }).toEqual({ exitCode: 1, stdout: '', asked: [] })
      expect(stderr).toMatch(/^error: .+\n$/)
      expect(stderr).toMatch(said)
    },
  )

  it('A refusal of the service is one line', async () => {
    const { url, run } = await startService({ status: 404, data: '' })
    expect(await run('webhook show wh_1')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `error: ${url} answered 404 Not now\n`,
    })
  })

  it('A restore on a local service says why it cannot be, and any other refusal is said as it is', async () => {
    const refused = (code: string) => startService({ status: 409, data: '', code })
    const restore = 'company restore acme --to 2026-11-20T09:00:00Z --yes'
    const { url, run } = await refused('restore_refused')
    expect((await run(restore)).stderr).toBe(
      `error: ${url} answered 409 Not now: a local service keeps no earlier states. Only one on ` +
        `Cloudflare can be restored\n`,
    )
    const shared = await refused('store_shared')
    expect((await shared.run(restore)).stderr).toBe(`error: ${shared.url} answered 409 Not now\n`)
  })

  it('A test event that was not delivered is a failure', async () => {
    const { run } = await startService(played({ status: 500, milliseconds: 8, error: 'answered 500' }))
    expect(await run('webhook test wh_1')).toMatchObject({ exitCode: 1, stderr: 'error: answered 500\n' })
  })
})

describe('A list', () => {
  const lead = (id: string, name: string) => ({
    _id: id,
    phoneNumber: '+14155550100',
    metadata: { name },
    attempts: 0,
  })
  const pages = () =>
    startService(played({ leads: [lead('ld_1', 'Ada')], count: 1, nextCursor: 'next' }), {
      data: '{"leads":[{"_id":"ld_2","metadata":{"n":12345678901234567890}}],"count":1,"nextCursor":null}',
    })

  it('A list is one page, and says how to get the next one', async () => {
    const { asked, run } = await pages()
    const { stdout, stderr } = await run('lead list --campaign demo')
    expect(stdout.split('\n')[1]).toMatch(/^ld_1 +\+14155550100 +- /)
    expect(stderr).toBe('There are more: --cursor next, or --all\n')
    expect(asked.map(({ path }) => path)).toEqual(['/leads?campaignId=demo&limit=20'])
  })

  it('An empty list names what it has none of, in the plural', async () => {
    const { run } = await startService(played({ activity: [], nextCursor: null }), played({ sources: [] }))
    expect((await run('activity list')).stdout).toBe('No activities.\n')
    expect((await run('source list --campaign demo')).stdout).toBe('No sources.\n')
  })

  it('A list is followed to its end with --all, and JSON keeps all digits', async () => {
    const { asked, run } = await pages()
    const { stdout } = await run('lead list --campaign demo --all --json')
    expect(asked.map(({ path }) => path)).toEqual([
      '/leads?campaignId=demo&limit=1000',
      '/leads?campaignId=demo&limit=1000&cursor=next',
    ])
    expect(stdout).toContain('12345678901234567890')
    expect(JSON.parse(stdout)).toMatchObject({ leads: [{ _id: 'ld_1' }, { _id: 'ld_2' }], nextCursor: null })
  })

  it('Events are followed until the log ends, over pages without any', async () => {
    const event = { id: 'evt_2', type: 'key.created', timestamp: 'then', actor: 'operator', data: {} }
    const { asked, run } = await startService(
      played({ events: [], next: 'evt_1' }),
      played({ events: [event], next: 'evt_2' }),
      played({ events: [], next: 'evt_2' }),
    )
    const { stdout } = await run('event list --all')
    expect(stdout).toContain('key.created')
    expect(asked).toHaveLength(3)
  })

  it('A list is CSV of all pages that a spreadsheet does not run', async () => {
    const number = { phoneNumber: '+14155550100', campaignId: null, createdAt: 'then' }
    const { run } = await startService(
      played({ suppressions: [{ ...number, reason: '=1+1' }], nextCursor: 'next' }),
      played({ suppressions: [{ ...number, reason: 'a,b' }], nextCursor: null }),
    )
    const { stdout } = await run('suppression list --csv')
    expect(stdout).toBe(
      'phoneNumber,campaignId,reason,createdAt\n+14155550100,,\'=1+1,then\n+14155550100,,"a,b",then\n',
    )
  })

  it('A record is followed by the cursor in its body, and is the CSV that the service has for it', async () => {
    const entries: RecordEntry[] = [
      {
        type: 'lead',
        atMs: 0,
        members: JSON.stringify({ leadId: 'ld_1', campaignId: 'spring' }),
        json: '{"phoneNumber":"+14155550100","metadata":{"a":"=1"}}',
      },
      {
        type: 'consent',
        atMs: 1,
        members: JSON.stringify({ consentId: 'cn_1', source: { url: 'https://a.example', ip: null } }),
        json: null,
      },
    ]
    const pageOf = (entry: RecordEntry, nextCursor: string | null) =>
      played({ entries: [JSON.parse(entryJson(entry))], keptUntil: null, nextCursor })
    const [first, second] = entries as [RecordEntry, RecordEntry]
    const { asked, run } = await startService(pageOf(first, 'next'), pageOf(second, null))
    const { stdout } = await run('consent record +14155550100 --csv')
    expect(stdout).toBe([recordCsvHeader, ...entries.map(entryCsv)].join('').replaceAll('\r\n', '\n'))
    expect(stdout).toContain('https://a.example')
    expect(asked.map(({ path, body }) => [path, JSON.parse(body)])).toEqual([
      ['/numbers/record', { phoneNumber: '+14155550100' }],
      ['/numbers/record', { phoneNumber: '+14155550100', cursor: 'next' }],
    ])
  })

  it('An answer with several lists has a line for each item', async () => {
    const consent = { purpose: 'phone-offers', givenAt: 'then', text: null, source: { ip: '203.0.113.7' } }
    const { run } = await startService(played({ consents: [consent, consent], withdrawals: [] }))
    expect((await run('consent search +14155550100')).stdout).toBe(
      'consents 1   purpose phone-offers, given then, source ip 203.0.113.7\n' +
        'consents 2   purpose phone-offers, given then, source ip 203.0.113.7\n' +
        'withdrawals  -\n',
    )
  })

  it('A key that is revoked has a line for each that it made, and says when no manager is left', async () => {
    const members = ['ada', 'eve'].map((name) => ({ memberId: `mem_${name}`, name, removedAt: null }))
    const created = { keys: [], webhooks: [{ webhookId: 'wh_1', disabledAt: 'then' }], members }
    const { asked, run } = await startService(
      played({ keyId: 'key_1', revokedAt: 'now', created, noManagerLeft: true }),
    )
    expect((await run('key revoke key_1 --with-created --yes')).stdout).toBe(
      'key                 key_1\n' +
        'revoked             now\n' +
        'created keys        -\n' +
        'created webhooks 1  webhook wh_1, disabled then\n' +
        'created members 1   member mem_ada, name ada\n' +
        'created members 2   member mem_eve, name eve\n' +
        'no manager left     true\n',
    )
    expect(asked).toHaveLength(1)
  })

  it('Work in parts is repeated to its end with --all, and summed', async () => {
    const { asked, run } = await startService(
      played({ requeued: 1000, skipped: 2, more: true }),
      played({ requeued: 1, skipped: 0, more: false }),
    )
    const words = 'lead requeue --campaign demo --status exhausted --since 2027-01-01T00:00:00Z --all --json'
    expect(JSON.parse((await run(words)).stdout)).toEqual({ requeued: 1001, skipped: 2, more: false })
    expect(asked).toHaveLength(2)
  })

  it('A list sends no control character of a client to the terminal, and changes no value for a program', async () => {
    const externalId = '\u001b[2J\u009b31m\u202e'
    const list = () =>
      startService(played({ leads: [{ ...lead('ld_1', 'Ada'), externalId }], nextCursor: null }))
    const { stdout } = await (await list()).run('lead list --campaign demo')
    expect(stdout).toContain('\\u001b[2J\\u009b31m\\u202e')
    expect(stdout).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u)
    const json = (await (await list()).run('lead list --campaign demo --json')).stdout
    expect(JSON.parse(json).leads[0].externalId).toBe(externalId)
  })
})

describe('A write', () => {
  const made = { keyId: 'key_1', key: 'lk_secret', name: 'crm' }

  it('A write is repeated as it was when its answer is lost or the service is down', async () => {
    const { asked, run } = await startService('lost', { status: 503, data: '' }, played({ leadId: 'ld_1' }))
    const { exitCode, stderr } = await run('lead create +14155550100 --campaign demo')
    expect([exitCode, asked.length, new Set(asked.map(({ idempotencyKey }) => idempotencyKey)).size]).toEqual(
      [0, 3, 1],
    )
    expect(stderr).toMatch(/retrying in \d+ s/)
  })

  it('A write is not repeated when that would do it twice', async () => {
    const { asked, run } = await startService('lost', played({}))
    expect((await run('webhook add https://example.com/')).exitCode).toBe(1)
    expect(asked).toHaveLength(1)
  })

  it('What was deleted by a request whose answer was lost is deleted', async () => {
    const { run } = await startService('lost', { status: 404, data: '' })
    expect(await run('webhook remove wh_1')).toMatchObject({ exitCode: 0 })
  })

  it('A write shows a secret once, on a line of its own', async () => {
    const { run } = await startService(played({ webhookId: 'wh_1', secret: 'whsec_1' }))
    const { stdout } = await run('webhook add https://example.com/')
    expect(stdout).toBe('webhook  wh_1\nThe secret is shown this once:\nwhsec_1\n')
  })

  it('A command fails and says so when the answer with the secret was lost', async () => {
    const { run } = await startService('lost', played({ keyId: 'key_1', key: null }))
    const { exitCode, stdout, stderr } = await run('key create --name crm --scope read')
    expect([exitCode, stdout]).toEqual([1, 'key  key_1\n'])
    expect(stderr).toMatch(
      /error: the answer with the key was lost, and it is not shown again: make another\n$/,
    )
  })

  it('A command repeats a step of a restore until it is complete', async () => {
    const { asked, run } = await startService(
      played({ complete: false, keepId: 'first' }),
      played({ complete: true, keepId: 'first' }),
    )
    expect(await run('event keep --to 2027-01-01T00:00:00Z')).toMatchObject({ exitCode: 0 })
    const to = '2027-01-01T00:00:00Z'
    expect(asked.map(({ body }) => JSON.parse(body))).toEqual([{ to }, { to, keepId: 'first' }])
  })

  it('A write asks a person before it cannot be undone', async () => {
    for (const [typed, exitCode, requests] of [
      ['y\n', 0, 1],
      ['n\n', 1, 0],
      ['\n', 1, 0],
    ] as const) {
      const terminal = Object.assign(new PassThrough(), { isTTY: true })
      const stdin = vi.spyOn(process, 'stdin', 'get').mockReturnValue(terminal as never)
      terminal.write(typed)
      const { asked, run } = await startService(played(made))
      const finished = await run('lead erase --phone-number +14155550100')
      stdin.mockRestore()
      expect([finished.exitCode, asked.length]).toEqual([exitCode, requests])
      expect(finished.stderr).toContain('Erase a person: +14155550100. Go on? [y/N]')
    }
  })
})

describe('One thing', () => {
  const move = {
    companyId: 'acme',
    phase: 'copying',
    rows: 18_000,
    frozenSeconds: 2.3,
    goesOnWithinSeconds: 60,
    problem: null,
  }

  it('A length of time has its unit behind its value, not in its name', async () => {
    const { run } = await startService(played(move))
    const { stdout } = await run('company move-state acme')
    expect(stdout).toMatch(/^goes on within +60 s$/m)
    expect(stdout).toMatch(/^frozen +2\.3 s$/m)
    expect(stdout).toMatch(/^rows +18000$/m)
    const none = await startService(played({ ...move, goesOnWithinSeconds: null }))
    expect((await none.run('company move-state acme')).stdout).toMatch(/^goes on within +-$/m)
  })

  it('A size has its unit, and a number of calls in so many days has none', async () => {
    const { run } = await startService(
      played({
        id: 'spring',
        sizeBytes: 4096,
        consentYears: 5,
        numberLimits: { minGapMinutes: 60, per7Days: 5 },
      }),
    )
    const { stdout } = await run('campaign set spring --name Spring')
    expect(stdout).toMatch(/^size +4096 bytes$/m)
    expect(stdout).toMatch(/^consent years +5$/m)
    expect(stdout).toMatch(/^number limits min gap +60 min$/m)
    expect(stdout).toMatch(/^number limits per 7 days +5$/m)
  })

  it('A new company names its first manager', async () => {
    const { asked, run } = await startService(played({ companyId: 'acme', manager: 'ada@example.com' }))
    const { stdout } = await run('company create --id acme --name Acme --manager Ada@Example.com')
    expect(JSON.parse(asked[0]?.body ?? '')).toMatchObject({ manager: 'Ada@Example.com' })
    expect(stdout).toMatch(/^manager +ada@example\.com$/m)
  })
})
