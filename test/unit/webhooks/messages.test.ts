// What people read of an event: each maker's body by its schema, names that anybody may have chosen, and links.
import { validate } from '@cfworker/json-schema'
import { describe, expect, it } from 'vitest'
import { chatTypes, formats } from '../../../src/channels/webhooks/format.ts'
import { alertWords, type Chat, messageOf } from '../../../src/channels/webhooks/messages.ts'
import { alertKinds } from '../../../src/control/alerts/alert-kinds.ts'
import { makerSchemas } from '../../support/webhooks/maker-schemas.ts'

const chatOf = (format: Chat['format'], publicUrl = ''): Chat => ({
  format,
  companyId: 'acme',
  secrets: { routingKey: 'R'.repeat(32) },
  publicUrl,
})
const event = (type: string, data: object = {}, more: object = {}) => ({
  id: 'evt_1',
  type,
  timestamp: '2026-11-29T09:20:31.000Z',
  actor: 'key_1',
  actorName: null,
  campaignName: 'Spring',
  data: { campaignId: 'spring', ...data },
  ...more,
})
const alert = (kind: string, subject: string | null = null) => ({
  kind,
  subject,
  since: '2026-11-29T09:10:00.000Z',
})

const odd = '@everyone <!channel> <https://evil.example|x> [y](https://evil.example) *b* & \u0000\r\n`c`'

const cases = [
  ...Object.keys(alertKinds).flatMap((kind) => [
    event('alert.raised', alert(kind, 's')),
    event('alert.cleared', alert(kind, 's')),
  ]),
  event('alert.raised', { ...alert('webhook_failing', 'x'.repeat(300)), campaignId: null }),
  event('alert.raised', alert('of_a_later_version')),
  event('alert.raised', alert('agent_failing', odd), { campaignName: odd }),
  event('campaign.changed', { changed: ['timeZone', 'paused'] }, { actorName: odd }),
  event('campaign.created'),
  event('campaign.archived', { archived: true }),
  event('dialer.test_started'),
  event('webhook.test', { campaignId: undefined }),
]

it.each(formats)('Each message is as its maker takes it, with a link and without: %s', (format) => {
  for (const publicUrl of ['', 'https://leads.example.com/'])
    for (const one of cases) {
      const body = JSON.parse(JSON.stringify(messageOf(chatOf(format, publicUrl), one)))
      const { errors } = validate(body, makerSchemas[format], '2020-12')
      expect({ body, errors }).toEqual({ body, errors: [] })
      expect(JSON.stringify(body)).not.toContain('undefined')
    }
})

it('Each kind of alert has words of its own', () => {
  expect(Object.keys(alertWords).toSorted()).toEqual(Object.keys(alertKinds).toSorted())
})

const textOf = (body: object | null) => (body as { text: string }).text

describe('The sentence', () => {
  it('Says what is wrong, where, since when, and what to do; and what is over', () => {
    const raised = event('alert.raised', alert('no_agent'))
    expect(textOf(messageOf(chatOf('slack'), raised))).toBe(
      'Leads are ready and nobody calls, in the campaign Spring, since 2026-11-29 09:10 UTC. ' +
        'Start an agent, or see why the dialer does not call.',
    )
    expect(textOf(messageOf(chatOf('slack'), { ...raised, type: 'alert.cleared' }))).toBe(
      'Over: Leads are ready and nobody calls, in the campaign Spring, since 2026-11-29 09:10 UTC.',
    )
  })

  it.each([
    ['campaign.created', {}, 'The campaign Spring was created by key_1.'],
    ['campaign.archived', { archived: false }, 'The campaign Spring is no longer archived by key_1.'],
    ['campaign.changed', { changed: ['a', 'b'] }, 'The campaign Spring was changed by key_1: a, b.'],
    ['dialer.test_started', {}, 'A test call was started by key_1 in the campaign Spring.'],
  ])('Of %s', (type, data, sentence) =>
    expect(textOf(messageOf(chatOf('slack'), event(type, data)))).toBe(sentence),
  )

  it('Has a campaign’s id where it has no name', () => {
    const unnamed = event('campaign.created', {}, { campaignName: null })
    expect(textOf(messageOf(chatOf('slack'), unnamed))).toContain('The campaign spring was')
  })
})

