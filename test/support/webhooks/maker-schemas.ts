// What the makers of chats and pagers take, written from their pages, each with the day it was read. A body that these
// refuse would not be shown, or would ring somebody whom it should not.
import type { Schema } from '@cfworker/json-schema'
import type { Format } from '../../../src/channels/webhooks/format.ts'

const text = (maxLength: number): Schema => ({ type: 'string', minLength: 1, maxLength })
const only = (properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
})
const list = (items: Schema): Schema => ({ type: 'array', minItems: 1, items })
const httpUrl: Schema = { type: 'string', pattern: '^https?://[^ <>|]+$' }

/**
 * docs.slack.dev/messaging/sending-messages-using-incoming-webhooks and /messaging/formatting-message-text, 2026-11-29.
 */
const slack = only({ text: text(4000), unfurl_links: { type: 'boolean' } })

/**
 * Of `Message`: discord.com/developers/docs/resources/webhook#execute-webhook and #allowed-mentions-object, 2026-11-29.
 */
const discord = only({
  content: text(2000),
  allowed_mentions: only({ parse: { type: 'array', maxItems: 0 } }),
})

/**
 * learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using, "Send Adaptive Cards
 * using an Incoming Webhook", and adaptivecards.io/explorer/RichTextBlock.html, 2026-11-29.
 */
const teams = only({
  type: { const: 'message' },
  attachments: list(
    only({
      contentType: { const: 'application/vnd.microsoft.card.adaptive' },
      contentUrl: { type: 'null' },
      content: only(
        {
          $schema: { const: 'http://adaptivecards.io/schemas/adaptive-card.json' },
          type: { const: 'AdaptiveCard' },
          version: { enum: ['1.2', '1.3', '1.4'] },
          body: list(
            only({
              type: { const: 'RichTextBlock' },
              inlines: list(only({ type: { const: 'TextRun' }, text: text(5000) })),
            }),
          ),
          actions: list(only({ type: { const: 'Action.OpenUrl' }, title: text(100), url: httpUrl })),
        },
        ['actions'],
      ),
    }),
  ),
})

/** developer.pagerduty.com/docs/send-alert-event, "Alert event JSON", 2026-11-29. */
const pagerduty: Schema = {
  oneOf: [
    only(
      {
        routing_key: { type: 'string', minLength: 32, maxLength: 32 },
        event_action: { const: 'trigger' },
        dedup_key: text(255),
        payload: only(
          {
            summary: text(1024),
            source: text(1024),
            severity: { enum: ['critical', 'error', 'warning', 'info'] },
            timestamp: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT.*Z$' },
            component: text(1024),
            class: text(1024),
          },
          ['timestamp', 'component', 'class'],
        ),
        client: text(1024),
        client_url: httpUrl,
      },
      ['client_url'],
    ),
    only({
      routing_key: { type: 'string', minLength: 32, maxLength: 32 },
      event_action: { const: 'resolve' },
      dedup_key: text(255),
    }),
  ],
}

export const makerSchemas: Readonly<Record<Format, Schema>> = { slack, teams, discord, pagerduty }
