// The schema of a dialer's templates in the API description is the one that validates them, and each member is
// explained.
import { readFileSync } from 'node:fs'
import { dereference, type Schema, validate } from '@cfworker/json-schema'
import { expect, it } from 'vitest'
import { presets } from '../../src/channels/dialers/presets/presets.ts'
import { readTemplate } from '../../src/channels/dialers/template/template-input.ts'
import { serverOf } from '../../src/channels/webhooks/webhook-url.ts'
import { describeApi } from '../../src/docs/describe-api.ts'
import { templateSentences } from '../../src/docs/fields/template-fields.ts'

type Node = { readonly [keyword: string]: unknown; readonly properties?: Readonly<Record<string, Node>> }

const document = describeApi() as unknown as Node & { components: { schemas: Record<string, Node> } }
const schemas = Object.entries(document.components.schemas).filter(
  ([name]) => name === 'DialerTemplate' || /^Dialer(?:\w+Auth|\w*Conditions?)$/.test(name),
)
const whole = {
  components: { schemas: Object.fromEntries(schemas) },
  $ref: '#/components/schemas/DialerTemplate',
} as unknown as Schema
const lookup = dereference(whole)
const isDescribed = (template: unknown) => validate(template, whole, '2020-12', lookup, true).valid
const isTaken = (template: unknown) => readTemplate(template, serverOf('https://leads.example.com/')).isValid

const page = readFileSync('src/docs/connect/calls/custom-template.md', 'utf8')
const example = JSON.parse(/```json\n([\s\S]*?)```/.exec(page)?.[1] ?? '').template

function* membersOf(node: unknown): Generator<[string, Node]> {
  if (typeof node !== 'object' || node === null) return
  for (const [keyword, value] of Object.entries(node)) {
    if (keyword === 'properties') yield* Object.entries(value as Record<string, Node>)
    yield* membersOf(value)
  }
}

it('Each member of a template is described by one sentence, and every sentence is of a member', () => {
  const members = [...membersOf(schemas.map(([, schema]) => schema))]
  expect(members.length).toBeGreaterThan(50)
  const unfit = members.filter(([, { description }]) => !/^[^\n]+\.$/.test(String(description ?? '')))
  expect(unfit.map(([name]) => name)).toEqual([])
  const used = new Set(members.map(([, { description }]) => description))
  expect(Object.values(templateSentences).filter((sentence) => !used.has(sentence))).toEqual([])
  expect(Object.values(templateSentences).filter((sentence) => /\. [A-Z]/.test(sentence))).toEqual([])
})

it('The page about templates names every member, and its example has each of them', () => {
  const names = new Set([...membersOf(schemas.map(([, schema]) => schema))].map(([name]) => name))
  expect([...names].filter((name) => !new RegExp(`[\`"]${name}[\`"]`).test(page))).toEqual([])
  expect([isTaken(example), isDescribed(example)]).toEqual([true, true])
})

it.each(presets)('The template of a preset is as described: $name', ({ template }) => {
  expect([isTaken(template), isDescribed(template)]).toEqual([true, true])
})

it.each<[what: string, change: (template: typeof example) => void]>([
  ['a member that is none', (template) => Object.assign(template, { more: 1 })],
  ['a member of its status that is none', ({ status }) => Object.assign(status, { more: 1 })],
  ['no start', (template) => delete template.start],
  ['a condition with two comparisons', ({ status }) => Object.assign(status.over, { equals: 1 })],
  ['a condition without a comparison', ({ status }) => Object.assign(status, { over: { at: '/a' } })],
  ['an outcome that nobody reports', ({ status }) => Object.assign(status.outcomes, { a: 'unknown' })],
  ['a name of such an outcome', ({ status }) => Object.assign(status.outcomeNames, { a: 'unknown' })],
  ['a call that rings for ten seconds', ({ status }) => Object.assign(status.ringing, { seconds: 10 })],
  ['a status of 99', ({ notDialled }) => notDialled[0].status.push(99)],
  ['another kind of credentials', ({ auth }) => Object.assign(auth, { kind: 'digest' })],
  ['a pointer that is none', ({ status }) => Object.assign(status, { outcome: 'outcome' })],
  ['an empty list', ({ status }) => Object.assign(status, { over: [] })],
])('What is refused is not as described: a template with %s', (_, change) => {
  const template = structuredClone(example)
  change(template)
  expect([isTaken(template), isDescribed(template)]).toEqual([false, false])
})
