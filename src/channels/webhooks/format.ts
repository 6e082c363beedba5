// Formats of webhooks that people read, in a chat or a pager: which events such a webhook may send, and its secrets,
// which are sealed for it and its URL. What is sent is in messages.ts. Pure.
import { createHmac } from 'node:crypto'
import { type EventType, eventTypes } from '../../base/ledger/log/event-types.ts'
import { openTexts, sealTexts } from '../../base/sealed-texts.ts'

export const formats = ['slack', 'teams', 'discord', 'pagerduty'] as const
export type Format = (typeof formats)[number]

/** Where Events v2 is, outside of the EU. */
export const pagerdutyUrl = 'https://events.pagerduty.com/v2/enqueue'

/** What each sends by default. */
export const alertTypes = ['alert.raised', 'alert.cleared'] as const satisfies readonly EventType[]

/** What a person may want to read of. A pager takes what begins and ends. */
export const chatTypes = eventTypes.filter((type) => /^(?:alert|campaign|dialer)\./.test(type))
const typesOf = (format: Format): readonly EventType[] => (format === 'pagerduty' ? alertTypes : chatTypes)

/** A message of one a second is the most that they take. */
export const messageEveryMs = 1_000

export type FormatSecrets = { readonly routingKey: string }

/** The message for what a webhook with this format cannot send, or null. */
export function findFormatProblem(
  format: Format,
  { types, include = [] }: { types?: readonly EventType[] | null; include?: readonly string[] },
): string | null {
  const allowed = typesOf(format)
  if (types?.some((type) => !allowed.includes(type)))
    return `types must be some of ${allowed.join(', ')} with the format ${format}`
  return include.length > 0 ? `include is not supported with the format ${format}` : null
}

type SecretsOwner = { readonly companyId: string; readonly webhookId: string; readonly url: string }

const keyOf = (root: string) => createHmac('sha256', root).update('secrets of webhooks').digest()
const boundTo = ({ companyId, webhookId, url }: SecretsOwner) =>
  Buffer.from(JSON.stringify([companyId, webhookId, url]))

/** They open for this URL alone: who sets another one has to know them. */
export const sealFormatSecrets = (root: string, owner: SecretsOwner, secrets: FormatSecrets): string =>
  sealTexts(keyOf(root), boundTo(owner), secrets)

/** Null: the webhook has no secrets, or they cannot be read. */
export const openFormatSecrets = (
  root: string,
  owner: SecretsOwner,
  sealed: string | null,
): FormatSecrets | null =>
  sealed === null ? null : (openTexts(keyOf(root), boundTo(owner), sealed) as FormatSecrets | null)
