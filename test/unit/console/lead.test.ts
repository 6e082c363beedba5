// A lead in the console: its changes in the log, the age of what is shown, and its metadata to the last digit.
import { describe, expect, it } from 'vitest'
import { findLeadEvents } from '../../../src/console/leads/lead-events.ts'
import {
  indented,
  membersOf,
  metadataOf,
  metadataOfRows,
  rowsOfMetadata,
  withMetadata,
} from '../../../src/console/leads/metadata-text.ts'
import type { Answer } from '../../../src/console/service/answer.ts'
import { clientOf } from '../../../src/console/service/client.ts'
import { dated, describeAges } from '../../../src/console/service/dated.ts'
import { UnavailableError } from '../../../src/sdk/src/errors.ts'
import type { Call, Send } from '../../../src/sdk/src/send.ts'

describe('The changes of a lead', () => {
  const service = (pages: readonly (number | null)[]) => {
    const paths: string[] = []
    const send = (async ({ path, query }: Call) => {
      const count = pages[paths.length]
      paths.push(`${path}?${new URLSearchParams(query as Record<string, string>)}`)
      if (typeof count !== 'number')
        throw new UnavailableError('Away', { status: 503, code: 'unavailable', requestId: 'r' })
      const events = Array.from({ length: count }, (_, index) => ({ id: `${paths.length} ${index}` }))
      return { data: { events, next: `evt_${paths.length}` } }
    }) as Send
    return { client: clientOf(send), paths }
  }

  it('The changes of a lead are requested by its id, so that one request is enough', async () => {
    const { client, paths } = service([2])
    expect(await findLeadEvents(client, 'abc')).toMatchObject({ isComplete: true, error: null })
    expect(paths).toEqual([
      '/api/v1/events?leadId=abc&types=lead.changed%2Clead.requeued%2Clead.refused&limit=1000',
    ])
  })

  it('The changes of a lead are read while pages are full, and are incomplete where one is missing', async () => {
    const { client, paths } = service([1000, 3])
    const { events, isComplete } = await findLeadEvents(client, 'abc')
    expect([events.length, isComplete]).toEqual([1003, true])
    expect(paths[1]).toContain('after=evt_1')
    const missing = await findLeadEvents(service([1000, null]).client, 'abc')
    expect(missing).toMatchObject({ isComplete: false, error: 'Away' })
  })
})

describe('What is shown', () => {
  const at = (time: string) => Date.parse(`2026-11-21T${time}Z`)
  const answer = (status: number, data: string | null = null) =>
    ({ status, data, error: data === null ? `Failed with ${status}.` : null }) as Answer<string>

  it('What is shown stays with its age while the service cannot be reached', () => {
    const first = dated(answer(200, 'old'), null, at('06:00:00'))
    expect(first).toEqual({ data: 'old', atMs: at('06:00:00'), problem: null })
    expect(describeAges([['lead', first]], 'Europe/Berlin')).toEqual([])
    for (const status of [0, 429, 503]) {
      const second = dated(answer(status), first, at('06:30:00'))
      const third = dated(answer(status), second, at('07:00:00'))
      expect(third).toEqual({ ...first, problem: `Failed with ${status}.` })
      const parts = [
        ['lead', third],
        ['calls', third],
        ['rest', first],
      ] as const
      expect(describeAges(parts, 'Europe/Berlin')).toEqual([
        expect.stringMatching(/^Not refreshed: lead, calls from 0?7:00.* in Berlin\. Failed with/),
      ])
      expect(dated(answer(200, 'new'), third, at('07:30:00'))?.problem).toBeNull()
    }
  })

  it('What is shown is dropped where the service denies it', () => {
    const first = dated(answer(200, 'old'), null, at('06:00:00'))
    for (const status of [403, 404]) expect(dated(answer(status), first, at('06:30:00'))).toBeNull()
    expect(dated(answer(503), null, at('06:30:00'))).toBeNull()
  })

  it('What is shown of a campaign names the parts that are older than the round', () => {
    const atMs = at('07:30:00')
    const from = (time: string) => dated(answer(503), dated(answer(200, 'old'), null, at(time)), atMs)
    const fresh = dated(answer(200, 'new'), from('07:00:00'), atMs)
    const parts = [
      ['statistics', from('07:00:00')],
      ['last lead', fresh],
      ['live calls', from('07:10:00')],
    ] as const
    expect(describeAges(parts, 'Europe/Berlin')).toEqual([
      expect.stringMatching(/^Not refreshed: statistics from 0?8:00.* in Berlin\. Failed with 503\.$/),
      expect.stringMatching(/^Not refreshed: live calls from 0?8:10.* in Berlin\. Failed with 503\.$/),
    ])
    expect(describeAges([['last lead', fresh]], 'UTC')).toEqual([])
  })
})

