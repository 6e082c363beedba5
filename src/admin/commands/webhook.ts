// `webhook`: where events are sent. Over the API, with a key of scope manage, since only the running service can sign and
// send; the same for the local server and a deployed one. A secret is shown once, when it is created.
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type EventType, eventTypes } from '../../ledger/log/event-types.ts'
import { secretPattern } from '../../webhooks/signature.ts'
import { includable } from '../../webhooks/store/endpoints.ts'
import { parseDurationMs, parsePort, parseServiceUrl, parseTimestampMs } from '../arguments/arguments.ts'
import { defaultStateDir } from '../database.ts'
import { CommandFailed } from '../deploy/wrangler.ts'
import { readDemoKeys } from '../local/demo.ts'
import { openReceiver } from '../local/webhook-receiver.ts'
import { answerOf, openService, reachService, type Service } from '../service.ts'
import { logLine, printLine, printList, printResult, timestamp } from '../text/print.ts'

export function addWebhookCommands(admin: Command): void {
  const webhook = admin
    .command('webhook')
    .description('Where events are sent (over the API of a running service)')
  const onService = (name: string, summary: string) =>
    webhook
      .command(name)
      .description(summary)
      .option('--url <url>', 'the service', parseServiceUrl, 'http://localhost:8787')
      .addOption(
        new Option('--key <key>', "API key with manage scope, best in the environment; else the demo's").env(
          'LEAD_INTAKE_KEY',
        ),
      )
      .addOption(
        new Option('--persist-to <dir>', "where the demo's key is kept").default(
          defaultStateDir,
          '.wrangler/state',
        ),
      )
  const withJson = (name: string, summary: string) =>
    onService(name, summary).option('--json', 'print one JSON document', false)
  const onWebhook = (name: string, summary: string) => withJson(name, summary).argument('<id>', 'wh_...')
  const chosen = (command: Command) =>
    command
      .option('--campaign <id>', 'only this campaign, instead of all of the company')
      .option('--types <types>', 'separated by commas; all when left out', parseSome(eventTypes))
      .option('--include <names>', `more data to send: ${includable.join(',')}`, parseSome(includable))

  chosen(withJson('add', 'Sends events to an address, and shows its secret once'))
    .argument('<address>', 'https://...')
    .action(addWebhook)
  withJson('list', 'Lists all webhooks of the company').action(listWebhooks)
  onWebhook('test', 'Sends a test event now').action(testWebhook)
  onWebhook('deliveries', 'Lists the last delivery attempts, newest first').action(listDeliveries)
  onWebhook('rotate', 'Rotates the secret, and shows the new one once')
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
    .action(rotateWebhook)
  onWebhook('replay', 'Resends past events')
    .requiredOption('--since <time>', 'ISO 8601, such as 2027-01-01T00:00:00Z', parseTimestampMs)
    .action(replayWebhook)
  onWebhook('enable', 'Resumes where it stopped').action(setDisabled(false))
  onWebhook('disable', 'Sends nothing until it is enabled').action(setDisabled(true))
  onWebhook('remove', 'Removes it and its deliveries').action(removeWebhook)
  chosen(onService('listen', 'Receives events on this machine, verifies and prints them, until Ctrl-C'))
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

type Options = {
  readonly url: string
  readonly key?: string
  readonly persistTo: string
  readonly json: boolean
}
type Chosen = {
  readonly campaign?: string
  readonly types?: readonly EventType[]
  readonly include?: readonly (typeof includable)[number][]
}

type Webhooks = Service['client']['webhooks']

/** Throws CommandFailed. */
async function request<Data>(options: Options, send: (webhooks: Webhooks) => Promise<Data>): Promise<Data> {
  const service = await serviceOf(options)
  return answerOf(service, send(service.client.webhooks))
}

async function serviceOf({ url, key, persistTo }: Options): Promise<Service> {
  const apiKey = key || (await readDemoKeys(persistTo)).manage
  if (typeof apiKey !== 'string')
    throw new CommandFailed('no API key: set LEAD_INTAKE_KEY, or give --key <key>')
  const service = openService(url, apiKey)
  const reached = await reachService(service)
  if (reached.kind === 'unreachable') throw new CommandFailed(reached.message)
  return service
}

const createWebhook = (options: Options & Chosen, url: string) => {
  const { campaign, types = eventTypes, include = [] } = options
  const webhook = { url, types: [...types], include: [...include], ...(campaign && { campaignId: campaign }) }
  return request(options, (webhooks) => webhooks.create(webhook))
}

async function addWebhook(address: string, options: Options & Chosen): Promise<void> {
  const { webhookId, secret } = await createWebhook(options, address)
  printResult({ id: webhookId, secret }, options.json, [
    `Webhook ${webhookId} added.`,
    'Its secret is shown this once:',
    secret,
  ])
}

async function listWebhooks(options: Options): Promise<void> {
  const all = await request(options, (webhooks) => webhooks.list())
  const rows = all.map(({ webhookId, types, include, lag, givenUp, ...webhook }) => {
    const { disabledAt, disabledReason, failingSince, ...rest } = webhook
    const active = failingSince ? `failing since ${failingSince}` : 'active'
    return {
      id: webhookId,
      ...rest,
      givenUp: String(givenUp),
      types: types.length === eventTypes.length ? 'all' : types.join(','),
      include: include.join(',') || null,
      status: disabledAt === null ? active : `disabled (${disabledReason}) ${disabledAt}`,
      lag: String(lag),
    }
  })
  printList(rows, options.json, 'No webhooks yet.')
}

async function testWebhook(id: string, options: Options): Promise<void> {
  const tested = await request(options, (webhooks) => webhooks.test(id))
  const { status, milliseconds, error } = tested
  printResult(tested, options.json, [`${error ?? `answered ${status}`}, ${milliseconds} ms`])
  if (error !== null) throw new CommandFailed('the test was not delivered')
}

async function listDeliveries(id: string, options: Options): Promise<void> {
  const deliveries = await request(options, (webhooks) => webhooks.deliveries(id, { limit: 100 }))
  const rows = deliveries.map(({ time, type, attempt, status, milliseconds, error, eventId }) => ({
    time,
    type,
    attempt: String(attempt),
    status: status === null ? null : String(status),
    milliseconds: String(milliseconds),
    error,
    event: eventId,
  }))
  printList(rows, options.json, 'No deliveries yet.')
}

async function rotateWebhook(id: string, options: Options & { grace: number; overlap?: number }) {
  const previousExpiresAt = timestamp(Date.now() + (options.overlap ?? options.grace))
  const { secret } = await request(options, (webhooks) => webhooks.rotate(id, { previousExpiresAt }))
  printResult({ id, secret, previousExpiresAt }, options.json, [
    `The old secret signs until ${previousExpiresAt}. The new one is shown this once:`,
    secret,
  ])
}

async function replayWebhook(id: string, options: Options & { since: number }): Promise<void> {
  const since = timestamp(options.since)
  await request(options, (webhooks) => webhooks.replay(id, { since }))
  printResult({ id, since }, options.json, [`Webhook ${id} resends all events since ${since}.`])
}

function setDisabled(disabled: boolean) {
  return async (id: string, options: Options): Promise<void> => {
    await request(options, (webhooks) => webhooks.update(id, { disabled }))
    printResult({ id, disabled }, options.json, [`Webhook ${id} ${disabled ? 'disabled' : 'enabled'}.`])
  }
}

async function removeWebhook(id: string, options: Options): Promise<void> {
  await request(options, (webhooks) => webhooks.delete(id))
  printResult({ id, removed: true }, options.json, [`Webhook ${id} removed.`])
}

/** Adds a webhook that sends here, and removes it at the end; with a secret, the webhook exists already. */
async function listen(options: Options & Chosen & { port?: number; secret?: string }): Promise<void> {
  const { url, port = 0, secret } = options
  const isLocal = url.startsWith('http:')
  if (secret === undefined && !isLocal)
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
    const added = secret === undefined ? await createWebhook(options, receiver.url) : null
    receiver.expect(secret ?? added?.secret ?? '')
    logLine(`Listening at ${receiver.url}${added ? ` as ${added.webhookId}` : ''}. Ctrl-C ends it.`)
    await stopped
    if (added) await request(options, (webhooks) => webhooks.delete(added.webhookId))
  } finally {
    // An open receiver would keep the process alive.
    receiver.close()
  }
}
