// Bodies as nobody should send them, as fast-check arbitraries: every field with what is wrong, at its limit, one past
// it, huge, deep or foreign, and bytes that are spoilt. Knows the contract's fields; requests are made in
// odd-requests.ts.
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'

export type Targets = { readonly campaignIds: readonly string[]; readonly keys: readonly string[] }

export const oddTexts = [
  '',
  ' ',
  '0',
  'null',
  '\0',
  'a\0b',
  '\ud800',
  'a\udc00',
  '\u202eright to left',
  '\u200f\u2028\u2029\ufeff',
  '\u0001\u001b[31m\u007f\u0085',
  '\r\nX-Injected: 1',
  '__proto__',
  'constructor',
  'toString',
  "'; drop table leads; --",
  '" or 1=1 --',
  '%_?1',
  '=cmd|calc!A1',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '+0123456789',
  '+1234567',
  '+123456',
  '+123456789012345',
  '+1234567890123456',
  '+12345678\n',
  '+１２３４５６７８',
  '2030-01-01T00:00:00Z',
  '2030-02-30T00:00:00Z',
  '2030-01-01T00:00:00',
  '2030-01-01T24:00:00Z',
  'x'.repeat(128),
  'x'.repeat(129),
  'x'.repeat(255),
  'x'.repeat(256),
  '😀'.repeat(255),
  '😀'.repeat(256),
  'x'.repeat(20_000),
] as const

/** Tokens as they stand in JSON text. The last four are not JSON. */
export const oddNumbers = [
  '0',
  '-0',
  '1',
  '100',
  '101',
  '-1',
  '0.5',
  '1e2',
  '1E+2',
  '1e400',
  '-1e400',
  '1e-400',
  '9007199254740993',
  '12345678901234567890',
  'NaN',
  '01',
  '+1',
  '.5',
] as const

const nested = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels)

const text = fc
  .oneof(
    { weight: 3, arbitrary: fc.constantFrom(...oddTexts) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  )
  .map((value) => JSON.stringify(value))

const deep = fc
  .tuple(fc.constantFrom(31, 32, 33, 1000, 1001, 10_000), fc.boolean())
  .map(([levels, isArray]) =>
    isArray
      ? `{"a":${nested('[', ']', levels - 1)}}`
      : `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`,
  )

const wide = fc
  .constantFrom(100, 1_000, 3_000)
  .map((keys) => `{${Array.from({ length: keys }, (_, key) => `"k${key}":${key}`).join()}}`)

export const anything = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 2, arbitrary: fc.constantFrom<string>(...oddNumbers) },
  { weight: 2, arbitrary: fc.constantFrom('true', 'false', 'null', '[]', '{}', '[null]', '[[]]') },
  { weight: 1, arbitrary: deep },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)) },
)

const phone = fc.bigInt(10_000_000n, 99_999_999_999_999n).map((digits) => `"+1${digits}"`)

/** Mostly as it should be, else anything. */
const mostly = (good: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 9, arbitrary: good }, { weight: 1, arbitrary: anything })

const metadata = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .dictionary(fc.string({ unit: 'binary', maxLength: 8 }), fc.jsonValue())
      .map((value) => JSON.stringify(value)),
  },
  { weight: 1, arbitrary: deep },
  { weight: 1, arbitrary: wide },
  { weight: 1, arbitrary: anything },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
      '{"text":"{}","depth":0}',
      '{"a":1,"a":{"b":1e400},"b":-0}',
      '{"\\u0000":1}',
      '{"a":"\\ud83d\\ude00 \\\\u0000"}',
      '{ "a" : [ 1 , 2 ] }',
    ),
  },
)

