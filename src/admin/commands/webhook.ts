// `webhook listen`: receives events on this machine. All other commands of webhooks come from the API description.
import { type Command, InvalidArgumentError } from 'commander'
import { type EventType, eventTypes } from '../../base/ledger/log/event-types.ts'
import { secretPattern } from '../../channels/webhooks/signature.ts'
import { includable } from '../../channels/webhooks/store/endpoints.ts'
import { parsePort } from '../arguments/arguments.ts'
import { CommandFailed } from '../command-failed.ts'
import { openReceiver } from '../local/webhook-receiver.ts'
import { chooseService, type OpenService, openServiceOf, withService } from '../on-service.ts'
import { answerOf, isLocal } from '../service.ts'
import { logLine, printLine } from '../text/print.ts'

export function addWebhookCommands(admin: Command): void {
  const webhook = admin.command('webhook').description('Where events are sent')
  const listening = webhook
    .command('listen')
    .description('Receives events on this machine, verifies and prints them, until Ctrl-C')
  withService(listening)
    .option('--campaign <id>', 'only this campaign, instead of all of the company')
    .option('--types <types>', 'separated by commas; all when left out', parseSome(eventTypes))
    .option('--include <names>', `more data to send: ${includable.join(',')}`, parseSome(includable))
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

type Chosen = {
  readonly campaign?: string
  readonly types?: EventType[]
  readonly include?: (typeof includable)[number][]
}

const createWebhook = ({ client }: OpenService, { campaign, types, include = [] }: Chosen, url: string) =>
  // Without types it gets those of later versions too.
  client.webhooks.create({ url, types: types ?? null, include, ...(campaign && { campaignId: campaign }) })

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
