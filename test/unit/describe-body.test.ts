import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { describeBody } from '../../src/docs/openapi/json-schema.ts'

const body = z.object({ name: z.string(), note: z.string() })

it('A member of a body without words is refused, and its neighbour with words is not', () => {
  const words = { name: { description: 'Of the lead.' } }
  expect(() => describeBody(body, 'A body.', words)).toThrow('"A body." has no words for its member note')
  const described = describeBody(body, 'A body.', { ...words, note: { description: 'For people.' } })
  expect(Object.keys(described.properties)).toEqual(['name', 'note'])
})
