// The examples of the API description match its schemas, and the service takes those of queries: people paste them, and
// test clients with them. That the bodies work against the demo campaign is tested in test/docs.
import type { Schema } from '@cfworker/json-schema'
import { describe, expect, it } from 'vitest'
import { seedAgent } from '../support/calling/agent.ts'
import { api } from '../support/http/api.ts'
import { seedOperatorKey } from '../support/world.ts'
import { isValid, type Operation, operations } from './document.ts'

type Examples = Readonly<Record<string, { readonly value: unknown }>>
type Media = { readonly schema: Schema; readonly example?: unknown; readonly examples?: Examples }

/** Invalid or missing examples. */
function violationsOf(kind: string, { schema, example, examples = {} }: Media, wanted: 'one' | 'some') {
  const values = [
    ...(example === undefined ? [] : [example]),
    ...Object.values(examples).map((one) => one.value),
  ]
  const isEnough = wanted === 'one' ? values.length === 1 : values.length > 0
  const wrong = values.filter((value) => !isValid(schema, value)).map((value) => JSON.stringify(value))
  return [...(isEnough ? [] : [`${values.length} examples`]), ...wrong].map((what) => `${kind}: ${what}`)
}

function violationsOfResponses({ responses }: Operation) {
  return Object.entries(responses).flatMap(([status, { content = {} }]) => {
    const media = content['application/json'] as Media | undefined
    if (media === undefined) return []
    return violationsOf(status, media, Number(status) < 400 ? 'some' : 'one')
  })
}

/** Only a response gives its values: any other is refused. */
const isOpaque = (name: string) => name === 'cursor' || name === 'after'

describe('The examples of a query', () => {
  const lists = operations.filter(({ method, path }) => method === 'GET' && path.startsWith('/api/v1/'))

  it.each(lists.map((list) => [list.path, list] as const))(
    'Are taken, one by one and together: %s',
    async (path, { parameters }) => {
      const agent = await seedAgent()
      const at = path.replace('{campaignId}', agent.campaignId)
      const isForOperator = /^\/api\/v1\/(?:companies|diagnosis)/.test(path)
      const key = isForOperator ? (await seedOperatorKey()).key : agent.manageKey
      const examples = parameters.filter(
        ({ in: place, example }) => place === 'query' && example !== undefined,
      )
      const sets = [
        examples,
        ...examples.map((each) => examples.filter((one) => one === each || one.required)),
      ]
      for (const chosen of sets) {
        const pairs = chosen.map(({ name, example }) => [
          name,
          name === 'campaignId' ? agent.campaignId : example,
        ])
        const query = new URLSearchParams(pairs as [string, string][])
        const { status, body } = await api(key).request('GET', `${at}?${query}`)
        // 404: of a lead, a webhook or a company that is not there.
        expect([200, 404], `${query}: ${body?.error}`).toContain(status)
      }
    },
  )
})

describe.each(operations.map((operation) => [operation.operationId, operation] as const))(
  'Examples of %s',
  (_, operation) => {
    it('Examples exist for every parameter, body and response, and are valid', () => {
      const parameters = operation.parameters.filter(
        ({ name, schema, example }) =>
          isOpaque(name as string) !== (example === undefined) ||
          (example !== undefined && !isValid(schema as Schema, example)),
      )
      expect(parameters.map(({ name, example }) => `${name}=${example}`)).toEqual([])

      const body = operation.requestBody?.content['application/json'] as Media | undefined
      expect(body === undefined ? [] : violationsOf('body', body, 'some')).toEqual([])
      expect(violationsOfResponses(operation)).toEqual([])
    })
  },
)
