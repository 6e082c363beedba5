// `key`: the API keys of clients. A key is shown once, when it is created: the database stores its hash.
import { type Command, Option } from 'commander'
import { keyScopes, type Scope } from '../../access/scope.ts'
import { listKeys as findKeys } from '../../access/store/administration.ts'
import { findCompany, findOwnerOfKey, markKeysRevoked } from '../../access/store/directory.ts'
import { listStates } from '../../companies/store/states.ts'
import type { WebhookOfKey } from '../../webhooks/store/key-webhooks.ts'
import { parseDurationMs, parseExpiryMs, parseName } from '../arguments/arguments.ts'
import { CommandFailed } from '../command-failed.ts'
import { companyMoving } from '../company-moving.ts'
import { makeKey, statusOf } from '../keys.ts'
import type { OnDatabase } from '../on-database.ts'
import { carryOutOrWait, pendingText } from '../store-requests.ts'
import { counted, logLine, printList, printResult, timestamp } from '../text/print.ts'

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
  const { kind } = await carryOutOrWait(db, { kind: 'key.create', ...material, ...rights, nowMs: Date.now() })
  if (kind === 'company_unknown') throw new CommandFailed(`unknown company: ${company}`)
  if (kind === 'company_moving') throw companyMoving(`company ${company}`)
  if (kind === 'campaign_unknown') {
    throw new CommandFailed(`unknown campaign of company ${company}: ${campaign}`)
  }
  const reach = `${scope}, ${campaign === null ? `all campaigns of ${company}` : campaign}`
  if (kind === 'pending') {
    const lines = [`Key ${material.id} requested: ${reach}.`, shownOnce, key]
    printResult({ id: material.id, key, pending: true }, json, lines)
    const unless = campaign === null ? '' : ', if the campaign exists'
    throw new CommandFailed(`${pendingText}. The printed key works from then on${unless}`)
  }
  printResult({ id: material.id, key }, json, [`Key ${material.id} created: ${reach}.`, shownOnce, key])
}

const shownOnce = 'It is shown this once:'

async function listKeys(db: D1Database, { company, json }: { company?: string } & Output) {
  const nowMs = Date.now()
  const listed = company === undefined ? null : await findCompany(db, company)
  if (listed !== null && listed.store !== null) {
    if (json) printList([], json, '')
    logLine(`Company ${company} has its keys in a store of its own. ${ownKeys}`)
    return
  }
  const found = await findKeys(db, company ?? null, nowMs)
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
  const own = await listStates(db)
  if (own.length > 0 && company === undefined)
    logLine(
      `Not listed: the keys of ${counted(own.length, 'company', 'companies')} with a store of its own. ${ownKeys}`,
    )
}

const ownKeys = 'The console lists them, and GET /api/v1/keys with a manage key of the company.'

type EndOptions = Output & { readonly keepWebhooks: boolean }

type RevokeOptions = EndOptions & { readonly withCreated: boolean }

async function revokeKey(db: D1Database, { json, keepWebhooks, withCreated }: RevokeOptions, id: string) {
  const nowMs = Date.now()
  const companyId = await findOwnerOfKey(db, id)
  // At once: whoever has not used it lately is refused before the store has revoked it.
  if (companyId !== null) await markKeysRevoked(db, [id], nowMs)
  const request = { kind: 'key.revoke', companyId, id, nowMs, keepWebhooks, withCreated } as const
  const result = await carryOutOrWait(db, request)
  if (result.kind === 'key_unknown') throw new CommandFailed(`unknown key: ${id}`)
  if (result.kind === 'pending')
    throw new CommandFailed(`${pendingText}. Until then the key works where it was used within the last hour`)
  const { webhooks, created } = result
  const revokedAt = timestamp(result.revokedAtMs)
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
  const result = await carryOutOrWait(db, {
    kind: 'key.rotate',
    ...material,
    companyId: await findOwnerOfKey(db, oldId),
    oldId,
    graceMs: grace,
    expiresAtMs: expires ?? null,
    keepWebhooks,
  })
  if (result.kind === 'key_unknown') throw new CommandFailed(`unknown key: ${oldId}`)
  if (result.kind === 'company_moving') throw companyMoving("the key's company")
  if (result.kind === 'key_inactive') throw new CommandFailed(`key is revoked or expired: ${oldId}`)
  if (result.kind === 'pending') {
    const lines = [`Key ${material.id} is requested in place of ${oldId}.`, shownOnce, key]
    printResult({ id: material.id, key, oldId, pending: true }, json, lines)
    throw new CommandFailed(`${pendingText}. The printed key works from then on, if the old one is active`)
  }
  const expiresAt = timestamp(result.expiresAtMs)
  const oldExpiresAt = timestamp(result.oldExpiresAtMs)
  const { isCutShort, webhooks } = result
  const end = isCutShort ? `${oldExpiresAt}, before the grace period is over: it expires then` : oldExpiresAt
  const isInherited = expires === undefined && expiresAt !== null
  const rotated = { id: material.id, key, expiresAt, oldId, oldExpiresAt, ...webhooksJson(webhooks) }
  printResult(rotated, json, [
    `Key ${material.id} replaces ${oldId}, which ends at ${end}.`,
    ...(expiresAt === null ? [] : [`The new key ends at ${expiresAt}${isInherited ? inherited : ''}.`]),
    ...webhookLines(webhooks),
    shownOnce,
    key,
  ])
}

const inherited = ', the same as the old one: set another end with --expires'
