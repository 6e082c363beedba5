// `webhook`: where events are sent. A secret is shown once, when it is created.
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type EventType, eventTypes } from '../../ledger/log/event-types.ts'
import { secretPattern } from '../../webhooks/signature.ts'
import { includable } from '../../webhooks/store/endpoints.ts'
import { parseDurationMs, parsePort, parseTimestampMs } from '../arguments/arguments.ts'
import { CommandFailed } from '../deploy/wrangler.ts'
import { openReceiver } from '../local/webhook-receiver.ts'
import {
  chooseService,
  type OpenService,
  onService,
  openServiceOf,
  type ServiceAction,
  withService,
} from '../on-service.ts'
import { answerOf, isLocal } from '../service.ts'
import { logLine, printLine, printList, printResult, timestamp } from '../text/print.ts'

export function addWebhookCommands(admin: Command): void {
  const webhook = admin.command('webhook').description('Where events are sent')
  const onAll = (name: string, summary: string, action: ServiceAction) =>
    onService(webhook.command(name).description(summary), action)
  const onWebhook = (name: string, summary: string, action: ServiceAction) =>
    onAll(name, summary, action).argument('<id>', 'wh_...')
  const chosen = (command: Command) =>
    command
      .option('--campaign <id>', 'only this campaign, instead of all of the company')
      .option('--types <types>', 'separated by commas; all when left out', parseSome(eventTypes))
      .option('--include <names>', `more data to send: ${includable.join(',')}`, parseSome(includable))

  chosen(onAll('add', 'Sends events to an address, and shows its secret once', addWebhook)).argument(
    '<address>',
    'https://...',
  )
  onAll('list', 'Lists all webhooks of the company', listWebhooks)
  onWebhook('test', 'Sends a test event now', testWebhook)
  onWebhook('deliveries', 'Lists the last delivery attempts, newest first', listDeliveries)
  onWebhook('rotate', 'Rotates the secret, and shows the new one once', rotateWebhook)
    .addOption(
      new Option(
        '--grace <duration>',
        'grace period, in which the old one signs too: 0, 30s, 24h, at most 7d',
      )
        .argParser(parseDurationMs)
        .default(parseDurationMs('24h'), '24h'),
    )
    // The name until version 1.5.
    .addOption(new Option('--overlap <duration>').argParser(parseDurationMs).hideHelp().conflicts('grace'))
  onWebhook('replay', 'Resends past events', replayWebhook).requiredOption(
    '--since <time>',
    'ISO 8601, such as 2027-01-01T00:00:00Z',
    parseTimestampMs,
  )
  onWebhook('enable', 'Resumes where it stopped', setDisabled(false))
  onWebhook('disable', 'Sends nothing until it is enabled', setDisabled(true))
  onWebhook('remove', 'Removes it and its deliveries', removeWebhook)
  const listening = webhook
    .command('listen')
    .description('Receives events on this machine, verifies and prints them, until Ctrl-C')
  chosen(withService(listening))
    .option('--port <number>', 'port to listen on; a free one when left out', parsePort)
    .option('--secret <secret>', 'of an existing webhook: none is added and removed', parseSecret)
    .action(listen)
}

function parseSome<Value extends string>(values: readonly Value[]) {
  return (text: string) => {
    const names = text.split(',').map((name) => name.trim())
    const unknown = names.find((name) => !(values as readonly string[]).includes(name))
    if (unknown !== undefined) throw new InvalidArgumentError(`Allowed are ${values.join(', ')}.`)
    return [...new Set(names)] as Value[]
  }
}

function parseSecret(text: string): string {
  if (new RegExp(`^${secretPattern}$`).test(text)) return text
  // Commander's own error would print the value.
  throw new CommandFailed('--secret must be whsec_ and 44 characters of base64, as it was shown')
}

type Output = { readonly json: boolean }
type Chosen = {
  readonly campaign?: string
  readonly types?: readonly EventType[]
  readonly include?: readonly (typeof includable)[number][]
}

const createWebhook = ({ client }: OpenService, options: Chosen, url: string) => {
  const { campaign, types, include = [] } = options
  // Without types it gets those of later versions too.
  const webhook = {
    url,
    types: types ? [...types] : null,
    include: [...include],
    ...(campaign && { campaignId: campaign }),
  }
  return client.webhooks.create(webhook)
}

