// `key`: the API keys of clients. A key is shown once, when it is created: the database stores its hash.
import { type Command, Option } from 'commander'
import { keyScopes, type Scope } from '../../access/scope.ts'
import * as store from '../../access/store/administration.ts'
import { listCreatedKeys, revokeCreatedKeys } from '../../keys/store/revoke-key.ts'
import { logKeyCreated, logKeyRevoked, logKeyRotated } from '../../ledger/log/audit.ts'
import {
  disableWebhooksOfKey,
  listWebhooksOfKey,
  type WebhookOfKey,
} from '../../webhooks/store/key-webhooks.ts'
import { parseDurationMs, parseExpiryMs, parseName } from '../arguments/arguments.ts'
import { companyMoving } from '../company-moving.ts'
import { CommandFailed } from '../deploy/wrangler.ts'
import { makeKey, statusOf } from '../keys.ts'
import type { OnDatabase } from '../on-database.ts'
import { printList, printResult, timestamp } from '../text/print.ts'

export function addKeyCommands(admin: Command, onDatabase: OnDatabase): void {
  const key = admin.command('key').description('API keys, which clients send as x-api-key')
  onDatabase(key.command('create'), createKey)
    .requiredOption('--company <id>', 'its owner')
    .option('--campaign <id>', 'only this campaign, instead of all of the company')
    .addOption(new Option('--scope <scope>', 'what it may do').choices(keyScopes).makeOptionMandatory())
    .requiredOption('--name <name>', 'who uses it, for people', parseName)
    .option('--expires <time>', 'ISO 8601, such as 2027-01-01T00:00:00Z; never when left out', parseExpiryMs)
    .addHelpText('after', scopeHelp())
  onDatabase(key.command('list'), listKeys).option('--company <id>', "this company's only")
  onDatabase(key.command('revoke'), revokeKey)
    .argument('<id>', 'key_...')
    .option('--keep-webhooks', 'keep webhooks enabled that were created with it', false)
    .addOption(
      new Option('--with-created', 'also revoke the keys created with it, and disable their webhooks')
        .conflicts('keepWebhooks')
        .default(false),
    )
  onDatabase(key.command('rotate'), rotateKey)
    .argument('<id>', 'key_...')
    .addOption(
      new Option('--grace <duration>', 'grace period, in which the old key still works: 0, 30s, 15m, 24h, 7d')
        .argParser(parseDurationMs)
        .default(parseDurationMs('24h'), '24h'),
    )
    .option('--expires <time>', 'of the new key; the same as the old one when left out', parseExpiryMs)
    .option(
      '--keep-webhooks',
      'with --grace 0: keep webhooks enabled that were created with the old key',
      false,
    )
}

const scopeTexts: Record<Scope, string> = {
  read: 'list and read leads, campaigns and suppressed numbers',
  write: 'all of read; create and requeue leads, suppress numbers. For CRMs and forms',
  agent: 'claim leads, report calls; read single leads and settings, but list no leads. For calling agents',
  manage: 'all of write and agent; change settings, remove suppressions',
}

function scopeHelp(): string {
  const width = Math.max(...keyScopes.map((scope) => scope.length))
  return ['', 'Scopes:', ...keyScopes.map((scope) => `  ${scope.padEnd(width)}  ${scopeTexts[scope]}`)].join(
    '\n',
  )
}

type Output = { readonly json: boolean }

type CreateOptions = Output & {
  readonly company: string
  readonly campaign?: string
  readonly scope: Scope
  readonly name: string
  readonly expires?: number
}

async function createKey(db: D1Database, options: CreateOptions) {
  const { company, campaign = null, scope, name, expires = null, json } = options
  const { key, material } = makeKey()
  const rights = { companyId: company, campaignId: campaign, scope, name, expiresAtMs: expires }
  const { kind } = await store.createKey(db, { ...material, ...rights, nowMs: Date.now() }, logKeyCreated)
  if (kind === 'company_unknown') throw new CommandFailed(`unknown company: ${company}`)
  if (kind === 'company_moving') throw companyMoving(`company ${company}`)
  if (kind === 'campaign_unknown') {
    throw new CommandFailed(`unknown campaign of company ${company}: ${campaign}`)
  }
  printResult({ id: material.id, key }, json, [
    `Key ${material.id} created: ${scope}, ${campaign === null ? `all campaigns of ${company}` : campaign}.`,
    'It is shown this once:',
    key,
  ])
}

