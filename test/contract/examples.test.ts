// What the API description gives as examples is what the service would take and answer: people paste them, and
// clients are tried with them. That those of the bodies work against the demo campaign is tried in test/docs.
import type { Schema } from '@cfworker/json-schema'
import { describe, expect, it } from 'vitest'
import { isValid, type Operation, operations } from './document.ts'

type Examples = Readonly<Record<string, { readonly value: unknown }>>
type Media = { readonly schema: Schema; readonly example?: unknown; readonly examples?: Examples }

/** What is wrong with the examples of a body, `kind` of which it is. */
function violationsOf(kind: string, { schema, example, examples = {} }: Media, wanted: 'one' | 'some') {
  const values = [
    ...(example === undefined ? [] : [example]),
    ...Object.values(examples).map((one) => one.value),
  ]
  const isEnough = wanted === 'one' ? values.length === 1 : values.length > 0
  const wrong = values.filter((value) => !isValid(schema, value)).map((value) => JSON.stringify(value))
  return [...(isEnough ? [] : [`${values.length} examples`]), ...wrong].map((what) => `${kind}: ${what}`)
}

function violationsOfAnswers({ responses }: Operation) {
  return Object.entries(responses).flatMap(([status, { content = {} }]) => {
    const media = content['application/json'] as Media | undefined
    if (media === undefined) return []
    return violationsOf(status, media, Number(status) < 400 ? 'some' : 'one')
  })
}

describe.each(operations.map((operation) => [operation.operationId, operation] as const))(
  'Examples of %s',
  (_, operation) => {
    it('are given for every parameter, body and answer, and are valid', () => {
      const parameters = operation.parameters.filter(
        ({ schema, example }) => example === undefined || !isValid(schema as Schema, example),
      )
      expect(parameters.map(({ name, example }) => `${name}=${example}`)).toEqual([])

      const body = operation.requestBody?.content['application/json'] as Media | undefined
      expect(body === undefined ? [] : violationsOf('body', body, 'some')).toEqual([])
      expect(violationsOfAnswers(operation)).toEqual([])
    })
  },
)