async function addWebhook(service: OpenService, options: Output & Chosen, address: string) {
  const { webhookId, secret } = await createWebhook(service, options, address)
  printResult({ id: webhookId, secret }, options.json, [
    `Webhook ${webhookId} added.`,
    'Its secret is shown this once:',
    secret,
  ])
}

async function listWebhooks({ client }: OpenService, { json }: Output) {
  const all = await client.webhooks.list()
  const rows = all.map(({ webhookId, types, include, lag, givenUp, ...webhook }) => {
    const { disabledAt, disabledReason, failingSince, ...rest } = webhook
    const active = failingSince ? `failing since ${failingSince}` : 'active'
    return {
      id: webhookId,
      ...rest,
      givenUp: String(givenUp),
      types: types?.join(',') ?? 'all',
      include: include.join(',') || null,
      status: disabledAt === null ? active : `disabled (${disabledReason}) ${disabledAt}`,
      lag: String(lag),
    }
  })
  printList(rows, json, 'No webhooks yet.')
}

async function testWebhook({ client }: OpenService, { json }: Output, id: string) {
  const tested = await client.webhooks.test(id)
  const { status, milliseconds, error } = tested
  printResult(tested, json, [`${error ?? `answered ${status}`}, ${milliseconds} ms`])
  if (error !== null) throw new CommandFailed('the test was not delivered')
}

async function listDeliveries({ client }: OpenService, { json }: Output, id: string) {
  const deliveries = await client.webhooks.deliveries(id, { limit: 100 })
  const rows = deliveries.map(({ time, type, attempt, status, milliseconds, error, eventId }) => ({
    time,
    type,
    attempt: String(attempt),
    status: status === null ? null : String(status),
    milliseconds: String(milliseconds),
    error,
    event: eventId,
  }))
  printList(rows, json, 'No deliveries yet.')
}

type RotateOptions = Output & { readonly grace: number; readonly overlap?: number }

async function rotateWebhook({ client }: OpenService, options: RotateOptions, id: string) {
  const previousExpiresAt = timestamp(Date.now() + (options.overlap ?? options.grace))
  const { secret } = await client.webhooks.rotate(id, { previousExpiresAt })
  printResult({ id, secret, previousExpiresAt }, options.json, [
    `The old secret signs until ${previousExpiresAt}. The new one is shown this once:`,
    secret,
  ])
}

async function replayWebhook({ client }: OpenService, options: Output & { since: number }, id: string) {
  const since = timestamp(options.since)
  await client.webhooks.replay(id, { since })
  printResult({ id, since }, options.json, [`Webhook ${id} resends all events since ${since}.`])
}

function setDisabled(disabled: boolean) {
  return async ({ client }: OpenService, { json }: Output, id: string) => {
    await client.webhooks.update(id, { disabled })
    printResult({ id, disabled }, json, [`Webhook ${id} ${disabled ? 'disabled' : 'enabled'}.`])
  }
}

async function removeWebhook({ client }: OpenService, { json }: Output, id: string) {
  await client.webhooks.delete(id)
  printResult({ id, removed: true }, json, [`Webhook ${id} removed.`])
}

/** Adds a webhook that sends here, and removes it at the end; with a secret, the webhook exists already. */
async function listen(options: Chosen & { port?: number; secret?: string }, command: Command) {
  const { port = 0, secret } = options
  if (secret === undefined && !isLocal((await chooseService(command)).url))
    throw new CommandFailed(
      'a deployed service cannot reach this machine: add a webhook with the address of a tunnel, and give --secret',
    )
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  const receiver = await openReceiver(
    port,
    ({ text, id, isRepeated }) => printLine(`${text} ${id}${isRepeated ? ' (again)' : ''}`),
    (reason) => logLine(`refused: ${reason}`),
  )
  try {
    const service = secret === undefined ? await openServiceOf(command) : null
    const added = service && (await answerOf(service, createWebhook(service, options, receiver.url)))
    receiver.expect(secret ?? added?.secret ?? '')
    logLine(`Listening at ${receiver.url}${added ? ` as ${added.webhookId}` : ''}. Ctrl-C ends it.`)
    await stopped
    if (added) await answerOf(service, service.client.webhooks.delete(added.webhookId))
  } finally {
    // An open receiver would keep the process alive.
    receiver.close()
  }
}