/** An object's text: its members in any order, some repeated, some names written with escapes, some foreign. */
function objectText(members: Readonly<Record<string, fc.Arbitrary<string>>>): fc.Arbitrary<string> {
  const member = (name: string) =>
    fc.tuple(
      fc.oneof(
        { weight: 20, arbitrary: fc.constant(JSON.stringify(name)) },
        {
          weight: 1,
          arbitrary: fc.constant(`"\\u${name.charCodeAt(0).toString(16).padStart(4, '0')}${name.slice(1)}"`),
        },
      ),
      members[name] as fc.Arbitrary<string>,
    )
  const foreign = fc.tuple(
    fc.constantFrom('"__proto__"', '"constructor"', '"x"', '""', '"_id"', '"status"'),
    anything,
  )
  const names = Object.keys(members)
  const required = names.filter(
    (name) => name !== 'metadata' && name !== 'priority' && name !== 'externalId' && name !== 'scheduledFor',
  )
  return fc
    .tuple(
      fc.tuple(...required.map(member)),
      fc.array(fc.oneof(...names.map(member), foreign), { maxLength: 4 }),
      fc.integer({ min: 0, max: 9 }),
    )
    .map(([first, more, turn]) => {
      // Rarely all in another order, so that something required is repeated or comes last.
      const all =
        turn === 0
          ? [...more, ...first]
          : turn === 1
            ? more
            : [...more.filter(([name]) => !required.some((one) => name.includes(one))), ...first]
      return `{${all.map(([name, value]) => `${name}:${value}`).join()}}`
    })
}

const leadMembers = {
  phoneNumber: mostly(phone),
  externalId: mostly(text),
  metadata,
  scheduledFor: mostly(fc.constant('"2030-01-01T00:00:00+02:00"')),
  priority: mostly(fc.integer({ min: 0, max: 100 }).map(String)),
}

export function createText({ campaignIds }: Targets): fc.Arbitrary<string> {
  const campaignId = mostly(fc.constantFrom(...campaignIds).map((id) => JSON.stringify(id)))
  return objectText({ campaignId, ...leadMembers })
}

export function bulkText({ campaignIds }: Targets): fc.Arbitrary<string> {
  const item = fc.oneof(
    { weight: 20, arbitrary: objectText(leadMembers) },
    { weight: 1, arbitrary: anything },
  )
  const few = fc.array(item, { maxLength: 6 })
  const many = fc
    .tuple(fc.constantFrom(999, 1000, 1001), fc.integer({ min: 0, max: 1e9 }))
    .map(([count, from]) =>
      Array.from({ length: count }, (_, index) => `{"phoneNumber":"+2${1e10 + from + index}"}`),
    )
  const leads = fc
    .oneof({ weight: 60, arbitrary: few }, { weight: 1, arbitrary: many })
    .map((items) => `[${items.join()}]`)
  const campaignId = mostly(fc.constantFrom(...campaignIds).map((id) => JSON.stringify(id)))
  return objectText({ campaignId, leads: mostly(leads) })
}

const utf8 = (value: string) => new TextEncoder().encode(value)

/** The text's bytes, mostly as they are. */
export function mangled(body: fc.Arbitrary<string>): fc.Arbitrary<Uint8Array> {
  const mangle = fc.constantFrom<(bytes: Uint8Array, at: number) => Uint8Array>(
    (bytes, at) => bytes.slice(0, at),
    (bytes) => utf8(`\ufeff${new TextDecoder().decode(bytes)}`),
    (bytes) => utf8(`${new TextDecoder().decode(bytes)}]`),
    (bytes) => utf8(` \r\n\t${new TextDecoder().decode(bytes)}\n `),
    (bytes, at) => Uint8Array.from([...bytes.slice(0, at), 0xff, 0xc0, ...bytes.slice(at)]),
    (bytes, at) => Uint8Array.from([...bytes.slice(0, at), 0, ...bytes.slice(at)]),
    (bytes) => new Uint8Array(Buffer.from(new TextDecoder().decode(bytes), 'utf16le')),
    (bytes) => gzipSync(bytes),
    () => new Uint8Array(0),
  )
  return fc.oneof(
    { weight: 8, arbitrary: body.map(utf8) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(body.map(utf8), mangle, fc.double({ min: 0, max: 1, noNaN: true }))
        .map(([bytes, change, place]) => change(bytes, Math.floor(bytes.length * place))),
    },
  )
}