describe('A name that somebody has chosen', () => {
  const named = event('campaign.created', {}, { campaignName: odd, actor: '' })

  it('Is escaped for Slack, so that it calls nobody and links to nothing', () => {
    const text = textOf(messageOf(chatOf('slack'), named))
    expect(text).toContain('@everyone &lt;!channel&gt; &lt;https://evil.example|x&gt;')
    expect(text).toContain('&amp;')
    expect(text).not.toMatch(/[<>\n\0]/)
  })

  it('Is escaped for Discord, which mentions nobody', () => {
    const body = messageOf(chatOf('discord'), named) as { content: string; allowed_mentions: object }
    expect(body.allowed_mentions).toEqual({ parse: [] })
    expect(body.content).toContain('\\[y\\]\\(https://evil.example\\) \\*b\\*')
  })

  it('Is plain text for Teams, and cut where it is long', () => {
    const json = JSON.stringify(messageOf(chatOf('teams'), named))
    expect(json).toContain('"type":"TextRun"')
    expect(json).not.toContain('"TextBlock"')
    const long = event('campaign.created', {}, { campaignName: 'x'.repeat(5000) })
    expect(JSON.stringify(messageOf(chatOf('teams'), long)).length).toBeLessThan(1000)
  })
})

it.each(formats)('A name that is cut within a character is text all the same: %s', (format) => {
  const cut = event('campaign.created', {}, { campaignName: `${'x'.repeat(99)}😀`, actorName: 'Ada 😀' })
  const json = JSON.stringify(messageOf(chatOf(format), cut))
  expect(json).toContain('Ada 😀')
  expect(json).not.toMatch(/\\ud/i)
})

describe('The link', () => {
  const hidden = ['', 'leads.example.com', 'javascript:alert(1)', 'https://']
  it.each(hidden)('Is left out where PUBLIC_URL is no URL: "%s"', (publicUrl) => {
    for (const format of formats)
      expect(JSON.stringify(messageOf(chatOf(format, publicUrl), event('campaign.created')))).not.toContain(
        'console',
      )
  })

  it('Leads to the campaign in the console, and without one to its start', () => {
    const of = (one: ReturnType<typeof event>) =>
      textOf(messageOf(chatOf('slack', 'https://l.example/'), one))
    const odd = event('campaign.created', { campaignId: 'a|b>/c' })
    expect(of(odd)).toMatch(/ <https:\/\/l\.example\/console#\/a%7Cb%3E%2Fc\/overview\|Open the console>$/)
    expect(of(event('webhook.test', { campaignId: null }))).toMatch(/ <https:\/\/l\.example\/console\|/)
  })
})

describe('An incident', () => {
  type Incident = { event_action: string; dedup_key: string }
  const incidentOf = (one: ReturnType<typeof event>, companyId = 'acme') =>
    messageOf({ ...chatOf('pagerduty'), companyId }, one) as Incident

  it('Is one for each alert, which its end resolves', () => {
    const raised = event('alert.raised', alert('agent_failing', 'a'))
    const cleared = { ...raised, id: 'evt_9', type: 'alert.cleared', timestamp: '2026-11-30T00:00:00.000Z' }
    expect(incidentOf(raised).event_action).toBe('trigger')
    expect(incidentOf(cleared).event_action).toBe('resolve')
    expect(incidentOf(cleared).dedup_key).toBe(incidentOf(raised).dedup_key)
    const others = [
      incidentOf(event('alert.raised', alert('agent_failing', 'b'))),
      incidentOf(event('alert.raised', alert('key_limit', 'a'))),
      incidentOf(event('alert.raised', { ...alert('agent_failing', 'a'), campaignId: 'autumn' })),
      incidentOf(raised, 'other'),
    ]
    expect(new Set([incidentOf(raised), ...others].map(({ dedup_key }) => dedup_key)).size).toBe(5)
  })

  it('Is none where the key cannot be read', () => {
    expect(messageOf({ ...chatOf('pagerduty'), secrets: null }, event('alert.raised'))).toBeNull()
  })
})

it('Nothing of leads and calls is told to a chat', () => {
  expect(chatTypes.filter((type) => /^(?:leads?|call|suppression|erasure|key|member)\./.test(type))).toEqual(
    [],
  )
  expect(chatTypes).toEqual([
    'campaign.changed',
    'campaign.created',
    'campaign.archived',
    'dialer.test_started',
    'alert.raised',
    'alert.cleared',
  ])
})
