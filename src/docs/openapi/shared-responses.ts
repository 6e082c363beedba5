// Answers that several operations have alike, such as most failures, are described once, among the components. Which
// operation has which answers is not decided here.
import type { Operation, PathItems, Reference, Response } from './document.ts'

type Shared = { readonly paths: PathItems; readonly responses: Readonly<Record<string, Response>> }

/** The same paths, with references where an answer of a failure is that of another operation too. */
export function shareResponses(paths: PathItems): Shared {
  const failures = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .flatMap((operation) => Object.entries(operation.responses))
    .filter(([status, response]) => Number(status) >= 400 && 'content' in response)
    .map(([, response]) => response as Response)
  const alike = [...Map.groupBy(failures, (response) => JSON.stringify(response))]
  const shared = alike.filter(([, { length }]) => length > 1)
  const names = new Map(shared.map(([text, [response]]) => [text, nameOf(response as Response)]))
  if (new Set(names.values()).size < names.size) throw new Error('Two answers would have the same name.')

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
    responses: Object.fromEntries(shared.map(([text, [response]]) => [names.get(text), response])),
  }
}

/** After the codes that it can have: `InsufficientPermissionsOrCampaignDenied`. */
function nameOf({ headers, description }: Response): string {
  const code = headers?.['X-Error-Code']
  if (code === undefined || !('schema' in code)) throw new Error(`A failure without a code: ${description}`)
  const codes = code.schema.enum as readonly string[]
  return codes.map((one) => one.replace(/(?:^|_)./g, (start) => start.slice(-1).toUpperCase())).join('Or')
}

function mapValues<From, To>(record: Readonly<Record<string, From>>, map: (value: From) => To) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))
}
