// Which templates are valid, and the message that names the member and says why it is not.
import * as z from 'zod/mini'
import { judge, type Reading } from '../../../base/http/reading.ts'
import { isObject } from '../../../base/http/schemas.ts'
import { limits } from '../../../base/limits.ts'
import { reportedOutcomes } from '../../../queue/campaigns/outcomes.ts'
import { findUrlProblem, type Server } from '../../webhooks/webhook-url.ts'
import {
  asciiText,
  conditions,
  exactlyOne,
  headerName,
  type Issue,
  list,
  mapOf,
  oneOf,
  plainPointer,
  plainText,
  pointers,
  says,
  strict,
  wrong,
} from './parts-input.ts'
import { findPlaceholderProblem, type PlaceholderGroup } from './placeholders.ts'
import { findPointerProblem } from './pointer.ts'
import { hasDotStep } from './render.ts'
import {
  costUnits,
  durationUnits,
  encodings,
  notDialledCauses,
  rangOutOutcomes,
  ringingAloneSeconds,
  type Template,
} from './template.ts'
import { findUseProblem } from './template-uses.ts'
import { findNamesProblem } from './words.ts'

const credential = strict({ variable: z.optional(plainText), secret: z.optional(plainText) }).check(
  exactlyOne(['variable', 'secret'], 0),
)
const auth = z.nullish(
  z.discriminatedUnion(
    'kind',
    [
      strict({ kind: z.literal('bearer'), secret: plainText }),
      strict({ kind: z.literal('basic'), user: credential, password: credential }),
      strict({
        kind: z.literal('header'),
        name: headerName,
        secret: plainText,
        prefix: z.optional(z.union([z.literal(''), asciiText])),
      }),
    ],
    {
      error: (issue: Issue) =>
        isObject(issue.input)
          ? 'template.auth.kind must be one of bearer, basic, header'
          : says('must be an object or null').error(issue),
    },
  ),
)

const anyValue: readonly PlaceholderGroup[] = ['lead', 'call', 'variables']
const withProvider: readonly PlaceholderGroup[] = [...anyValue, 'provider']

