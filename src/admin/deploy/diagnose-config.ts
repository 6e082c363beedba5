// What the doctor finds in wrangler.toml: each environment, which inherits no bindings, has what the file has at its
// top, and a database of its own.
import { parse } from 'smol-toml'

/** As the service has it: src/control/alerts/diagnosis.ts. */
export type Check = {
  readonly name: string
  readonly status: 'ok' | 'warning' | 'broken'
  readonly message: string
  readonly fix: string | null
}

type Named = { readonly binding?: string; readonly name?: string; readonly class_name?: string }
type Config = {
  readonly d1_databases?: readonly (Named & { readonly database_name?: string })[]
  readonly durable_objects?: { readonly bindings?: readonly Named[]; readonly code_update_strategy?: unknown }
  readonly analytics_engine_datasets?: readonly Named[]
  readonly secrets?: { readonly required?: readonly string[] }
  readonly vars?: Readonly<Record<string, unknown>>
  readonly routes?: readonly unknown[]
}

const fix = 'copy what is missing from src/admin/operations/deploy.md, Staging and production'

/** `text`: of the file. */
export function diagnoseConfig(text: string): readonly Check[] {
  const { env = {}, ...top } = parse(text) as unknown as Config & { env?: Readonly<Record<string, Config>> }
  return Object.entries(env).map(([name, own]): Check => {
    const check = `env.${name}`
    const missing = namesOf(top).filter((one) => !namesOf(own).includes(one))
    if (missing.length > 0)
      return { name: check, status: 'broken', message: `It lacks ${missing.join(', ')}`, fix }
    const shared = own.d1_databases?.find(({ database_name }) =>
      top.d1_databases?.some((one) => one.database_name === database_name),
    )
    if (shared !== undefined) {
      const message = `Its database is production’s, ${shared.database_name}`
      return {
        name: check,
        status: 'broken',
        message,
        fix: `give database_name under [env.${name}] another name`,
      }
    }
    if (top.routes !== undefined && own.routes === undefined) {
      const message = 'A deployment of it takes the domain away from production'
      return { name: check, status: 'warning', message, fix: `routes = [] under [env.${name}]` }
    }
    return { name: check, status: 'ok', message: 'has all that production has', fix: null }
  })
}

/** All that an environment must repeat. */
const namesOf = (config: Config): readonly string[] => [
  ...(config.d1_databases ?? []).map(({ binding }) => `d1_databases ${binding}`),
  ...(config.durable_objects?.code_update_strategy ? ['durable_objects.code_update_strategy'] : []),
  ...(config.durable_objects?.bindings ?? []).map(
    (one) => `durable_objects ${one.name} of ${one.class_name}`,
  ),
  ...(config.analytics_engine_datasets ?? []).map(({ binding }) => `analytics_engine_datasets ${binding}`),
  ...(config.secrets?.required ?? []).map((name) => `secrets ${name}`),
  ...Object.keys(config.vars ?? {}).map((name) => `vars ${name}`),
]
