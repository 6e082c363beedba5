// What a client sends of a dialer: text goes in, its settings or a message come out. Secrets belong to one template:
// another preset or template drops them.
import * as z from 'zod/mini'
import { judge, mapReading, type Reading } from '../../base/http/reading.ts'
import {
  boolean,
  integer,
  isAbsent,
  isObject,
  members,
  problem,
  requiredText,
} from '../../base/http/schemas.ts'
import { limits } from '../../base/limits.ts'
import { changeableFields, phoneNumber, sourcedLead } from '../../queue/leads/fields.ts'
import { memberSource } from '../../queue/leads/json-source.ts'
import type { Server } from '../webhooks/webhook-url.ts'
import { presets, usesOfPreset } from './presets/presets.ts'
import type { StoredDialer } from './store/set-dialer.ts'
import type { Template, Texts } from './template/template.ts'
import { readTemplate } from './template/template-input.ts'
import { defaultMaxCallSeconds, findGivenProblem, usesOfOwn } from './template/template-uses.ts'
import type { Tested } from './test-memory.ts'

export type DialerSettings = Pick<
  StoredDialer,
  'isEnabled' | 'maxLive' | 'preset' | 'template' | 'variables'
> & { readonly secrets: Texts }

const custom = 'custom'
const presetNames = [...presets.map(({ name }) => name), custom]
const defaultMaxLive = 5

/** An object of texts. */
const texts = (name: string, pattern: RegExp, maxBytes: number, kind: string) =>
  z.custom<Texts>().check(
    problem((value) => {
      if (!isObject(value)) return `${name} must be an object`
      const wrong = Object.entries(value).find(
        ([, text]) =>
          typeof text !== 'string' ||
          !pattern.test(text) ||
          !text.isWellFormed() ||
          Buffer.byteLength(text) > maxBytes,
      )
      if (wrong === undefined) return null
      return `${name}.${/^\w{1,64}$/.test(wrong[0]) ? wrong[0] : '…'} must be a string of 1 to ${maxBytes} ${kind}`
    }),
  )

const { dialerSecretMaxBytes, dialerTextMaxChars } = limits
/** Sent in headers. */
export const secretTexts = texts('secrets', /^[ -~]+$/, dialerSecretMaxBytes, 'printable ASCII characters')
const body = {
  // Null would be the default, which switches it on.
  enabled: z.optional(boolean('enabled')),
  maxLive: z.nullish(integer('maxLive', { min: 1, max: limits.dialerLiveMax })),
  preset: z.enum(presetNames, {
    error: ({ input }) =>
      isAbsent(input) ? 'preset is required' : `preset must be one of ${presetNames.join(', ')}`,
  }),
  variables: z.nullish(texts('variables', /^\P{Cc}+$/u, dialerTextMaxChars, 'bytes, without line breaks')),
  secrets: z.nullish(secretTexts),
  template: z.optional(z.unknown()),
}
export const dialerBody = members(body)

export const previewBody = members({ leadId: requiredText('leadId is required', 'leadId must be a string') })

/** The lead's id. */
export const readPreviewed = (json: string): Reading<string> =>
  mapReading(judge(previewBody, JSON.parse(json)), ({ leadId }) => leadId)

export const testBody = members({ phoneNumber, metadata: changeableFields.metadata })

/** Throws SyntaxError when it is not JSON. */
export function readTested(json: string): Reading<Omit<Tested, 'testId'>> {
  const body: unknown = JSON.parse(json)
  const sent = isObject(body) ? sourcedLead(body, memberSource(json, 'metadata')) : body
  return mapReading(judge(testBody, sent), (read) => ({
    phoneNumber: read.phoneNumber,
    metadata: read.metadata == null ? null : JSON.parse(read.metadata.text),
  }))
}

const refuse = (message: string) => ({ isValid: false, message }) as const

/** A whole dialer: what is absent has its default. */
export const readDialer = (json: string, server: Server) => judgeDialer(JSON.parse(json), null, server)

/** Whether a change could be one, whatever the dialer is. */
export function judgeDialerChange(json: string): Reading<unknown> {
  const change: unknown = JSON.parse(json)
  if (!isObject(change)) return judge(dialerBody, change)
  return judge(dialerBody, {
    preset: custom,
    ...change,
    variables: merge({}, change.variables),
    secrets: merge({}, change.secrets),
  })
}

/** Merges the members, `variables` and `secrets`; null removes one. */
export function readDialerChange(
  json: string,
  before: DialerSettings,
  server: Server,
): Reading<DialerSettings> {
  const change: unknown = JSON.parse(json)
  if (!isObject(change)) return judgeDialer(change, before, server)
  const isPreset = typeof change.preset === 'string' && change.preset !== custom
  const merged = {
    enabled: before.isEnabled,
    maxLive: before.maxLive,
    preset: before.preset,
    template: isPreset ? null : before.template,
    ...change,
    variables: merge(before.variables, change.variables),
  }
  return judgeDialer(merged, before, server)
}

/** The schema rejects non-objects. Null removes all. */
export function merge(before: Texts, change: unknown): unknown {
  if (change === undefined) return before
  if (!isObject(change)) return change
  return Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== null))
}

/** `before`: whose secrets stay while the template is the same. Null: none. */
function judgeDialer(value: unknown, before: DialerSettings | null, server: Server): Reading<DialerSettings> {
  const given = isObject(value) ? value.secrets : undefined
  const outer = judge(dialerBody, isObject(value) ? { ...value, secrets: merge({}, given) } : value)
  if (!outer.isValid) return outer
  const { enabled, maxLive, preset: name } = outer.value
  const preset = presets.find((one) => one.name === name)
  if (preset !== undefined && (outer.value.template ?? null) !== null)
    return refuse('template must not be given with a preset')
  const template = preset === undefined ? readTemplate(outer.value.template, server) : null
  if (template !== null && !template.isValid) return template
  const settings = {
    isEnabled: enabled ?? true,
    maxLive: maxLive ?? defaultMaxLive,
    preset: name,
    template: template?.value ?? null,
    variables: outer.value.variables ?? {},
  }
  const isSame =
    before !== null &&
    before.preset === name &&
    JSON.stringify(before.template) === JSON.stringify(settings.template)
  const secrets = (merge(isSame ? before.secrets : {}, given) ?? {}) as Texts
  const uses =
    preset === undefined
      ? usesOfOwn(settings.template as Template, isSame ? before.variables : null)
      : usesOfPreset(preset)
  const found =
    findGivenProblem(uses, { variables: settings.variables, secrets }) ??
    findMaxCallProblem(settings.variables) ??
    preset?.findProblem?.(settings.variables) ??
    null
  return found === null ? { isValid: true, value: { ...settings, secrets } } : refuse(found)
}

const [maxCallSecondsMin, maxCallSecondsMax] = [1, limits.durationMaxSeconds]
function findMaxCallProblem({ maxCallSeconds = `${defaultMaxCallSeconds}` }: Texts): string | null {
  const isFitting =
    /^\d{1,5}$/.test(maxCallSeconds) &&
    Number(maxCallSeconds) >= maxCallSecondsMin &&
    Number(maxCallSeconds) <= maxCallSecondsMax
  return isFitting
    ? null
    : `variables.maxCallSeconds must be an integer between ${maxCallSecondsMin} and ${maxCallSecondsMax}`
}