const url = (server: Server, groups: readonly PlaceholderGroup[]) =>
  z.string(says('must be an https:// URL')).check(
    wrong((text) => {
      if (text.length > limits.webhookUrlMaxChars)
        return `must have at most ${limits.webhookUrlMaxChars} characters`
      // URL.parse skips further slashes, and finds the host behind them.
      if (!/^https?:\/\/[^/\\]/i.test(text)) return 'must be an https:// URL'
      const [origin = ''] = /^[^/]*\/\/[^/?#]*/.exec(text) ?? []
      if (/[{}]/.test(origin)) return 'must not hold placeholders in its host'
      if (text.includes('#')) return 'must not have a fragment'
      const filled = text.replace(/\{\{[^{}]*\}\}/g, 'x')
      if (hasDotStep(filled)) return 'must not have . or .. as a step'
      const found = findUrlProblem(filled, server)
      return found?.replace(/^url /, '') ?? findPlaceholderProblem(text, groups)
    }),
  )

const headersWith = (groups: readonly PlaceholderGroup[]) =>
  mapOf(
    headerName,
    asciiText.check(wrong((text) => findPlaceholderProblem(text, groups))),
    'is not a header that a template may set',
  )
const headers = headersWith(['variables'])

const maxDepth = limits.metadataMaxDepth
/** What is wrong with a body, after the name of its member. */
function findBodyProblem(body: unknown, groups: readonly PlaceholderGroup[], depth = 0): string | null {
  if (depth > maxDepth) return `must be nested at most ${maxDepth} levels deep`
  if (typeof body === 'string') return findPlaceholderProblem(body, groups)
  if (typeof body !== 'object' || body === null) return null
  for (const member of Object.values(body)) {
    const found = findBodyProblem(member, groups, depth + 1)
    if (found !== null) return found
  }
  return null
}
const isFlat = (body: unknown) =>
  isObject(body) &&
  Object.values(body).every((value) => [value].flat().every((one) => typeof one !== 'object' || one === null))

const bodied = (groups: readonly PlaceholderGroup[]) => ({
  method: oneOf(['POST', 'PUT', 'PATCH', 'DELETE', 'GET']),
  encoding: z.optional(oneOf(encodings)),
  headers: z.optional(headers),
  body: z.optional(z.unknown().check(wrong((body) => findBodyProblem(body, groups)))),
})
type Bodied = { readonly method: string; readonly encoding?: string | undefined; readonly body?: unknown }
const bodyFits = wrong(({ method, encoding, body }: Bodied) => {
  if (method === 'GET' && body !== undefined) return 'must not have a body with GET'
  return encoding === 'form' && body !== undefined && !isFlat(body)
    ? 'must have a flat body, because its encoding is form'
    : null
})

/** A request of its own, whose headers may hold placeholders of `inHeaders`. */
export const requestOn = (server: Server, groups: readonly PlaceholderGroup[], inHeaders: PlaceholderGroup) =>
  strict({
    ...bodied(groups),
    url: url(server, groups),
    headers: z.optional(headersWith([inHeaders])),
  }).check(bodyFits)

const reading = (server: Server, groups: readonly PlaceholderGroup[]) => ({
  method: oneOf(['GET']),
  url: url(server, groups),
  headers: z.optional(headers),
})

const templateOutcome = oneOf([
  ...reportedOutcomes,
  ...notDialledCauses.map((cause) => `not_dialled:${cause}` as const),
])
const unfitStatus = says('must be an HTTP status, 200 to 599')
const statusCode = z.int(unfitStatus).check(z.minimum(200, unfitStatus), z.maximum(599, unfitStatus))

const seconds = strict({
  at: z.optional(plainPointer),
  unit: z.optional(oneOf(durationUnits)),
  from: z.optional(plainPointer),
  to: z.optional(plainPointer),
}).check(
  wrong((value) => {
    const names = Object.keys(value).sort().join()
    return names === 'at,unit' || names === 'from,to' ? null : 'must have at and unit, or from and to'
  }),
)

const [ringingMin, ringingMax] = [30, 300]
const ringsFor = says(`must be an integer between ${ringingMin} and ${ringingMax}`)

/** A phone that cannot be hung up may ring on, and be taken after its end was reported. */
function findRingingProblem({ status: { ringing }, hangUp }: Template): string | null {
  const isShort = hangUp == null && ringing != null && ringing.seconds < ringingAloneSeconds
  return isShort
    ? `template.status.ringing.seconds must be at least ${ringingAloneSeconds}, because the template has no hangUp`
    : null
}

const unfitName = 'is not a valid name'
const findCurrencyProblem = (text: string) =>
  /^[A-Z]{3}$/.test(text) ? null : 'must be three capital letters, such as USD, or a JSON Pointer'

/** What may stand at hosts depends on the server: see findUrlProblem. */
export const templateOn = (server: Server) =>
  strict({
    auth,
    start: strict({ ...bodied(anyValue), url: url(server, anyValue) }).check(bodyFits),
    started: strict({ id: plainPointer, unless: z.nullish(conditions) }),
    notDialled: z.optional(
      list(
        strict({ status: list(statusCode), when: z.nullish(conditions), because: oneOf(notDialledCauses) }),
      ),
    ),
    status: strict({
      ...reading(server, withProvider),
      over: conditions,
      complete: z.nullish(conditions),
      reason: z.optional(list(plainPointer, 10)),
      talked: z.nullish(conditions),
      voicemail: z.nullish(conditions),
      ringing: z.nullish(
        strict({
          while: conditions,
          seconds: z.int(ringsFor).check(z.minimum(ringingMin, ringsFor), z.maximum(ringingMax, ringsFor)),
          outcome: z.optional(oneOf(rangOutOutcomes)),
        }),
      ),
      outcomes: z.optional(mapOf(plainText, templateOutcome, unfitName)),
      afterTalk: z.nullish(mapOf(plainText, oneOf(reportedOutcomes), unfitName)),
      outcome: z.nullish(pointers),
      outcomeNames: z.nullish(
        mapOf(plainText, oneOf(reportedOutcomes), unfitName).check(wrong(findNamesProblem)),
      ),
      doNotCall: z.nullish(pointers),
      callbackAt: z.nullish(pointers),
      seconds: z.nullish(seconds),
      cost: z.nullish(
        strict({
          at: pointers,
          unit: z.optional(oneOf(costUnits)),
          currency: plainText.check(
            wrong((text) => (text.startsWith('/') ? findPointerProblem(text) : findCurrencyProblem(text))),
          ),
        }),
      ),
      details: z.nullish(mapOf(plainText, pointers, unfitName)),
    }),
    hangUp: z.nullish(
      strict({
        ...bodied(withProvider),
        url: z.optional(url(server, withProvider)),
        urlAt: z.optional(plainPointer),
        within: z.optional(plainText.check(wrong((host) => findHostProblem(host, server)))),
      }).check(
        bodyFits,
        wrong((hangUp) => {
          if ((hangUp.url === undefined) === (hangUp.urlAt === undefined))
            return 'must have either url or urlAt'
          return (hangUp.urlAt === undefined) === (hangUp.within === undefined)
            ? null
            : 'must have within together with urlAt'
        }),
      ),
    ),
    check: z.nullish(strict(reading(server, ['variables']))),
  })

const findHostProblem = (host: string, server: Server) => {
  const isHost = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/.test(host)
  const scheme = server.isLocal && ['localhost', '127.0.0.1'].includes(host) ? 'http' : 'https'
  return isHost && findUrlProblem(`${scheme}://${host}/`, server) === null ? null : 'must be a public host'
}

/** `value`: parsed JSON. It is kept as it was sent: what reads it takes one for a list of one. */
export function readTemplate(value: unknown, server: Server): Reading<Template> {
  if (value !== undefined && Buffer.byteLength(JSON.stringify(value)) > limits.dialerTemplateMaxBytes)
    return { isValid: false, message: `template must be at most ${limits.dialerTemplateMaxBytes} bytes` }
  const read = judge(templateOn(server), value)
  if (!read.isValid) return read
  const template = value as Template
  const found = findUseProblem(template) ?? findRingingProblem(template)
  return found === null ? { isValid: true, value: template } : { isValid: false, message: found }
}
