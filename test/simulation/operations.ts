// Every operation of the API, as its description names it.
import { describeApi } from '../../src/docs/describe-api.ts'

export type Route = {
  readonly method: string
  readonly path: string
  /** Of the keys that may send it, each alone. */
  readonly scopes: readonly string[]
}

type Described = {
  readonly operationId?: string
  readonly security?: readonly { readonly ApiKey?: readonly string[] }[]
}

const { paths } = describeApi() as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
}

export const operations: ReadonlyMap<string, Route> = new Map(
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { operationId, security = [] }]) => {
      const scopes = security.flatMap(({ ApiKey = [] }) => ApiKey)
      const route = { method: method.toUpperCase(), path, scopes }
      return operationId === undefined ? [] : [[operationId, route] as const]
    }),
  ),
)

/** What no action does, and why. */
export const exempt: Readonly<Record<string, string>> = {
  keepForRestore: 'A world does not restore D1 itself, which the platform does for all companies at once.',
  openRestored: 'As keepForRestore.',
  listConsentUses: 'It reads one page of what readRecord has whole.',
}

/** `{leadId}` and the like in its path, and its query. */
export function pathOf(
  operation: string,
  parts: Readonly<Record<string, string>>,
  query: object = {},
): string {
  const route = operations.get(operation)
  if (route === undefined) throw new Error(`No such operation: ${operation}`)
  const path = route.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(parts[name] ?? ''))
  const asked = new URLSearchParams(query as Record<string, string>).toString()
  return asked === '' ? path : `${path}?${asked}`
}
