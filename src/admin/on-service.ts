// Shared by all commands on the API: which service and key they mean, and what they say when either is missing. The
// same for the local service and a deployed one.
import { type Command, Option } from 'commander'
import { ConnectionError, type Retry } from '../sdk/src/lead-intake.ts'
import { parseServiceUrl } from './arguments/arguments.ts'
import { CommandFailed } from './command-failed.ts'
import {
  campaignOfKey,
  defaultStateDir,
  type KeyName,
  readLocalKeys,
  readLocalUrl,
} from './local/local-keys.ts'
import {
  answerOf,
  describeUnreachable,
  isLocal,
  openService,
  reachTimeoutMs,
  type Service,
} from './service.ts'

const localUrl = 'http://localhost:8787'

/** Adds the options that choose service and key, a key of `scope` where there is a choice. */
export function withService(command: Command, scope: KeyName = 'manage'): Command {
  return command
    .addOption(
      new Option('--url <url>', `the service; by default where npm start serves it, or ${localUrl}`)
        .argParser(parseServiceUrl)
        .env('LEAD_INTAKE_URL'),
    )
    .addOption(
      new Option(
        '--key <key>',
        `${scope === 'operator' ? 'operator key' : `API key with ${scope} scope`}, best in the environment; ` +
          'for a local service by default the key that npm start wrote',
      ).env('LEAD_INTAKE_KEY'),
    )
    .option('--local', 'the local service, with the key that npm start wrote; ignores the environment', false)
    .addOption(
      new Option('--persist-to <dir>', 'where npm start wrote its keys').default(
        defaultStateDir,
        '.wrangler/state',
      ),
    )
}

type Chosen = {
  readonly local: boolean
  readonly persistTo: string
  readonly url?: string
  readonly key?: string
  readonly campaign?: string
}

/**
 * The service and key of a command, nothing sent yet: of the local keys, the one with the fewest rights that may do it.
 * Throws CommandFailed without a key.
 */
export async function chooseService(
  command: Command,
  scope: KeyName = 'manage',
): Promise<Pick<Service, 'url' | 'apiKey'>> {
  const { local, persistTo, campaign, ...given } = command.opts<Chosen>()
  const chosen = (name: 'url' | 'key') =>
    local && command.getOptionValueSource(name) === 'env' ? undefined : given[name]
  const url = chosen('url') ?? (await readLocalUrl(persistTo)) ?? localUrl
  const ownKey = chosen('key')
  if (ownKey) return { url, apiKey: ownKey }
  // The local keys are sent to no other service.
  const keys = isLocal(url) ? await readLocalKeys(persistTo) : {}
  // In the demo's campaign, or else in the company.
  const mayDo = (name: KeyName) => campaign === undefined || [null, campaign].includes(campaignOfKey(name))
  const names: readonly KeyName[] = scope === 'operator' ? [scope] : [scope, 'manage']
  const apiKey = names.filter(mayDo).flatMap((name) => keys[name] ?? [])[0]
  if (typeof apiKey === 'string') return { url, apiKey }
  if (typeof keys[scope] === 'string')
    throw new CommandFailed(
      `the ${scope} key of the demo, used without one of yours, is for campaign ${campaignOfKey(scope)}, ` +
        `not for ${campaign}: set LEAD_INTAKE_KEY, or give --key <key>`,
    )
  const writes = isLocal(url) ? `; npm start writes one for the local service, but ${persistTo} has none` : ''
  throw new CommandFailed(`no API key: set LEAD_INTAKE_KEY, or give --key <key>${writes}`)
}

/** `companyId`: the owner of the key. */
export type OpenService = Service & { readonly companyId: string }

/** Finds a wrong address, key or company before the command does anything. Throws CommandFailed. */
export async function openServiceOf(command: Command): Promise<OpenService> {
  const { url, apiKey } = await chooseService(command)
  const service = openService(url, apiKey)
  const onRetry = ({ error }: Retry) => {
    if (error instanceof ConnectionError) throw new CommandFailed(describeUnreachable(url, error))
  }
  const { company } = await answerOf(
    service,
    service.client.keys.self({ timeoutMs: reachTimeoutMs, onRetry }),
  )
  const { company: wanted = company.id } = command.opts<{ company?: string }>()
  if (wanted !== company.id)
    throw new CommandFailed(`the API key is of company ${company.id}, not of ${wanted}`)
  return { ...service, companyId: company.id }
}

// biome-ignore lint/suspicious/noExplicitAny: commander passes what the options say, checked by their parsers
type ServiceAction = (service: OpenService, options: any, ...words: string[]) => Promise<void>

/** Adds the shared options; the action gets the service, which is reached with a valid key. */
export const onService = (command: Command, action: ServiceAction): Command =>
  withService(command)
    .option('--company <id>', 'fails when the key is of another company')
    .option('--json', 'print one JSON document', false)
    .action(async () => {
      const service = await openServiceOf(command)
      await answerOf(service, action(service, command.opts(), ...command.args))
    })
