// Sends the request of a command, page by page where it is a list, and prints what the service answers.
import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import { JsonSource, memberSource } from '../../queue/leads/json-source.ts'
import { type Answer, ConnectionError, LeadIntakeError, type Retry } from '../../sdk/src/lead-intake.ts'
import { CommandFailed } from '../command-failed.ts'
import type { KeyName } from '../local/local-keys.ts'
import { chooseService, openServiceOf } from '../on-service.ts'
import {
  answerOf,
  describeError,
  describeUnreachable,
  isLocal,
  logRetry,
  openService,
  type Service,
} from '../service.ts'
import { askPerson, logLine, printLine } from '../text/print.ts'
import type { ApiCommand, Input } from './describe-commands.ts'
import { describeDaysLeft, type Value } from './readers.ts'
import { printCsv, printOne, printRows, type Row } from './show-answer.ts'

type Values = ReadonlyMap<Input, Value>
type Options = {
  readonly json: boolean
  readonly all?: boolean
  readonly csv?: boolean
  readonly yes?: boolean
  readonly company?: string
}

/** How many rows of a list a person is shown at first. */
const firstRows = 20

export async function runOperation(
  command: Command,
  operation: ApiCommand,
  values: Values,
  keyName: KeyName,
): Promise<void> {
  const options = command.opts<Options>()
  const isGuarded =
    options.company !== undefined && !operation.inputs.some(({ option }) => option === 'company')
  const { url, apiKey } = await chooseService(command, keyName)
  const service = isGuarded ? await openServiceOf(command) : openService(url, apiKey)
  if (operation.cli.confirm && !options.yes) await confirm(operation, values)
  await answerOf(service, show(service, operation, values, options).catch(explainLocal(service)))
}

/** What only a local service lacks, which answers as Cloudflare does where it has no such state. */
const explainLocal =
  ({ url }: Service) =>
  (error: unknown): never => {
    if (!isLocal(url) || !(error instanceof LeadIntakeError) || error.code !== 'restore_refused') throw error
    throw new CommandFailed(
      `${describeError(url, error)}: a local service keeps no earlier states. Only one on Cloudflare can be restored`,
    )
  }

/** Throws CommandFailed unless a person says yes. */
async function confirm({ summary }: ApiCommand, values: Values): Promise<void> {
  const given = [...values.values()].filter((value) => typeof value === 'string')
  const answer = await askPerson(`${summary}: ${[...new Set(given)].join(', ')}. Go on? [y/N] `)
  if (answer === null) throw new CommandFailed('nobody can be asked without a terminal: add --yes')
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandFailed('nothing was done')
}

async function show(
  service: Service,
  operation: ApiCommand,
  values: Values,
  { json, all = false, csv = false }: Options,
): Promise<void> {
  const { list, cli } = operation
  const pages = pagesOf(service, operation, values, all || csv)
  if (list === null) {
    const { data, text } = await whole(pages)
    if (json) printLine(text)
    else printOne(data, cli)
    requireDone(data, cli)
    for (const [{ option, reader, members }, value] of values) {
      if (reader !== 'hours') continue
      const left = describeDaysLeft(value, (data as Record<string, unknown>)[members[0] ?? ''])
      if (left !== '') logLine(`--${option}: ${left}`)
    }
    return
  }
  const rows: Row[] = []
  const texts: string[] = []
  let last: Page = { data: {}, text: '' }
  for await (last of pages) {
    const items = last.data[list]
    if (!Array.isArray(items)) throw new CommandFailed(`${service.url} does not answer like this service`)
    if (items.length > 0) texts.push(sourceOf(last.text, list).slice(1, -1))
    rows.push(...items)
  }
  if (json && !all) return printLine(last.text)
  if (json) {
    const empty = JSON.stringify({ [list]: [], ...last.data, ...{ [list]: [] } })
    return printLine(empty.replace('[]', () => `[${texts.join()}]`))
  }
  if (csv) return printCsv(rows, cli)
  printRows(rows, cli)
  const { nextCursor } = last.data
  if (!all && nextCursor) logLine(`There are more: --cursor ${nextCursor}, or --all`)
}

type Page = { readonly data: Row; readonly text: string }

