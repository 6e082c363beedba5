// Makes the requests of a template: placeholders put in, credentials added. Sends nothing. Pure.
import { limits } from '../../../base/limits.ts'
import { anyServer, findUrlProblem } from '../../webhooks/webhook-url.ts'
import { fillBody, fillText, textOf, type Values } from './placeholders.ts'
import { valueAt } from './pointer.ts'
import type { Auth, Credential, HangUp, TemplateRequest, Texts } from './template.ts'

/** Null: they are shown as `…`, and the request is not to be sent. */
type SecretTexts = Texts | null

type RenderedRequest = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Null: none is sent. */
  readonly body: string | null
  /** The same as members, of a form too. */
  readonly members: unknown
}

/** `problem`: why it cannot be made for these values. */
type Rendering =
  | { readonly isRendered: true; readonly request: RenderedRequest }
  | { readonly isRendered: false; readonly problem: string }

const refuse = (problem: string): Rendering => ({ isRendered: false, problem })

export function renderRequest(
  request: Omit<TemplateRequest, 'url'> & { readonly url: string },
  auth: Auth | null,
  values: Values,
  secrets: SecretTexts,
): Rendering {
  const url = fillUrl(request.url, values)
  return url === null
    ? refuse('a value of its URL is missing')
    : renderTo(url, request, auth, values, secrets)
}

/** `status`: the provider's last answer. A URL that it names gets no credentials. */
export function renderHangUp(
  hangUp: HangUp,
  auth: Auth | null,
  values: Values,
  secrets: SecretTexts,
  status: unknown,
): Rendering {
  if (!('urlAt' in hangUp)) return renderRequest(hangUp, auth, values, secrets)
  const url = valueAt(status, hangUp.urlAt)
  if (typeof url !== 'string' || url.length > limits.webhookUrlMaxChars)
    return refuse('the provider names no URL')
  const hostname = URL.parse(url)?.hostname ?? ''
  if (hostname !== hangUp.within && !hostname.endsWith(`.${hangUp.within}`))
    return refuse(`the provider names a URL that is not of ${hangUp.within}`)
  return renderTo(url, hangUp, null, values, secrets)
}

/** URL.parse would climb with it to another path of the provider. */
export const hasDotStep = (url: string): boolean =>
  url
    .replace(/[?#].*/s, '')
    .split('/')
    .some((step) => /^(?:\.|%2e){1,2}$/i.test(step))

function renderTo(
  url: string,
  request: Omit<TemplateRequest, 'url'>,
  auth: Auth | null,
  values: Values,
  secrets: SecretTexts,
): Rendering {
  if (hasDotStep(url)) return refuse('a step of its URL must not be . or ..')
  const found = findUrlProblem(url, anyServer)
  if (found !== null) return refuse(found)
  const members = request.body === undefined ? undefined : fillBody(request.body, values)
  const headers = Object.entries(request.headers ?? {}).flatMap(([name, text]) => {
    const value = fillText(text, values, (one) => one)
    return value === undefined ? [] : [[name.toLowerCase(), value] as const]
  })
  return {
    isRendered: true,
    request: {
      method: request.method,
      url,
      headers: {
        ...Object.fromEntries(headers),
        ...(members !== undefined && { 'content-type': contentTypes[request.encoding ?? 'json'] }),
        ...authHeader(auth, values.variables, secrets),
      },
      body: members === undefined ? null : encodeBody(members, request.encoding ?? 'json'),
      members: members ?? null,
    },
  }
}

const contentTypes = { json: 'application/json', form: 'application/x-www-form-urlencoded' } as const

function encodeBody(members: unknown, encoding: keyof typeof contentTypes): string {
  if (encoding === 'json') return JSON.stringify(members)
  const pairs = Object.entries(members as object).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, textOf(one)]),
  )
  return new URLSearchParams(pairs).toString()
}

/** A parameter of the query whose value is missing is left out. Null: a value of the path is missing. */
function fillUrl(template: string, values: Values): string | null {
  const at = template.indexOf('?')
  const path = fillText(at === -1 ? template : template.slice(0, at), values, encodeURIComponent)
  if (path === undefined || at === -1) return path ?? null
  const parameters = template
    .slice(at + 1)
    .split('&')
    .map((parameter) => fillText(parameter, values, encodeURIComponent))
    .filter((parameter) => parameter !== undefined)
  return parameters.length === 0 ? path : `${path}?${parameters.join('&')}`
}

const hidden = '…'

function authHeader(auth: Auth | null, variables: Texts, secrets: SecretTexts): Record<string, string> {
  if (auth === null) return {}
  const secretNamed = (name: string) => (secrets === null ? hidden : (secrets[name] ?? ''))
  if (auth.kind === 'bearer') return { authorization: `Bearer ${secretNamed(auth.secret)}` }
  if (auth.kind === 'header')
    return { [auth.name.toLowerCase()]: `${auth.prefix ?? ''}${secretNamed(auth.secret)}` }
  if (secrets === null) return { authorization: `Basic ${hidden}` }
  const textNamed = (one: Credential) =>
    'secret' in one ? secretNamed(one.secret) : (variables[one.variable] ?? '')
  const pair = `${textNamed(auth.user)}:${textNamed(auth.password)}`
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}
