// Makes a command for each operation of the API description that has `x-cli`. Operations of one name are one command:
// the options that are given decide which of them it is.
import { type Command, Option } from 'commander'
import { CommandFailed } from '../command-failed.ts'
import type { KeyName } from '../local/local-keys.ts'
import { withService } from '../on-service.ts'
import { type ApiCommand, apiCommands, type Input } from './describe-commands.ts'
import { readerOf, typesOf, type Value } from './readers.ts'
import { runOperation } from './run-operation.ts'

/** Adds to the nouns that exist. */
export function addApiCommands(admin: Command): void {
  const byName = Map.groupBy(apiCommands, ({ cli }) => `${cli.noun} ${cli.verb}`)
  for (const variants of byName.values()) addCommand(admin, variants)
}

function addCommand(admin: Command, variants: readonly ApiCommand[]): void {
  const first = variants[0] as ApiCommand
  const { cli, summary, list } = first
  const noun = nounOf(admin, first)
  const command = noun
    .command(cli.verb)
    .summary(summary)
    .description(variants.map((one) => plain(`${one.summary}. ${one.description}`)).join('\n\n'))
  const words = wordsOf(first)
  if (words) command.argument(`[${words.option}${isList(words) ? '...' : ''}]`, describeInput(words))
  const inputs = variants.flatMap((variant) => variant.inputs)
  for (const same of Map.groupBy(inputs, ({ option }) => option).values()) {
    const [input] = same as [Input]
    const isRequired = same.length === variants.length && same.every((one) => one.isRequired)
    const isMandatory = isRequired && input !== words
    if (input.sameAs === undefined)
      command.addOption(optionOf(input, variants).makeOptionMandatory(isMandatory))
  }
  const takes = (option: string) => inputs.some((input) => input.option === option)
  if (variants.some((one) => one.hasPages)) command.option('--all', 'follows the pages to the end', false)
  if (list !== null) command.addOption(new Option('--csv', 'all rows as CSV').conflicts('json'))
  if (variants.some((one) => one.cli.confirm)) command.option('--yes', 'does not ask', false)
  if (!takes('company') && keyNameOf(first) !== 'operator')
    command.option('--company <id>', 'fails when the key is of another company')
  withService(command, keyNameOf(first))
    .option('--json', 'print one JSON document', false)
    .action(async () => {
      const chosen = choose(command, variants)
      await runOperation(command, chosen, valuesOf(command, chosen, inputs), keyNameOf(chosen))
    })
}

/** In the help; a noun that is not here has the name of its area. */
const nouns: Readonly<Record<string, string>> = {
  activity: 'What people and keys changed',
  call: 'Calls under way',
  company: 'Companies, and the databases that they are in',
  consent: 'What people agreed to, and the record of a number',
  dialer: 'Who calls for a campaign',
  gate: 'What is asked before a lead is called',
  event: 'The log of what happened',
  key: 'API keys',
  member: 'People who sign in to the console',
  source: 'URLs to which forms and CRMs post leads',
}

/** Commands by hand may have added it. */
const nounOf = (admin: Command, { cli, about }: ApiCommand): Command =>
  admin.commands.find((command) => command.name() === cli.noun) ??
  admin.command(cli.noun).description(nouns[cli.noun] ?? about)

const keyNameOf = ({ isForOperator }: ApiCommand): KeyName => (isForOperator ? 'operator' : 'manage')

/** The input that takes the words after the verb: the named one, or the last of the path. */
const wordsOf = ({ cli, inputs }: ApiCommand): Input | undefined =>
  cli.words === undefined
    ? inputs.findLast(({ place }) => place === 'path')
    : inputs.find(({ members }) => members[0] === cli.words)

const isList = ({ schema }: Input) => typesOf(schema).includes('array')