describe('Metadata', () => {
  const exact =
    '{"n":12345678901234567890,"big":1e400,"z":-0,"f":1.50,"2":1,"1":[1e400,{}],"t":"a: {\\"b\\"}, é","e":{ }}'

  it('Metadata is read, shown and changed as text', () => {
    const answer = `{"success":true,"data":{"lead":{"_id":"x","metadata":${exact},"priority":0}},"error":null}`
    expect(metadataOf(answer)).toBe(exact)
    expect(membersOf(exact)).toEqual([
      ['n', '12345678901234567890'],
      ['big', '1e400'],
      ['z', '-0'],
      ['f', '1.50'],
      ['2', '1'],
      ['1', '[1e400,{}]'],
      ['t', 'a: {"b"}, é'],
      ['e', '{ }'],
    ])
    const shown = indented(exact)
    expect(shown.split('\n').slice(0, 3)).toEqual(['{', '  "n": 12345678901234567890,', '  "big": 1e400,'])
    // Nothing but spaces between the values differs.
    expect(shown.replace(/\n */g, '').replaceAll('": ', '":')).toBe(exact.replace('{ }', '{}'))
    expect(indented(shown)).toBe(shown)
    expect(withMetadata({}, shown)).toBe(`{"metadata":${shown}}`)
    expect(withMetadata({ priority: 1 }, '{}')).toBe('{"priority":1,"metadata":{}}')
    expect(withMetadata({}, null)).toBe('{"metadata":null}')
  })

  it('Metadata is empty where the answer has none', () => {
    for (const answer of ['{"data":{"lead":{"_id":"x"}}}', '{"data":null}', '[]', ''])
      expect(metadataOf(answer)).toBe('')
    expect([membersOf(''), indented('')]).toEqual([[], ''])
  })

  it('Metadata is edited by member: text stays text, and numbers keep every digit', () => {
    const rows = rowsOfMetadata('{"n": 12345678901234567890, "big": 1e400, "name": "Ada", "o": {"a": [1]}}')
    expect(metadataOfRows(rows)).toEqual({
      json: '{"n":12345678901234567890,"big":1e400,"name":"Ada","o":{\n  "a": [\n    1\n  ]\n}}',
    })
    const edited = rows.map((row) => ({ ...row, value: row.name === 'o' ? '{}' : '42' }))
    expect(metadataOfRows(edited)).toEqual({ json: '{"n":42,"big":42,"name":"42","o":{}}' })
    expect(metadataOfRows(rows.slice(0, 1).map((row) => ({ ...row, value: '42 years' })))).toEqual({
      json: '{"n":"42 years"}',
    })
    expect(metadataOfRows([])).toEqual({ json: null })
  })

  it('Metadata is not sent with two members of a name, a value without a name, or an object that is not JSON', () => {
    const row = { name: 'a', value: 'x', isText: true, isNew: true }
    expect(metadataOfRows([row, row])).toEqual({ problem: 'Two fields have the name “a”.' })
    expect(metadataOfRows([{ ...row, name: ' ' }])).toEqual({ problem: 'Give the field with “x” a name.' })
    expect(metadataOfRows([{ ...row, name: '', value: '' }])).toEqual({ json: null })
    const broken = { ...row, isText: false, value: '{"a":1},"priority":9' }
    expect(metadataOfRows([broken])).toEqual({ problem: 'The value of “a” is not JSON.' })
  })
})