async function listKeys(db: D1Database, { company, json }: { company?: string } & Output) {
  const nowMs = Date.now()
  const found = await store.listKeys(db, company ?? null, nowMs)
  if (found.kind === 'company_unknown') throw new CommandFailed(`unknown company: ${company}`)
  const rows = found.keys.map((key) => ({
    id: key.id,
    name: key.name,
    scope: key.scope,
    companyId: key.companyId,
    campaignId: key.campaignId,
    hint: key.hint,
    status: statusOf(key, nowMs),
    createdAt: timestamp(key.createdAtMs),
    expiresAt: timestamp(key.expiresAtMs),
    revokedAt: timestamp(key.revokedAtMs),
    lastUsedAt: timestamp(key.lastUsedAtMs),
  }))
  printList(rows, json, 'No keys yet.')
}

type EndOptions = Output & { readonly keepWebhooks: boolean }

type RevokeOptions = EndOptions & { readonly withCreated: boolean }

async function revokeKey(db: D1Database, { json, keepWebhooks, withCreated }: RevokeOptions, id: string) {
  const nowMs = Date.now()
  const steps = [...(withCreated ? revokeCreatedKeys : []), ...(keepWebhooks ? [] : disableWebhooksOfKey)]
  const result = await store.revokeKey(db, id, nowMs, logKeyRevoked, steps)
  if (result.kind === 'key_unknown') throw new CommandFailed(`unknown key: ${id}`)
  const revokedAt = timestamp(result.revokedAtMs)
  const webhooks = await listWebhooksOfKey(db, id)
  const created = await listCreatedKeys(db, id, nowMs)
  const keys = created.map((key) => ({ id: key.keyId, revokedAt: timestamp(key.revokedAtMs) }))
  printResult({ id, revokedAt, ...(keys.length > 0 && { keys }), ...webhooksJson(webhooks) }, json, [
    `Key ${id} revoked at ${revokedAt}.`,
    ...created.map(({ keyId, name, revokedAtMs }) => {
      const state = revokedAtMs === null ? 'still works: revoke it, or use --with-created' : 'is revoked too'
      return `Key ${keyId} (${name}), created with the key, ${state}.`
    }),
    ...webhookLines(webhooks),
  ])
}

/** Omitted when there are none. */
const webhooksJson = (webhooks: readonly WebhookOfKey[]) => (webhooks.length === 0 ? {} : { webhooks })

/** Only the host of a URL: the rest may be a secret. */
const webhookLines = (webhooks: readonly WebhookOfKey[]) =>
  webhooks.map(({ webhookId, url, disabledReason }) => {
    const state = disabledReason === null ? 'still sends' : `is disabled (${disabledReason})`
    return `Webhook ${webhookId}, created with the key, ${state}: ${new URL(url).host}`
  })

type RotateOptions = EndOptions & { readonly grace: number; readonly expires?: number }

async function rotateKey(db: D1Database, options: RotateOptions, oldId: string) {
  const { grace, expires, json, keepWebhooks } = options
  const { key, material } = makeKey()
  const nowMs = Date.now()
  const endsAtMs = nowMs + grace
  const successor = { ...material, oldId, endsAtMs, expiresAtMs: expires ?? null, nowMs }
  const endsNow = grace === 0
  const steps = endsNow && !keepWebhooks ? disableWebhooksOfKey : []
  const result = await store.rotateKey(db, successor, logKeyRotated, steps)
  if (result.kind === 'key_unknown') throw new CommandFailed(`unknown key: ${oldId}`)
  if (result.kind === 'company_moving') throw companyMoving("the key's company")
  if (result.kind === 'key_inactive') throw new CommandFailed(`key is revoked or expired: ${oldId}`)
  const expiresAt = timestamp(result.expiresAtMs)
  const oldExpiresAt = timestamp(result.oldExpiresAtMs)
  const isCutShort = result.oldExpiresAtMs < endsAtMs
  const end = isCutShort ? `${oldExpiresAt}, before the grace period is over: it expires then` : oldExpiresAt
  const isInherited = expires === undefined && expiresAt !== null
  const webhooks = endsNow ? await listWebhooksOfKey(db, oldId) : []
  const rotated = { id: material.id, key, expiresAt, oldId, oldExpiresAt, ...webhooksJson(webhooks) }
  printResult(rotated, json, [
    `Key ${material.id} replaces ${oldId}, which ends at ${end}.`,
    ...(expiresAt === null ? [] : [`The new key ends at ${expiresAt}${isInherited ? inherited : ''}.`]),
    ...webhookLines(webhooks),
    'It is shown this once:',
    key,
  ])
}

const inherited = ', the same as the old one: set another end with --expires'
