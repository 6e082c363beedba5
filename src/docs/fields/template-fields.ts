// The language of a dialer's templates in the API description: the schema that validates them, with a sentence for each
// member. A test asks for one of each. When what is read: ../connect/calls/custom-template.md.
import * as z from 'zod/mini'
import { limits } from '../../base/limits.ts'
import { templateOn } from '../../channels/dialers/template/template-input.ts'
import { anyServer } from '../../channels/webhooks/webhook-url.ts'
import * as s from '../openapi/json-schema.ts'

/** By place, else by name. A member of a list of conditions is one of `condition`. */
export const templateSentences: Readonly<Record<string, string>> = {
  auth: 'The credentials that every request gets, except a hang-up at `urlAt`.',
  'auth.kind': '`bearer` and `basic` are sent as `authorization`, `header` in a header of any name.',
  'auth.name': 'The name of the header.',
  'auth.prefix': 'What stands before the secret.',
  'auth.user': 'The user’s name.',
  'auth.password': 'The password.',
  secret: 'The name of a secret.',
  variable: 'The name of a variable.',

  method: 'The method of HTTP.',
  url: 'A public https:// URL with placeholders after its host, of which those of its path must have a value.',
  headers: 'More headers, with placeholders of variables only.',
  encoding: '`json` by default; a `form` is flat.',
  body:
    'Any JSON with placeholders in its texts: one that is all of a text keeps its type, one without a ' +
    'value leaves its member out.',

  start: 'The request that starts a call, which is sent once.',
  started: 'How the answer to the start is read.',
  'started.id': 'Where the answer has the provider’s id of the call: without one it may have rung.',
  'started.unless': 'Holds when an answer with an id is no start, so that it may have rung.',
  notDialled: 'The answers after which nobody’s phone has rung; the first that fits counts.',
  'notDialled.status': 'The statuses of HTTP.',
  'notDialled.when': 'A condition on the body; without it, the status is enough.',
  'notDialled.because':
    '`account` stops the dialer, `busy` lets it rest, `lead` puts the lead off: the second time it is ' +
    '`failed`, or `invalid_number`.',

  status: 'The request that asks how a call stands, and how its answer is read.',
  'status.over': 'Holds once the call has ended.',
  'status.complete':
    'Holds once all that is said of the end is there; without it, `over` is enough; where somebody has ' +
    'talked, `outcome` or `doNotCall` must lead to something as well, and after 180 s an end is reported all the same.',
  'status.reason': 'Where the reason of the end is: the first whose value is in `outcomes` counts.',
  'status.talked':
    'Holds when a person has said something: then a fault, `busy` or `no_answer` is `answered`.',
  'status.voicemail': 'Holds when a machine answered: what it said is no person’s word.',
  'status.ringing': 'How long a call may ring that nobody takes.',
  'status.ringing.while': 'Holds while nobody has taken the call, such as in the provider’s queue.',
  'status.ringing.seconds': 'After so long it is hung up, and ends; without `hangUp`, at least 180.',
  'status.ringing.outcome': 'What it ends as, by default `no_answer`.',
  'status.outcomes':
    'What a reason means, where a key may begin and end in `*`, which stands for anything: an exact key ' +
    'counts first, then the longest.',
  'status.afterTalk':
    'What a reason means for a call in which somebody has talked, in place of `answered`, with ' +
    'keys as those of `outcomes`.',
  'status.outcome':
    'Where the assistant has written the outcome, as a text, a list of texts, or an object with a `value` or ' +
    '`objective`; of several, the first that is there, but one no is enough.',
  'status.outcomeNames':
    'What texts at `outcome` mean, in any case and punctuation, before known words; a phrase such as `do not ' +
    'call` keeps its meaning.',
  'status.doNotCall':
    'Where a flag says that the person must not be called; of several, one yes is enough, and what is ' +
    'neither yes nor no counts as yes.',
  'status.callbackAt':
    'Where the time for a callback is; of several, the first that can be read, which with ' +
    '`answered` or no outcome is one.',
  'status.seconds':
    'The length of the call: a number `at` one place in a `unit`, or the time `from` one place `to` another.',
  'status.seconds.at': 'Where the length is.',
  'status.seconds.unit': 'The unit of the length.',
  'status.seconds.from': 'Where the time of its beginning is.',
  'status.seconds.to': 'Where the time of its end is.',
  'status.cost':
    'What the call has cost, kept as `costAmount` and `costCurrency` in its `details`, without the sign of a ' +
    'negative number.',
  'status.cost.at': 'Where the number is; of several places, the first that is there.',
  'status.cost.unit': 'The unit of the number: `units` of the currency, the default, or `cents`.',
  'status.cost.currency': 'The currency, such as `USD`, or the place where it is.',
  'status.details':
    'What is kept in the `details` of the call, by name; of several places, the first that is there.',

  hangUp:
    'The request that ends a live call; one that the provider takes only before somebody answers is none.',
  'hangUp.url': 'Of the request, with placeholders; or `urlAt`.',
  'hangUp.urlAt': 'Where the last status has the URL, which gets no credentials.',
  'hangUp.within': 'The host of the URL at `urlAt`, or what it is below.',
  check: 'A request that needs nothing but valid credentials.',

  'condition.at': 'Where the value is.',
  'condition.in': 'The value is one of these.',
  'condition.equals': 'The value is this; a text of digits is a number, and a text `true` a boolean.',
  'condition.notNull': 'Always `true`: the value is there, and not null.',
  'condition.contains': 'The value is a text, or a list of texts, that contains this.',
  'condition.above': 'The value is a number, or a text that is one, greater than this.',
  'condition.some': 'Of the first 1,000 items of a list, this holds for one.',
  'condition.all': 'Each of these holds.',
}

