// Moves failures that several operations have in common to the components, so that each is described once.
import type { Operation, PathItems, Reference, Response } from './document.ts'

type Shared = { readonly paths: PathItems; readonly responses: Readonly<Record<string, Response>> }

/** The same paths, with references in place of failures that several operations have. */
export function shareResponses(paths: PathItems): Shared {
  const failures = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .flatMap((operation) => Object.entries(operation.responses))
    .filter(([status, response]) => Number(status) >= 400 && 'content' in response)
    .map(([, response]) => response as Response)
  const groups = [...Map.groupBy(failures, (response) => JSON.stringify(response))]
  const shared = groups.filter(([, { length }]) => length > 1)
  const named = shared.map(([json, [response]]) => [json, nameOf(response as Response)] as const)
  // Those with the same codes and other texts are numbered.
  const names = new Map(
    [...Map.groupBy(named, ([, name]) => name).values()].flatMap((alike) =>
      alike.map(([json, name], index) => [json, index === 0 ? name : `${name}${index + 1}`] as const),
    ),
  )

  const refer = (response: Response | Reference) => {
    const name = names.get(JSON.stringify(response))
    return name === undefined ? response : { $ref: `#/components/responses/${name}` }
  }
  const ofOperation = (operation: Operation) => ({
    ...operation,
    responses: mapValues(operation.responses, refer),
  })
  return {
    paths: mapValues(paths, (item) => mapValues(item, ofOperation)),
    responses: Object.fromEntries(
      shared.map(([json, [response]]) => [names.get(json), response as Response]),
    ),
  }
}

/** From the error codes: `InsufficientPermissionsOrCampaignDenied`. */
function nameOf({ headers, description }: Response): string {
  const code = headers?.['X-Error-Code']
  if (code === undefined || !('schema' in code)) throw new Error(`A failure has no code: ${description}`)
  const codes = code.schema.enum as readonly string[]
  return codes.map((one) => one.replace(/(?:^|_)./g, (start) => start.slice(-1).toUpperCase())).join('Or')
}

function mapValues<From, To>(record: Readonly<Record<string, From>>, map: (value: From) => To) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))
}