function optionOf(input: Input, variants: readonly ApiCommand[]): Option {
  const { option: name, schema, place, members, reader } = input
  const text = describeInput(input)
  // What a request asks for is a flag; what it sets has a value.
  if (place === 'query' && typesOf(schema).includes('boolean')) return new Option(`--${name}`, text)
  const choices = choicesOf(schema)
  const option = new Option(`--${name} <${reader ?? 'value'}>`, text)
  if (choices.length > 0) return option.choices(choices)
  const resets = variants.some(({ method }) => method === 'PATCH')
  const read = readerOf(members.at(-1) as string, schema, input, resets)
  if (input.default !== undefined) option.default(read(input.default, undefined), input.default)
  return option.argParser<Value | typeof reset>(
    (value, before) => read(value, before === reset ? undefined : (before as Value | undefined)) ?? reset,
  )
}

/** In place of null, which commander takes for an option without a value. */
const reset = { isReset: true }

const choicesOf = ({ enum: choices = [] }: { readonly enum?: unknown }) =>
  (choices as unknown[]).filter((choice) => typeof choice === 'string')

/** Without links, which the description has for its page. One that only points to another operation is left out. */
const plain = (markdown: string): string =>
  markdown.replace(/ See \[[^\]]+\]\(#\w+\)\./g, '').replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')

/** The first sentence, and how it is written. */
function describeInput({ schema, reader }: Input): string {
  const [text = ''] = plain(String(schema.description ?? ''))
    .replace(', percent-encoded', '')
    .split(/(?<=\.) /)
  const items = choicesOf((schema.items ?? {}) as object)
  return [
    text.replace(/\.$/, ''),
    ...(items.length === 0 ? [] : [items.join(', ')]),
    ...(reader ? [forms[reader]] : []),
    ...(isList({ schema } as Input) ? ['repeatable, or with commas between'] : []),
  ].join('; ')
}

const forms = {
  hours: '"mon-fri 09:00-12:30 13:30-18:00", "sun closed"; repeatable',
  duration: '30s, 5m, 24h, 7d',
  outcome: 'no_answer=retry:60, busy=default; repeatable',
}

/** The first of operations with one name, unless what only the path of another one has is given. */
function choose(command: Command, variants: readonly ApiCommand[]): ApiCommand {
  const [first, ...others] = variants as [ApiCommand, ...ApiCommand[]]
  const pathOf = ({ inputs }: ApiCommand) =>
    inputs.filter(({ place }) => place === 'path').map(({ option }) => option)
  const shared = pathOf(first)
  const isChosen = (one: ApiCommand) =>
    pathOf(one).some((option) => !shared.includes(option) && isGiven(command, option))
  return others.find(isChosen) ?? first
}

const attribute = (option: string) => new Option(`--${option} <value>`).attributeName()
const isGiven = (command: Command, option: string) =>
  command.getOptionValueSource(attribute(option)) === 'cli'

/** What is given for each input. Throws CommandFailed when one is missing, or is not of the chosen operation. */
function valuesOf(command: Command, chosen: ApiCommand, all: readonly Input[]): ReadonlyMap<Input, Value> {
  const stray = all.find(
    ({ option }) => isGiven(command, option) && !chosen.inputs.some((input) => input.option === option),
  )
  if (stray) throw new CommandFailed(`option '--${stray.option}' does not go with the others: see --help`)
  const options = command.opts<Record<string, Value | typeof reset>>()
  const values = new Map<Input, Value>()
  for (const input of chosen.inputs) {
    const value = options[attribute(input.option)]
    if (value !== undefined) values.set(input, value === reset ? null : (value as Value))
  }
  const words = wordsOf(chosen)
  const [word] = command.args
  if (word !== undefined) {
    if (words === undefined || values.has(words))
      throw new CommandFailed(`'${word}' is one word too many: see --help`)
    values.set(words, isList(words) ? command.args : word)
  }
  for (const input of chosen.inputs) {
    const same = chosen.inputs.find(({ members }) => members[0] === input.sameAs)
    if (same) values.set(input, values.get(same) ?? null)
    if (input.isRequired && !values.has(input))
      throw new CommandFailed(`required option '--${input.option} <value>' not specified`)
  }
  if (chosen.method === 'PATCH' && ![...values.keys()].some(({ place }) => place === 'body'))
    throw new CommandFailed('nothing to set: see the options in --help')
  return values
}
