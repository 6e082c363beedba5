// Which variables and secrets a template names, and whether those that a client gives are what it needs. Pure.
import { limits } from '../../../base/limits.ts'
import { variablesIn } from './placeholders.ts'
import { variablesInPointer } from './pointer.ts'
import { type Credential, listOf, type Template, type Texts } from './template.ts'

export type Uses = {
  /** Without one of these, a request cannot be made. */
  readonly requiredVariables: ReadonlySet<string>
  readonly variables: ReadonlySet<string>
  /** Headers hold ASCII only. */
  readonly headerVariables: ReadonlySet<string>
  readonly secrets: ReadonlySet<string>
}

/** Not of a template: it says how long a call may last. */
const maxCallSecondsName = 'maxCallSeconds'
export const defaultMaxCallSeconds = 3_600

export function usesOf(template: Template): Uses {
  const { start, status, hangUp, check } = template
  const auth = template.auth ?? null
  const requests = [start, status, hangUp, check].filter((request) => request != null)
  const urls = requests.flatMap((request) => ('url' in request ? [request.url] : []))
  const credentials: readonly Credential[] =
    auth === null ? [] : auth.kind === 'basic' ? [auth.user, auth.password] : [{ secret: auth.secret }]
  const requiredVariables = new Set([
    ...urls.flatMap((url) => variablesIn(url.split('?')[0] ?? '')),
    ...credentials.flatMap((one) => ('variable' in one ? [one.variable] : [])),
  ])
  const headerVariables = requests.flatMap(({ headers }) => Object.values(headers ?? {}).flatMap(variablesIn))
  const pointers = [
    status.outcome,
    status.doNotCall,
    status.callbackAt,
    status.cost?.at,
    ...Object.values(status.details ?? {}),
  ]
  return {
    requiredVariables,
    variables: new Set([
      ...requiredVariables,
      ...urls.flatMap(variablesIn),
      ...headerVariables,
      ...requests.flatMap((request) =>
        'body' in request ? variablesIn(JSON.stringify(request.body) ?? '') : [],
      ),
      ...pointers.flatMap((one) => listOf(one).flatMap(variablesInPointer)),
    ]),
    headerVariables: new Set(headerVariables),
    secrets: new Set(credentials.flatMap((one) => ('secret' in one ? [one.secret] : []))),
  }
}

/** Why a template names too much, or null. */
export function findUseProblem(template: Template): string | null {
  const { variables } = usesOf(template)
  const { start, status, hangUp, check } = template
  const headers = [start, status, hangUp, check].flatMap((one) => Object.keys(one?.headers ?? {}))
  if (variables.size > limits.dialerVariablesMax)
    return `template must name at most ${limits.dialerVariablesMax} variables`
  if (headers.length > limits.dialerHeadersMax)
    return `template must have at most ${limits.dialerHeadersMax} headers`
  const auth = template.auth ?? null
  const ownHeader = auth === null ? null : auth.kind === 'header' ? auth.name.toLowerCase() : 'authorization'
  return headers.some((name) => name.toLowerCase() === ownHeader)
    ? `template must not set ${ownHeader} among its headers, because template.auth does`
    : null
}

/**
 * Of a template of a customer, what is named is needed: one can leave it out of the template. `before`: the variables
 * that the same template has had, so that a dialer that version 2.0.0 took can still be switched off.
 */
export function usesOfOwn(template: Template, before: Texts | null): Uses {
  const uses = usesOf(template)
  const isNeeded = (name: string) => before === null || Object.hasOwn(before, name)
  const named = [...uses.variables].filter((name) => name !== maxCallSecondsName && isNeeded(name))
  return { ...uses, requiredVariables: new Set([...uses.requiredVariables, ...named]) }
}

/** Why a client's variables or secrets are not those that are needed, or null. It names the first. */
export function findGivenProblem(
  { requiredVariables, variables, headerVariables, secrets }: Uses,
  given: { readonly variables: Texts; readonly secrets: Texts },
): string | null {
  const isKnown = (name: string) => variables.has(name) || name === maxCallSecondsName
  const unknownVariable = Object.keys(given.variables).find((name) => !isKnown(name))
  if (unknownVariable !== undefined)
    return `variables.${shown(unknownVariable)} is not a variable of the template`
  const unknownSecret = Object.keys(given.secrets).find((name) => !secrets.has(name))
  if (unknownSecret !== undefined) return `secrets.${shown(unknownSecret)} is not a secret of the template`
  const unfit = [...headerVariables].find((name) => !/^[ -~]*$/.test(given.variables[name] ?? ''))
  if (unfit !== undefined) return `variables.${unfit} must be printable ASCII, because a header holds it`
  const missingVariable = [...requiredVariables].find((name) => !Object.hasOwn(given.variables, name))
  if (missingVariable !== undefined) return `variables.${missingVariable} is required`
  const missingSecret = [...secrets].find((name) => !Object.hasOwn(given.secrets, name))
  return missingSecret === undefined ? null : `secrets.${missingSecret} is required`
}

const shown = (name: string) => (/^\w{1,64}$/.test(name) ? name : '…')
