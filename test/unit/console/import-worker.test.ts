// The worker of the console's import, outside of a browser: numbers that a file says not to call are on the list before
// its first lead is sent, also when an import resumes.
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Choices, FromWorker, ToWorker } from '../../../src/console/import/import-messages.ts'

type ImportState = { readonly importId: string }
const states = new Map<string, ImportState>()
/** While the worker looks for an earlier import. */
let whileLooking: (() => void) | null = null
/** Each is a module of its own, as each page has one. Its types are those of a page. */
let workers = 0
const newWorkerFile = (): string => `../../../src/console/import/import-worker.ts?${++workers}`

vi.mock('../../../src/console/import/import-state.ts', () => ({
  saveImport: async (state: ImportState) => states.set(state.importId, state),
  findImport: async (isWanted: (state: ImportState) => boolean) => {
    whileLooking?.()
    return [...states.values()].find(isWanted)
  },
  invalidRowsOf: async () => [],
  forgetImport: async (importId: string) => states.delete(importId),
}))

type Sent = { readonly path: string; readonly body: Record<string, unknown> }
type View = Extract<FromWorker, { kind: 'view' }>['view']

/**
 * A worker whose service answers with the status that `answer` says; null: as the service does; 206: without the last
 * row.
 */
async function startWorker(isOfCompany: boolean, answer: (sent: Sent) => number | null = () => null) {
  let handle: ((event: { data: ToWorker }) => unknown) | undefined
  const messages: FromWorker[] = []
  const sent: Sent[] = []
  /** The leads of each dry run. */
  const tried: unknown[] = []
  /** Of all others. */
  const keys: (string | null)[] = []
  const names: (string | null)[] = []
  vi.stubGlobal('addEventListener', (_: string, given: typeof handle) => (handle = given))
  vi.stubGlobal('postMessage', (message: FromWorker) => messages.push(message))
  vi.stubGlobal('location', { origin: 'https://leads.example' })
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const one = { path: new URL(url).pathname, body: JSON.parse(String(init.body)) as Sent['body'] }
    if (url.includes('dryRun=true')) tried.push(one.body.leads)
    else {
      sent.push(one)
      keys.push(new Headers(init.headers).get('idempotency-key'))
      if ('leads' in one.body) names.push(new Headers(init.headers).get('x-import-name'))
    }
    const status = answer(one) ?? 200
    if (status > 206) return Response.json({ success: false, data: null, error: 'Not now' }, { status })
    const leads = (one.body.leads ?? []) as object[]
    const results = leads.map((_, index) => ({ index, status: 'created', leadId: `l${index}` }))
    if (status === 206) results.pop()
    return Response.json({ success: true, data: { results }, error: null })
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  await import(newWorkerFile())
  /** What the page shows then of what is new. */
  const say = async (data: ToWorker): Promise<View> => {
    const before = messages.length
    await handle?.({ data })
    const views = messages.slice(before).map((message) => (message.kind === 'view' ? message.view : {}))
    return Object.assign({}, ...views)
  }
  const target = { companyId: 'acme', campaignId: 'spring', isOfCompany }
  let opened: View
  const check = async (chosen: Partial<Choices> = {}) => {
    const { meanings = [], choices } = opened
    if (choices === undefined) throw new Error(JSON.stringify(opened))
    const choice = { ...choices, ...chosen }
    const view = await say({ kind: 'check', turn: 1, key: 'lk_x', meanings, choices: choice })
    return { ...view, meanings }
  }
  return {
    sent,
    keys,
    names,
    tried,
    say,
    check,
    /** Opens the file and checks it as its columns are guessed. */
    async open(text: string, chosen: Partial<Choices> = {}, name = 'leads.csv') {
      const file = new File([text], name)
      const question = { campaignZone: null, hasHeader: undefined, form: {} }
      opened = await say({ kind: 'open', file, target, ...question })
      return check(chosen)
    },
    send: (fromStart = true) => say({ kind: 'send', key: 'lk_x', fromStart }),
  }
}

const numberOf = (index: number) => `+1415${5_550_000 + index}`
const file = (...rows: string[]) => ['phone,DNC', ...rows].join('\n')
const text = file(`${numberOf(1)},`, `${numberOf(2)},no`, `${numberOf(1)},yes`, '0155,x', `${numberOf(3)},?`)
const reason = 'do-not-call column of an import'