/** The answers, to the last page with `all`. */
async function* pagesOf(
  service: Service,
  operation: ApiCommand,
  values: Values,
  all: boolean,
): AsyncGenerator<Page> {
  const query: Row = membersIn('query', values)
  const sent = new Map(values)
  const inBody = operation.inputs.find(({ option, place }) => option === 'cursor' && place === 'body')
  const keep = operation.inputs.find(({ members }) => members[0] === 'keepId')
  const limit = operation.inputs.find(({ option }) => option === 'limit')
  if (limit && operation.hasPages)
    query.limit ??= all ? ((limit.schema.maximum as number | undefined) ?? null) : firstRows
  for (;;) {
    const { data, text } = await send(service, operation, sent, query)
    // Without a text it is the answer of a request that was lost.
    yield { data, text: text === '' ? JSON.stringify(data) : sourceOf(text, 'data') }
    // Half of a step is none: also without `--all`.
    if (data.complete === false) {
      if (keep) sent.set(keep, data.keepId as Value)
      continue
    }
    // A page of events may be empty because none of them have the requested types: the log ends where `next` stays.
    const isEnd = 'next' in data ? data.next === query.after : !data.nextCursor && data.more !== true
    if (!all || isEnd) return
    if ('next' in data) query.after = data.next as Value
    else if (data.nextCursor && inBody) sent.set(inBody, data.nextCursor as Value)
    else if (data.nextCursor) query.cursor = data.nextCursor as Value
  }
}

/** One answer; of several, which do a part of the work each, the sums. */
async function whole(pages: AsyncGenerator<Page>): Promise<Page> {
  let sum: Page | null = null
  for await (const page of pages) {
    const before: Row = sum?.data ?? {}
    const sumOf = ([name, value]: [string, Value]) =>
      typeof value === 'number' && 'more' in page.data ? value + Number(before[name] ?? 0) : value
    const data = Object.fromEntries(Object.entries(page.data).map((one) => [one[0], sumOf(one)]))
    sum = sum === null ? page : { data, text: JSON.stringify(data) }
  }
  return sum as Page
}

function send(service: Service, operation: ApiCommand, values: Values, query: Row): Promise<Answer<Row>> {
  const { method, path, isKeyed, inputs } = operation
  const body = Object.entries(membersIn('body', values)).map(
    ([name, value]) =>
      `${JSON.stringify(name)}:${value instanceof JsonSource ? value.text : JSON.stringify(value)}`,
  )
  const hasBody = inputs.some(({ place }) => place === 'body')
  const inPath = membersIn('path', values)
  return service.client.request<Row>({
    method,
    path: path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(inPath[name]))),
    query,
    ...(hasBody && { body: `{${body.join()}}` }),
    ...(isKeyed && { idempotencyKey: randomUUID() }),
    isOnce: operation.cli.once ?? false,
    ...(method === 'DELETE' && { whenGone: { deleted: true } }),
    onRetry: (retry) => onRetry(service.url, retry),
  })
}

/** A service that cannot be reached is said at once: only what may have arrived is repeated. */
function onRetry(url: string, retry: Retry): void {
  const { error } = retry
  const mayHaveArrived = /ECONNRESET|EPIPE|UND_ERR|no answer|terminated/.test(error.message)
  if (error instanceof ConnectionError && !mayHaveArrived)
    throw new CommandFailed(describeUnreachable(url, error))
  logRetry(url, retry)
}

function membersIn(place: Input['place'], values: Values): Row {
  const row: Record<string, Value> = {}
  for (const [input, value] of values) {
    const [name = '', inner] = input.members
    if (input.place !== place) continue
    row[name] = inner === undefined ? value : { ...(row[name] as Row), [inner]: value }
  }
  return row
}

/** Throws CommandFailed when the answer says that it did not work, or lacks what is shown once. */
function requireDone({ error, ...data }: Row, { secret }: ApiCommand['cli']): void {
  if (typeof error === 'string') throw new CommandFailed(error)
  if (secret !== undefined && data[secret] === null)
    throw new CommandFailed(`the answer with the ${secret} was lost, and it is not shown again: make another`)
}

/** The text of a member exactly as it was sent: parsing would change numbers that JavaScript cannot hold. */
const sourceOf = (json: string, name: string) => memberSource(json, name)?.text ?? 'null'
