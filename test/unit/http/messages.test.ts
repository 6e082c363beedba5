// What a client is told of a wrong member: a text of ours, never the validator's own.
/// <reference types="vite/types/importMeta.d.ts" />
import { describe, expect, it } from 'vitest'
import type * as z from 'zod/mini'

type ObjectSchema = z.ZodMiniType & { readonly shape: Readonly<Record<string, unknown>> }
type Exports = Readonly<Record<string, ObjectSchema | null>>

const files = import.meta.glob<Exports>('../../../src/**/*input.ts', { eager: true })

/** Every exported schema of an object: bodies, items of lists and queries. */
const schemas = Object.entries(files).flatMap(([file, exported]) =>
  Object.entries(exported).flatMap(([name, schema]) =>
    schema?.shape === undefined ? [] : [[`${file.replace(/.*src\//, '')} ${name}`, schema] as const],
  ),
)

const oddTexts = ['', ' ', 'x', '\0', 'x'.repeat(10_000)]
/** A parameter that is given twice is a list. */
const inQuery = [...oddTexts, ['x', 'x']]
const inBody = [null, true, -1, 0.5, 1e30, ...oddTexts, [], [[]], [null], {}, { x: 1 }]

/** How zod begins its own texts. */
const ownText = /^(Invalid (input|option|string|key|element)|Too (big|small)|Unrecognized|Expected|Required)/

describe.each(schemas)('The members of %s', (place, schema) => {
  it('A member that is missing or wrong is answered with a text that the service has for it', () => {
    const isQuery = place.endsWith('Query')
    const wrong = Object.keys(schema.shape).flatMap((name) =>
      (isQuery ? inQuery : inBody).map((value) => ({ [name]: value })),
    )
    const texts = [...(isQuery ? [] : [null, { 'no such': 1 }]), {}, ...wrong].flatMap((sent) =>
      (schema.safeParse(sent).error?.issues ?? []).map(({ message }) => message),
    )
    expect(texts.length).toBeGreaterThan(0)
    expect([...new Set(texts)].filter((text) => ownText.test(text))).toEqual([])
  })
})

it('The schemas whose texts are judged are those of more than twenty bodies', () => {
  expect(schemas.filter(([name]) => name.endsWith('Body')).length).toBeGreaterThan(20)
})