it.each([
  ['the company', true, undefined, null],
  ['the campaign that a person chose', true, 'campaign', 'spring'],
  ['the campaign of its key', false, undefined, 'spring'],
  ['the campaign of its key, whatever was chosen', false, 'company', 'spring'],
] as const)('Numbers that say no are suppressed before the first lead is sent, in %s', async (...given) => {
  const [, isOfCompany, doNotCall, campaignId] = given
  const worker = await startWorker(isOfCompany)
  const { check, meanings } = await worker.open(text, { doNotCall })
  expect(meanings).toEqual(['phoneNumber', 'doNotCall'])
  expect(check).toMatchObject({
    rows: 5,
    valid: 1,
    invalid: 2,
    held: 2,
    nos: 1,
    unreadableDoNotCall: 1,
    overruled: [],
  })
  const tally = { rows: 5, created: 1, existing: 0, repeated: 0, invalid: 2, do_not_call: 2, suppressed: 0 }
  expect(await worker.send()).toMatchObject({ step: 'done', tally, isSending: false })
  expect(worker.sent).toEqual([
    { path: '/api/v1/suppressions', body: { phoneNumbers: [numberOf(1)], campaignId, reason } },
    {
      path: '/api/v1/leads/bulk',
      body: { campaignId: 'spring', leads: [{ phoneNumber: numberOf(2) }] },
    },
  ])
})

it('The leads of a file are sent with its name, as much of it as the service takes', async () => {
  const worker = await startWorker(true)
  await worker.open(file(`${numberOf(1)},`), {}, `Käufer ${'x'.repeat(100)}.csv`)
  await worker.send()
  expect(worker.names).toEqual([`K%C3%A4ufer%20${'x'.repeat(93)}`])
})

it('Numbers that say no are suppressed and counted as the file has them, and no row of another spelling is sent', async () => {
  const worker = await startWorker(true)
  const { check } = await worker.open(
    file('+525512345678,', '+52 1 55 1234 5678,yes', '+525512345679,', '+551187654321,x'),
  )
  expect(check).toMatchObject({ valid: 1, invalid: 0, held: 3, nos: 2, unreadableDoNotCall: 0 })
  expect(await worker.send()).toMatchObject({ step: 'done', tally: { created: 1, do_not_call: 3 } })
  expect(worker.sent.map(({ body: { phoneNumbers, leads } }) => phoneNumbers ?? leads)).toEqual([
    ['+5215512345678', '+551187654321'],
    [{ phoneNumber: '+525512345679' }],
  ])
})

it('A number that says no is read however it is written, whatever corrections are turned off for leads', async () => {
  const worker = await startWorker(true)
  const rows = file('+14155550001,', '+1 415 555 0001,yes', '+1 415 555 0002,', '+14155550003,')
  const { check } = await worker.open(rows, { turnedOff: ['punctuation'] })
  expect(check).toMatchObject({ valid: 1, invalid: 1, held: 2, nos: 1, unreadableDoNotCall: 0 })
})

it('A number that says no and is in use in no country is shown as such, and on no list where that is turned off', async () => {
  const worker = await startWorker(true)
  const rows = file('+1 711 234 567,yes', '+14155550002,', '+14155550003,yes')
  const { check } = await worker.open(rows)
  expect(check).toMatchObject({ held: 2, nos: 2, changes: [{ name: 'unknown', count: 1 }] })
  const other = await startWorker(true)
  const { check: without } = await other.open(rows, { turnedOff: ['unknown'] })
  expect(without).toMatchObject({ held: 1, nos: 1, unreadableDoNotCall: 1, changes: [] })
})

