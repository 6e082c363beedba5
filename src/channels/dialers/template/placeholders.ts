// Placeholders of a template, such as {{lead.phoneNumber}}: which there are, and what is put in. What is put in is
// never expanded again. Pure.
import { formatLocalTime } from '../../../base/time-zone.ts'
import type { Texts } from './template.ts'

/** What placeholders name. A member that is null, or not there, is missing. */
export type Values = {
  readonly lead: Readonly<Record<string, unknown>> & { readonly metadata?: unknown }
  readonly call: Readonly<Record<string, unknown>>
  readonly provider: { readonly id?: string }
  readonly variables: Texts
  /** Of a gate, whose headers name them. */
  readonly secrets?: Texts
}

export type PlaceholderGroup = keyof Values

const leadMembers = [
  'leadId',
  'phoneNumber',
  'phoneNumberDigits',
  'externalId',
  'attempt',
  'metadata',
  'metadataTexts',
  'timeZone',
  'variables',
  'variableTexts',
] as const

const pattern = /\{\{([^{}]*)\}\}/g

const isKnown: Readonly<Record<PlaceholderGroup, (member: string) => boolean>> = {
  lead: (member) => leadMembers.some((known) => known === member) || /^metadata\.[^{}]{1,64}$/.test(member),
  call: (member) => ['callId', 'endUrl', 'localTime'].includes(member),
  provider: (member) => member === 'id',
  variables: (member) => /^\w{1,64}$/.test(member),
  secrets: (member) => /^\w{1,64}$/.test(member),
}

function splitName(name: string): readonly [group: string, member: string] {
  const dot = name.indexOf('.')
  return dot === -1 ? [name, ''] : [name.slice(0, dot), name.slice(dot + 1)]
}

const placeholdersIn = (text: string): readonly string[] =>
  [...text.matchAll(pattern)].map(([, name = '']) => name)

/** Why the placeholders of a text are wrong, or null. */
export function findPlaceholderProblem(text: string, groups: readonly PlaceholderGroup[]): string | null {
  for (const name of placeholdersIn(text)) {
    const [group, member] = splitName(name)
    const known = groups.find((one) => one === group)
    if (known !== undefined && isKnown[known](member)) continue
    const shown = /^[\w.]{1,64}$/.test(name) ? `{{${name}}}` : 'A placeholder'
    return `must not hold ${shown === 'A placeholder' ? 'an unknown placeholder' : shown}`
  }
  return /\{\{|\}\}/.test(text.replace(pattern, '')) ? 'must not hold {{ or }} besides placeholders' : null
}

const namesIn = (text: string, wanted: PlaceholderGroup): readonly string[] =>
  placeholdersIn(text).flatMap((name) => {
    const [group, member] = splitName(name)
    return group === wanted ? member : []
  })

/** The variables that a text names. */
export const variablesIn = (text: string): readonly string[] => namesIn(text, 'variables')
/** The secrets that a text names. */
export const secretsIn = (text: string): readonly string[] => namesIn(text, 'secrets')

/** Undefined: it is missing. */
function valueNamed(name: string, values: Values): unknown {
  const [group, member] = splitName(name)
  const isOfMetadata = group === 'lead' && member.startsWith('metadata.')
  const holder = isOfMetadata ? values.lead.metadata : values[group as PlaceholderGroup]
  const key = isOfMetadata ? member.slice('metadata.'.length) : member
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, key)) return undefined
  return (holder as Record<string, unknown>)[key] ?? undefined
}

export const textOf = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)

/** Undefined: one of its values is missing. */
export function fillText(text: string, values: Values, encode: (text: string) => string): string | undefined {
  let isMissing = false
  const filled = text.replace(pattern, (_, name: string) => {
    const value = valueNamed(name, values)
    isMissing ||= value === undefined
    return encode(textOf(value))
  })
  return isMissing ? undefined : filled
}

const asItIs = (text: string) => text

/** A leaf that is one placeholder keeps the value's type. A member whose value is missing is left out. */
export function fillBody(body: unknown, values: Values): unknown {
  if (typeof body === 'string') {
    const alone = /^\{\{([^{}]*)\}\}$/.exec(body)?.[1]
    return alone === undefined ? fillText(body, values, asItIs) : valueNamed(alone, values)
  }
  if (Array.isArray(body))
    return body.map((item) => fillBody(item, values)).filter((item) => item !== undefined)
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(
    Object.entries(body)
      .map(([name, member]) => [name, fillBody(member, values)] as const)
      .filter(([, member]) => member !== undefined),
  )
}

export type DialledLead = {
  readonly leadId: string
  readonly phoneNumber: string
  readonly externalId: string | null
  readonly attempt: number
  readonly metadata: Readonly<Record<string, unknown>> | null
}

const textsOf = (members: Readonly<Record<string, unknown>>): Texts =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === null ? [] : [[name, textOf(value)]])),
  )

/** A lead and its call as placeholders name them. `timeZone`: its own, else the campaign's; null: there is none. */
export function valuesOfCall(
  lead: DialledLead,
  call: { readonly callId: string; readonly endUrl: string | undefined },
  timeZone: string | null,
  startsAtMs: number,
): Pick<Values, 'lead' | 'call'> {
  const localTime = timeZone === null ? null : formatLocalTime(timeZone, startsAtMs)
  // An assistant that knows neither says "tomorrow at ten" without a date.
  const variables = {
    ...(timeZone !== null && { time_zone: timeZone, local_time: localTime }),
    ...lead.metadata,
  }
  return {
    lead: {
      ...lead,
      phoneNumberDigits: lead.phoneNumber.replace('+', ''),
      metadataTexts: lead.metadata && textsOf(lead.metadata),
      timeZone,
      variables,
      variableTexts: textsOf(variables),
    },
    call: { ...call, localTime },
  }
}