type Node = { readonly [keyword: string]: unknown }

const whole = z.toJSONSchema(templateOn(anyServer), {
  // What a transformation takes cannot be told; what comes out of it can.
  io: 'output',
  unrepresentable: 'any',
  override: ({ zodSchema, jsonSchema }) => {
    for (const { _zod } of zodSchema._zod.def.checks ?? [])
      Object.assign(jsonSchema, (_zod.def as { params?: object }).params)
  },
}) as Node

const named: Record<string, s.JsonSchema> = {}
/** Generators of clients want a name for each member of a union. */
function name(as: string, schema: s.JsonSchema): s.JsonSchema {
  named[as] ??= schema
  return s.reference(as)
}

const sentenceAt = (place: string) =>
  templateSentences[place] ?? templateSentences[place.split('.').at(-1) ?? '']

/** `place`: dotted, without the numbers of items. */
function shape(node: Node, place: string): s.JsonSchema {
  const { propertyNames, $schema, mayStandAlone, ...kept } = node
  const choices = (node.anyOf ?? node.oneOf) as readonly Node[] | undefined
  if (choices !== undefined) return union(choices, place)
  if ('const' in node && node.type === 'boolean') return { type: 'boolean', enum: [node.const] }
  const { items, properties, additionalProperties } = node as { [keyword: string]: Node }
  if (mayStandAlone && items?.type === 'string')
    return { ...shape(items, place), type: ['string', 'array'], items: shape(items, place) }
  if (mayStandAlone && items !== undefined) {
    const one = name('DialerCondition', condition(items))
    const list = { type: 'array', items: one, minItems: node.minItems, maxItems: node.maxItems }
    return { oneOf: [one, name('DialerConditions', { ...list, description: 'One of them is enough.' })] }
  }
  return {
    ...kept,
    ...(items !== undefined && { items: shape(items, place) }),
    ...(typeof additionalProperties === 'object' && {
      additionalProperties: shape(additionalProperties, place),
    }),
    ...(properties !== undefined && { properties: membersOf(properties as Record<string, Node>, place) }),
  }
}

/** `at` with one comparison, or `all` alone. */
function condition(node: Node): s.JsonSchema {
  const { all = {}, ...properties } = node.properties as Readonly<Record<string, Node>>
  const two = { required: ['at'], minProperties: 2, maxProperties: 2 }
  const plain = name('DialerPlainCondition', shape({ ...node, ...two, properties }, 'condition'))
  const each = { ...all, items: plain, description: sentenceAt('condition.all') }
  const { minProperties, maxProperties, ...object } = node
  const together = { ...object, required: ['all'], properties: { all: each } }
  return { oneOf: [plain, name('DialerAllConditions', together)] }
}

function membersOf(properties: Readonly<Record<string, Node>>, place: string): s.Properties {
  const entries = Object.entries(properties).map(([member, node]) => {
    const own = place === 'condition.some' ? 'condition' : place
    const path = own === '' ? member : `${own}.${member}`
    return [member, { ...shape(node, path), description: sentenceAt(path) }] as const
  })
  return Object.fromEntries(entries)
}

/** Null, texts, and the kinds of credentials. */
function union(choices: readonly Node[], place: string): s.JsonSchema {
  const others = choices.filter(({ type }) => type !== 'null')
  const [first] = others
  const isNullable = others.length < choices.length
  if (others.every(({ type }) => type === 'string'))
    return { type: 'string', maxLength: limits.dialerTextMaxChars }
  const schema =
    others.length === 1 && first !== undefined ? shape(first, place) : { oneOf: others.map(kindOf) }
  if (!isNullable) return schema
  return Array.isArray(schema.oneOf) ? { oneOf: [...schema.oneOf, { type: 'null' }] } : s.orNull(schema)
}

function kindOf(node: Node): s.JsonSchema {
  const { kind } = node.properties as { readonly kind: { readonly const: string } }
  const title = kind.const.charAt(0).toUpperCase() + kind.const.slice(1)
  return name(`Dialer${title}Auth`, shape(node, 'auth'))
}

const template = shape(whole, '')

/** With the parts that it refers to. */
export const templateSchemas: Readonly<Record<string, s.JsonSchema>> = {
  DialerTemplate: {
    ...template,
    description: `How a dialer deals with a voice provider. At most ${limits.dialerTemplateMaxBytes / 1024} KiB.`,
    externalDocs: { url: '/docs/connect/custom-template', description: 'Every member, and when it is read' },
  },
  ...named,
}