it('A no counts for the number in the column that is used instead, too, whatever is in the first', async () => {
  const worker = await startWorker(true)
  const rows = [
    'Mobile,phone,DNC',
    `${numberOf(2)},${numberOf(1)},yes`,
    `${numberOf(2)},,no`,
    `${numberOf(3)},,`,
  ]
  rows.push(`${numberOf(4)},${numberOf(5)},`, 'The end')
  await worker.open(rows.join('\n'))
  const { check } = await worker.check({ insteadPlace: 0 })
  expect(check).toMatchObject({ valid: 2, invalid: 1, held: 2, nos: 2, unreadableDoNotCall: 0 })
  expect(await worker.send()).toMatchObject({ step: 'done', tally: { created: 2, do_not_call: 2 } })
  expect(worker.sent.map(({ body: { phoneNumbers, leads } }) => phoneNumbers ?? leads)).toMatchObject([
    [numberOf(1), numberOf(2)],
    [{ phoneNumber: numberOf(3) }, { phoneNumber: numberOf(5) }],
  ])
})

it('No row of a number is sent of which another row says neither yes nor no, and it is not suppressed', async () => {
  const worker = await startWorker(true)
  const rows = ['phone,Mobile,DNC', `${numberOf(1)},,`, `${numberOf(1)},${numberOf(2)},?`, `,${numberOf(2)},`]
  await worker.open([...rows, `${numberOf(3)},,`].join('\n'))
  const { check, problems } = await worker.check({ insteadPlace: 1 })
  expect(check).toMatchObject({ valid: 1, invalid: 3, held: 0, nos: 0, unreadableDoNotCall: 0 })
  const another = 'Another row of this number may say do not call: correct that row first.'
  expect(problems?.map(({ problem }) => problem)).toEqual([another, 'Do-not-call: yes or no?', another])
  expect(await worker.send()).toMatchObject({ step: 'done', tally: { created: 1, invalid: 3 } })
  expect(worker.sent.map(({ body: { leads } }) => leads)).toEqual([[{ phoneNumber: numberOf(3) }]])
})

it('A row of the wrong length that may say no is shown in red, and no row of its number is sent', async () => {
  const worker = await startWorker(true)
  const rows = [
    'phone,name,DNC',
    `${numberOf(1)},Lovelace, Ada,yes`,
    `${numberOf(1)},Ada,`,
    `${numberOf(2)},Bob,`,
  ]
  const { check, problems } = await worker.open(rows.join('\n'))
  expect(check).toMatchObject({ valid: 1, invalid: 2, held: 0, nos: 0, unreadableDoNotCall: 1 })
  expect(problems).toMatchObject([
    { row: 2, problem: 'The row has 4 columns instead of 3, and the row may say do not call.' },
    { row: 3, problem: 'Another row of this number may say do not call: correct that row first.' },
  ])
  expect(await worker.send()).toMatchObject({ step: 'done', tally: { created: 1, invalid: 2 } })
  expect(worker.sent.map(({ body: { leads } }) => leads)).toEqual([
    [{ phoneNumber: numberOf(2), metadata: { name: 'Bob' } }],
  ])
})

it('Another column of numbers is offered also where only rows that say no have none in the first', async () => {
  const worker = await startWorker(true)
  const { check } = await worker.open(file('+14155550001,', ',yes'))
  expect(check).toMatchObject({ hasEmptyNumbers: true, unreadableDoNotCall: 1 })
})

it('Rows that say no are left out, and no number is suppressed, where a person says so', async () => {
  const worker = await startWorker(true)
  await worker.open(text, { doNotCall: 'skip' })
  expect(await worker.send()).toMatchObject({ step: 'done', tally: { created: 1, do_not_call: 2 } })
  expect(worker.sent.map(({ path }) => path)).toEqual(['/api/v1/leads/bulk'])
})

it('No lead is sent when the numbers that say no cannot be suppressed', async () => {
  const worker = await startWorker(true, ({ path }) => (path.endsWith('suppressions') ? 403 : null))
  await worker.open(text)
  expect(await worker.send()).toMatchObject({
    isSending: false,
    tally: { rows: 0 },
    failure: 'The numbers that say do not call were not suppressed, so no lead was sent: Not now',
  })
  expect(worker.sent.map(({ path }) => path)).toEqual(['/api/v1/suppressions'])
})

