// `webhook`: where events are sent. Over the API, with a key of scope manage, since the running service alone can sign
// and send; the same against the local server and a deployed one. A secret is shown once, when it is made.
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
import { printLine, printList, printResult, tellLine, timestamp } from '../text/print.ts'

export function addWebhookCommands(admin: Command): void {
  const webhook = admin
    .command('webhook')
    .description('where events are sent (over the API of a running service)')
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
  const telling = (name: string, summary: string) =>
    onService(name, summary).option('--json', 'as one JSON document', false)
  const onWebhook = (name: string, summary: string) => telling(name, summary).argument('<id>', 'wh_...')
  const chosen = (command: Command) =>
    command
      .option('--campaign <id>', 'of this campaign alone, instead of all of the company')
      .option('--types <types>', 'separated by commas; all when left out', parseSome(eventTypes))
      .option('--include <names>', `what else is told: ${includable.join(',')}`, parseSome(includable))

  chosen(telling('add', 'sends events to an address, and shows its secret once'))
    .argument('<address>', 'https://...')
    .action(addWebhook)
  telling('list', 'all of the company').action(listWebhooks)
  onWebhook('test', 'sends a test at once').action(testWebhook)
  onWebhook('deliveries', 'the last tries, the newest first').action(listDeliveries)
  onWebhook('rotate', 'shows a new secret once')
    .addOption(
      new Option('--overlap <duration>', 'how long the old one signs as well: 0, 30s, 24h, at most 7d')
        .argParser(parseDurationMs)
        .default(parseDurationMs('24h'), '24h'),
    )
    .action(rotateWebhook)
  onWebhook('replay', 'tells again what was told before')
    .requiredOption('--since <time>', 'ISO 8601, such as 2027-01-01T00:00:00Z', parseTimestampMs)
    .action(replayWebhook)
  onWebhook('enable', 'goes on where it stood').action(setDisabled(false))
  onWebhook('disable', 'sends nothing until it is enabled').action(setDisabled(true))
  onWebhook('remove', 'for good').action(removeWebhook)
  chosen(onService('listen', 'receives on this machine, verifies and prints, until Ctrl-C'))
    .option('--port <number>', 'where to receive; a free one when left out', parsePort)
    .option('--secret <secret>', 'of a webhook that is there: none is added and removed', parseSecret)
    .action(listen)
}

function parseSome<Value extends string>(values: readonly Value[]) {
  return (text: string) => {
    const names = text.split(',').map((name) => name.trim())
    const unknown = names.find((name) => !(values as readonly string[]).includes(name))
    if (unknown !== undefined) throw new InvalidArgumentError(`They are ${values.join(', ')}.`)
    return [...new Set(names)] as Value[]
  }
}

function parseSecret(text: string): string {
  if (new RegExp(`^${secretPattern}$`).test(text)) return text
  // Commander tells what was given.
  throw new CommandFailed('--secret is whsec_ and 44 characters of base64, as it was shown')
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

/** What the service answers. Throws CommandFailed. */
async function ask<Data>(options: Options, question: (webhooks: Webhooks) => Promise<Data>): Promise<Data> {
  const service = await serviceOf(options)
  return answerOf(service, question(service.client.webhooks))
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

const make = (options: Options & Chosen, url: string) => {
  const { campaign, types = eventTypes, include = [] } = options
  const webhook = { url, types: [...types], include: [...include], ...(campaign && { campaignId: campaign }) }
  return ask(options, (webhooks) => webhooks.create(webhook))
}

async function addWebhook(address: string, options: Options & Chosen): Promise<void> {
  const { webhookId, secret } = await make(options, address)
  const made = { id: webhookId, secret }
  printResult(made, options.json, [`Webhook ${webhookId} added.`, 'Its secret is shown this once:', secret])
}

async function listWebhooks(options: Options): Promise<void> {
  const all = await ask(options, (webhooks) => webhooks.list())
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
  const tested = await ask(options, (webhooks) => webhooks.test(id))
  const { status, milliseconds, error } = tested
  printResult(tested, options.json, [`${error ?? `answered ${status}`}, ${milliseconds} ms`])
  if (error !== null) throw new CommandFailed('the test was not delivered')
}

async function listDeliveries(id: string, options: Options): Promise<void> {
  const deliveries = await ask(options, (webhooks) => webhooks.deliveries(id, { limit: 100 }))
  const rows = deliveries.map(({ time, type, attempt, status, milliseconds, error, eventId }) => ({
    time,
    type,
    attempt: String(attempt),
    status: status === null ? null : String(status),
    milliseconds: String(milliseconds),
    error,
    event: eventId,
  }))
  printList(rows, options.json, 'Nothing was sent yet.')
}

async function rotateWebhook(id: string, options: Options & { overlap: number }): Promise<void> {
  const previousExpiresAt = timestamp(Date.now() + options.overlap)
  const { secret } = await ask(options, (webhooks) => webhooks.rotate(id, { previousExpiresAt }))
  printResult({ id, secret, previousExpiresAt }, options.json, [
    `The old secret signs until ${previousExpiresAt}. The new one is shown this once:`,
    secret,
  ])
}

async function replayWebhook(id: string, options: Options & { since: number }): Promise<void> {
  const since = timestamp(options.since)
  await ask(options, (webhooks) => webhooks.replay(id, { since }))
  printResult({ id, since }, options.json, [`Webhook ${id} tells all since ${since} again.`])
}

function setDisabled(disabled: boolean) {
  return async (id: string, options: Options): Promise<void> => {
    await ask(options, (webhooks) => webhooks.update(id, { disabled }))
    printResult({ id, disabled }, options.json, [`Webhook ${id} ${disabled ? 'disabled' : 'enabled'}.`])
  }
}

async function removeWebhook(id: string, options: Options): Promise<void> {
  await ask(options, (webhooks) => webhooks.delete(id))
  printResult({ id, removed: true }, options.json, [`Webhook ${id} removed.`])
}

/** Adds a webhook that sends here, unless one is there, and takes it away again. */
async function listen(options: Options & Chosen & { port?: number; secret?: string }): Promise<void> {
  const { url, port = 0, secret } = options
  const isLocal = url.startsWith('http:')
  if (secret === undefined && !isLocal)
    throw new CommandFailed(
      'a deployed service does not reach this machine: add a webhook for the address of a tunnel, and give --secret',
    )
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  const receiver = await openReceiver(
    port,
    ({ text, id, isAgain }) => printLine(`${text} ${id}${isAgain ? ' (again)' : ''}`),
    (reason) => tellLine(`refused: ${reason}`),
  )
  try {
    const made = secret === undefined ? await make(options, receiver.url) : null
    receiver.expect(secret ?? made?.secret ?? '')
    tellLine(`Listening at ${receiver.url}${made ? ` as ${made.webhookId}` : ''}. Ctrl-C ends it.`)
    await stopped
    if (made) await ask(options, (webhooks) => webhooks.delete(made.webhookId))
  } finally {
    // What still listens would keep the command from ending.
    receiver.close()
  }
}
