// The worker of the console's import, outside of a browser: numbers that a file says not to call are on the list before its
// first lead is sent, also when an import resumes.
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Choices, FromWorker, ToWorker } from '../../../src/console/import/import-messages.ts'

type ImportState = { readonly importId: string }
const states = new Map<string, ImportState>()
/** Its types are those of a page. */
const workerFile: string = '../../../src/console/import/import-worker.ts'

vi.mock('../../../src/console/import/import-state.ts', () => ({
  saveImport: async (state: ImportState) => states.set(state.importId, state),
  findImport: async (isWanted: (state: ImportState) => boolean) => [...states.values()].find(isWanted),
  invalidRowsOf: async () => [],
  forgetImport: async (importId: string) => states.delete(importId),
}))

type Sent = { readonly path: string; readonly body: Record<string, unknown> }

/** A worker whose service answers as `answer` says; null: as the service does. */
async function startWorker(isOfCompany: boolean, answer: (sent: Sent) => number | null = () => null) {
  let handle: ((event: { data: ToWorker }) => unknown) | undefined
  const messages: FromWorker[] = []
  const sent: Sent[] = []
  vi.stubGlobal('addEventListener', (_: string, given: typeof handle) => (handle = given))
  vi.stubGlobal('postMessage', (message: FromWorker) => messages.push(message))
  vi.stubGlobal('location', { origin: 'https://leads.example' })
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const one = { path: new URL(url).pathname, body: JSON.parse(String(init.body)) as Sent['body'] }
    sent.push(one)
    const status = answer(one) ?? 200
    if (status !== 200) return Response.json({ success: false, data: null, error: 'Not now' }, { status })
    const leads = (one.body.leads ?? []) as object[]
    const results = leads.map((_, index) => ({ index, status: 'created', leadId: `l${index}` }))
    return Response.json({ success: true, data: { results }, error: null })
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  vi.resetModules()
  await import(workerFile)
  const say = async (data: ToWorker) => {
    await handle?.({ data })
    return messages.at(-1)
  }
  const target = { companyId: 'acme', campaignId: 'spring', isOfCompany }
  return {
    sent,
    messages,
    say,
    /** Opens the file and checks it as its columns are guessed. */
    async check(text: string, chosen: Partial<Choices> = {}) {
      const file = new File([text], 'leads.csv')
      const opened = await say({
        kind: 'open',
        file,
        target,
        campaignZone: null,
        hasHeader: undefined,
        form: {},
      })
      if (opened?.kind !== 'opened') throw new Error(JSON.stringify(opened))
      const { meanings } = opened
      const checked = await say({
        kind: 'check',
        turn: 1,
        meanings,
        choices: { ...opened.choices, ...chosen },
      })
      if (checked?.kind !== 'checked') throw new Error(JSON.stringify(checked))
      return { ...checked, meanings }
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
  const { check, meanings } = await worker.check(text, { doNotCall })
  expect(meanings).toEqual(['phoneNumber', 'doNotCall'])
  expect(check).toMatchObject({
    rows: 5,
    valid: 1,
    invalid: 2,
    held: 2,
    nos: 1,
    unreadableNos: 1,
    overruled: [],
  })
  const tally = { rows: 5, created: 1, existing: 0, repeated: 0, invalid: 2, do_not_call: 2, suppressed: 0 }
  expect(await worker.send()).toEqual({ kind: 'done', tally })
  expect(worker.sent).toEqual([
    { path: '/api/v1/suppressions', body: { phoneNumbers: [numberOf(1)], campaignId, reason } },
    {
      path: '/api/v1/leads/bulk',
      body: { campaignId: 'spring', leads: [{ phoneNumber: numberOf(2) }] },
    },
  ])
})

it('Rows that say no are left out, and no number is suppressed, where a person says so', async () => {
  const worker = await startWorker(true)
  await worker.check(text, { doNotCall: 'skip' })
  expect(await worker.send()).toMatchObject({ kind: 'done', tally: { created: 1, do_not_call: 2 } })
  expect(worker.sent.map(({ path }) => path)).toEqual(['/api/v1/leads/bulk'])
})

it('No lead is sent when the numbers that say no cannot be suppressed', async () => {
  const worker = await startWorker(true, ({ path }) => (path.endsWith('suppressions') ? 403 : null))
  await worker.check(text)
  expect(await worker.send()).toMatchObject({
    kind: 'stopped',
    tally: { rows: 0 },
    reason: 'The numbers that say do not call were not suppressed, so no lead was sent: Not now',
  })
  expect(worker.sent.map(({ path }) => path)).toEqual(['/api/v1/suppressions'])
})

it('An import that resumes suppresses first, too, and sends no row of a number that a later row says no of', async () => {
  const rows = Array.from({ length: 1500 }, (_, index) => `${numberOf(index)},`)
  const many = file(...rows, `${numberOf(3)},yes`, `${numberOf(1400)},1`)
  const broken = await startWorker(true, ({ path, body }) =>
    path.endsWith('bulk') && (body.leads as object[]).length < 900 ? 400 : null,
  )
  await broken.check(many)
  expect(await broken.send()).toMatchObject({ kind: 'stopped', reason: 'Not now' })
  const mended = await startWorker(true)
  const { earlier } = await mended.check(many)
  expect(earlier?.tally.rows).toBeGreaterThan(900)
  expect(await mended.send(false)).toMatchObject({
    kind: 'done',
    tally: { rows: 1502, created: 1498, do_not_call: 4 },
  })
  const both = [numberOf(3), numberOf(1400)]
  expect(mended.sent[0]).toEqual({
    path: '/api/v1/suppressions',
    body: { phoneNumbers: both, campaignId: null, reason },
  })
  const leads = [...broken.sent, ...mended.sent].flatMap(
    ({ body }) => (body.leads ?? []) as { phoneNumber: string }[],
  )
  expect(leads.filter(({ phoneNumber }) => both.includes(phoneNumber))).toEqual([])
})

it('A column that says no and is kept as metadata is named, with every row a lead', async () => {
  const worker = await startWorker(true)
  await worker.check(text)
  const choices = { country: null, turnedOff: [], dates: null, timeZone: 'UTC', hasHeader: true }
  const checked = await worker.say({ kind: 'check', turn: 2, meanings: ['phoneNumber', 'keep'], choices })
  expect(checked).toMatchObject({ check: { held: 0, nos: 0, overruled: ['DNC'] } })
})