it('An import that resumes suppresses first, too, and sends no row of a number that a later row says no of', async () => {
  const rows = Array.from({ length: 1500 }, (_, index) => `${numberOf(index)},`)
  const many = file(...rows, `${numberOf(3)},yes`, `${numberOf(1400)},1`)
  const broken = await startWorker(true, ({ path, body }) =>
    path.endsWith('bulk') && (body.leads as object[]).length < 900 ? 400 : null,
  )
  await broken.open(many)
  expect(await broken.send()).toMatchObject({ isSending: false, failure: 'Not now' })
  const again = await startWorker(true)
  const { earlier } = await again.open(many)
  expect(earlier?.tally.rows).toBeGreaterThan(900)
  expect(await again.send(false)).toMatchObject({
    step: 'done',
    tally: { rows: 1502, created: 1498, do_not_call: 4 },
  })
  const both = [numberOf(3), numberOf(1400)]
  expect(again.sent[0]).toEqual({
    path: '/api/v1/suppressions',
    body: { phoneNumbers: both, campaignId: null, reason },
  })
  const leads = [...broken.sent, ...again.sent].flatMap(
    ({ body }) => (body.leads ?? []) as { phoneNumber: string }[],
  )
  expect(leads.filter(({ phoneNumber }) => both.includes(phoneNumber))).toEqual([])
})

it('A column that says no and is kept as metadata is named, with every row a lead', async () => {
  const worker = await startWorker(true)
  await worker.open(text)
  const choices = { country: null, turnedOff: [], dates: null, timeZone: 'UTC', hasHeader: true }
  const checked = await worker.say({
    kind: 'check',
    turn: 2,
    key: 'lk_x',
    meanings: ['phoneNumber', 'keep'],
    choices,
  })
  expect(checked).toMatchObject({ check: { held: 0, nos: 0, overruled: ['DNC'] } })
})

it('One dry run serves all choices that change nothing of what is sent, and none runs before a choice that is asked for', async () => {
  const worker = await startWorker(true)
  const [first, second] = [{ phoneNumber: numberOf(1) }, { phoneNumber: numberOf(2) }]
  const rows = ['phone,priority,DNC', `${numberOf(1)},,`, `${numberOf(2)},high,no`, `${numberOf(3)},,yes`]
  const { check, trial } = await worker.open(rows.join('\n'))
  expect([check?.valid, trial, worker.tried]).toEqual([1, null, []])

  const leftOut = { unusable: { priority: 'leave_out' } } as const
  const found = await worker.check(leftOut)
  expect(found.trial).toMatchObject({
    kind: 'done',
    tally: { rows: 3, created: 1, invalid: 1, do_not_call: 1 },
  })
  for (const doNotCall of ['skip', 'campaign', 'company'] as const)
    expect(await worker.check({ ...leftOut, doNotCall })).toMatchObject({ trial: found.trial })
  expect(worker.tried).toEqual([[first]])

  const ignored = await worker.check({ unusable: { priority: 'ignore' } })
  expect(ignored.trial).toMatchObject({ kind: 'done', tally: { rows: 3, created: 2, invalid: 0 } })
  expect(worker.tried).toEqual([[first], [first, second]])
  expect(worker.sent).toEqual([])
})

it('A check that is overtaken by a newer one asks for no dry run, and the newer one does', async () => {
  const worker = await startWorker(true)
  await worker.open(['phone,priority', `${numberOf(1)},`, `${numberOf(2)},high`].join('\n'))
  let newer: ReturnType<typeof worker.check> | undefined
  whileLooking = () => {
    whileLooking = null
    newer = worker.check({ unusable: { priority: 'ignore' } })
  }
  await worker.check({ unusable: { priority: 'leave_out' } })
  expect((await newer)?.trial).toMatchObject({ kind: 'done', tally: { created: 2 } })
  expect(worker.tried).toEqual([[{ phoneNumber: numberOf(1) }, { phoneNumber: numberOf(2) }]])
})

it('A request whose answer does not name every row is sent again as it was, with its key', async () => {
  let status = 206
  const worker = await startWorker(true, () => status)
  await worker.open(['phone', numberOf(1), numberOf(2)].join('\n'))
  expect(await worker.send()).toMatchObject({ failure: 'The service does not answer as expected.' })
  status = 200
  expect(await worker.send(false)).toMatchObject({ step: 'done', tally: { rows: 2, created: 2 } })
  const [first, second] = worker.sent
  expect(second).toEqual(first)
  expect(worker.keys).toEqual([worker.keys[0], worker.keys[0]])
})
