// What people read of an event in their chat, or are paged with: a sentence, and the body that each maker takes. Names
// are escaped, since anybody may have chosen them. Pure.
import { createHash } from 'node:crypto'
import { digestBase62 } from '../../base/base62.ts'
import type { Format, FormatSecrets } from './format.ts'

/** Where a message goes. */
export type Chat = {
  readonly format: Format
  readonly companyId: string
  /** Null: it needs none, or they cannot be read. */
  readonly secrets: FormatSecrets | null
  /** Of this service, for links to its console. Empty: none. */
  readonly publicUrl: string
}

type Told = {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly actor?: string
  readonly actorName?: string | null
  readonly campaignName?: string | null | undefined
  readonly data: object
}

type Data = {
  readonly campaignId?: string | null
  readonly kind?: string
  readonly subject?: string | null
  readonly since?: string
  readonly archived?: boolean
  readonly changed?: readonly string[]
}

const tellOperator = 'Tell the operator of the service.'

/**
 * By kind of alert: what is wrong, and what to do. `s`: its subject, escaped. A test compares them with
 * control/alerts/alert-kinds.ts.
 */
export const alertWords: Readonly<Record<string, (s: string) => readonly [what: string, advice: string]>> = {
  no_agent: () => [
    'Leads are ready and nobody calls',
    'Start an agent, or see why the dialer does not call.',
  ],
  webhook_failing: (s) => [`The webhook ${s} fails`, 'Its events wait until the receiver answers 2xx.'],
  agent_failing: (s) => [`The agent ${s} claims leads and does not report them`, 'Restart it.'],
  call_never_ends: (s) => [`A call of ${s || 'an agent'} does not end`, 'Hang it up.'],
  key_limit: (s) => [
    `The API key ${s} has sent nearly all requests that it may send in an hour`,
    'Give each client its own.',
  ],
  dialer_stopped: (s) => [`The dialer has stopped (${s})`, 'Mend its settings and enable it.'],
  dialer_resting: (s) => [`The dialer rests (${s})`, 'It tries again by itself.'],
  dialer_unmapped: (s) => [
    `A call of the dialer ended with ${s}, which is no outcome`,
    'Add it to the template.',
  ],
  dialer_hears_nothing: () => [
    'The dialer understands nothing that the assistant writes of its calls',
    'A do-not-call would not be heard.',
  ],
  dialer_failing: (s) => [`A call of the dialer cannot be recorded (${s})`, tellOperator],
  dialer_stalled: () => ['The dialer stands still', tellOperator],
  gate_silent: () => ['The gate gives no answer', 'See its last requests.'],
  gate_refusing: () => ['The gate says no to most leads', 'It asks no more until somebody says go on.'],
  webhook_stalled: (s) => [`The webhook ${s} stands still`, tellOperator],
  source_failing: (s) => [`The source ${s} refuses every post`, 'Its last problem says why.'],
  source_clock: (s) => [
    `Leads of the source ${s} are called by the campaign's clock, though their country has several`,
    'Say whose clock counts.',
  ],
  store_stalled: () => ['Retries, retention and reports stand still', tellOperator],
  store_full: () => [
    'The store of the company holds more than 8 of its 10 GB',
    'Erase leads, or set how long they are kept.',
  ],
}

const shownChars = 100

/** A name in one line, and cut. */
const plainName = (name: string) =>
  name
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, shownChars)
    .toWellFormed()

/** `name`: escapes one. */
function sentenceOf(event: Told, name: (text: string) => string): string {
  const { campaignId = null, kind = '', subject, since, archived, changed = [] } = event.data as Data
  const shown = (text: string) => name(plainName(text))
  const campaign = campaignId === null ? null : shown(event.campaignName || campaignId)
  const by = event.actor === undefined ? '' : ` by ${shown(event.actorName ?? event.actor)}`
  switch (event.type) {
    case 'alert.raised':
    case 'alert.cleared': {
      const [what, advice] = alertWords[kind]?.(shown(subject ?? '')) ?? [`Alert ${shown(kind)}`, '']
      const place = campaign === null ? '' : `, in the campaign ${campaign}`
      const said = `${what}${place}, since ${minuteOf(since ?? event.timestamp)}.`
      return event.type === 'alert.cleared' ? `Over: ${said}` : `${said} ${advice}`.trim()
    }
    case 'campaign.created':
      return `The campaign ${campaign} was created${by}.`
    case 'campaign.archived':
      return `The campaign ${campaign} ${archived === false ? 'is no longer archived' : 'was archived'}${by}.`
    case 'campaign.changed':
      return `The campaign ${campaign} was changed${by}: ${changed.map(shown).join(', ')}.`
    case 'dialer.test_started':
      return `A test call was started${by} in the campaign ${campaign}.`
    default:
      return 'This is a test: alerts of the lead intake arrive here.'
  }
}

const minuteOf = (timestamp: string) => `${timestamp.slice(0, 16).replace('T', ' ')} UTC`

function consoleOf(publicUrl: string, { data }: Told): string | null {
  const { campaignId } = data as Data
  if (!/^https?:\/\//.test(publicUrl) || !URL.canParse(publicUrl)) return null
  const place = campaignId ? `#/${encodeURIComponent(campaignId)}/overview` : ''
  return `${publicUrl.replace(/\/+$/, '')}/console${place}`
}

const linkText = 'Open the console'

/** docs.slack.dev, "Formatting message text", read 2026-11-29. */
const forSlack = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
const forDiscord = (text: string) => text.replace(/[\\*_~`|>#[\]()<-]/g, '\\$&')

/** Of what the event is about: a new one for an alert that is raised again is the maker's to begin. */
function dedupKeyOf(companyId: string, { id, type, data }: Told): string {
  const { campaignId, kind, subject } = data as Data
  if (!type.startsWith('alert.')) return id
  const alert = JSON.stringify([companyId, campaignId, kind, subject])
  return `alert_${digestBase62(createHash('sha256').update(alert).digest(), 22)}`
}

/** The body of one message. Null: the secrets that it needs cannot be read. */
export function messageOf({ format, companyId, secrets, publicUrl }: Chat, event: Told): object | null {
  const link = consoleOf(publicUrl, event)
  switch (format) {
    case 'slack':
      return {
        text: sentenceOf(event, forSlack) + (link === null ? '' : ` <${forSlack(link)}|${linkText}>`),
        unfurl_links: false,
      }
    case 'discord': {
      const content = sentenceOf(event, forDiscord) + (link === null ? '' : ` [${linkText}](<${link}>)`)
      return { content, allowed_mentions: { parse: [] } }
    }
    case 'teams':
      // A run of text has no Markdown, and mentions nobody.
      return cardOf([{ type: 'TextRun', text: sentenceOf(event, (text) => text) }], link)
    case 'pagerduty': {
      if (secrets === null) return null
      const { kind, campaignId } = event.data as Data
      const about = { routing_key: secrets.routingKey, dedup_key: dedupKeyOf(companyId, event) }
      if (event.type === 'alert.cleared') return { ...about, event_action: 'resolve' }
      return {
        ...about,
        event_action: 'trigger',
        payload: {
          summary: sentenceOf(event, (text) => text),
          source: 'lead-intake',
          severity: event.type === 'alert.raised' ? 'error' : 'info',
          timestamp: event.timestamp,
          ...(campaignId && { component: campaignId }),
          ...(kind && { class: kind }),
        },
        client: 'Lead intake',
        ...(link !== null && { client_url: link }),
      }
    }
  }
}

const cardOf = (inlines: readonly object[], link: string | null) => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      contentUrl: null,
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        body: [{ type: 'RichTextBlock', inlines }],
        ...(link !== null && { actions: [{ type: 'Action.OpenUrl', title: linkText, url: link }] }),
      },
    },
  ],
})
