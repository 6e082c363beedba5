// Resources, Lead, metadata: it is returned byte for byte (D18), or refused. Its size limits are in errors.test.ts.
import { expect, it } from 'vitest'
import { api } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { newPhone, seedWorld } from '../../support/world.ts'

/** Creates a lead out of JSON source for its fields, and returns the list's answer. */
async function createdFrom(fields: string) {
  const { campaignId, writeKey } = await seedWorld()
  const created = await api(writeKey).createLead(
    `{"campaignId":"${campaignId}","phoneNumber":"${newPhone()}",${fields}}`,
  )
  dataOf(created, 201)
  return api(writeKey).listLeads({ campaignId })
}

it.each([
  ['integers beyond 2^53', '{"n":12345678901234567890}'],
  ['numbers beyond a double', '{"n":1e400,"m":-1e-400}'],
  ['minus zero', '{"n":-0}'],
  ['trailing zeros', '{"n":1.10,"m":1E+2}'],
  ['characters beyond the basic plane', '{"𝕏":"😀👩‍👩‍👧"}'],
  ['escapes as they were written', '{"\\u0041":"\\ud83d\\ude00\\/\\u00e9\\b"}'],
  ['backslashes before what looks like an escape', '{"a":"\\\\u0000 \\\\\\\\ud800"}'],
  ['__proto__ and constructor as keys', '{"__proto__":{"admin":true},"constructor":null}'],
  ['the order of numeric keys', '{"10":1,"9":2,"b":3,"1":4}'],
  ['a key twice', '{"a":1,"a":2}'],
  ['spaces and line feeds', '{ "a" :\t[ 1 , 2 ],\n  "b" : { } }'],
  ['braces and quotes within texts', '{"a":"}\\"{[","metadata":{"metadata":"]"}}'],
  ['every kind of value', '{"a":[null,true,false,0,"",[],{}],"b":{"c":{"d":[[[1]]]}}}'],
  ['control characters as escapes', '{"a":"\\u0001\\u001f\\u007f\\u2028"}'],
  ['nothing', '{}'],
])('Metadata is returned byte for byte: %s', async (_, source) => {
  const { text } = await createdFrom(`"metadata": ${source}`)
  expect(text).toContain(`"metadata":${source},`)
})

it('Metadata is returned byte for byte from a bulk, each with its own lead', async () => {
  const { campaignId, writeKey } = await seedWorld()
  const sources = ['{"n":1e400}', '{ "a": -0 }', '{"2":0,"1":0}', '{"x":"},{\\"metadata\\":{}"}']
  const items = sources.map((source) => `{"phoneNumber":"${newPhone()}", "metadata": ${source} }`)
  const body = `{"leads" : [ ${items.join(' , ')} ],"campaignId":"${campaignId}"}`
  expect(dataOf(await api(writeKey).importLeads(body), 200).created).toBe(4)
  const { text } = await api(writeKey).listLeads({ campaignId })
  expect([...text.matchAll(/"metadata":(.*?),"status"/g)].map((match) => match[1])).toEqual(sources)
})

it.each([
  ['an array', []],
  ['a text', 'x'],
  ['a number', 1],
  ['true', true],
])('Metadata is an object or not given: %s is refused', async (_, metadata) => {
  const { campaignId, writeKey } = await seedWorld()
  const answer = await api(writeKey).createLead({ campaignId, phoneNumber: newPhone(), metadata })
  expectFailure(answer, 400, 'metadata must be an object')
})

it.each([
  ['NUL in a text', '{"a":"x\\u0000y"}'],
  ['NUL in a key', '{"\\u0000":1}'],
  ['a lone high surrogate', '{"a":"\\ud83d"}'],
  ['a lone low surrogate', '{"a":["\\ude00"]}'],
  ['surrogates in the wrong order', '{"a":"\\ude00\\ud83d"}'],
])('Metadata is refused when it cannot be kept as it is: %s', async (_, source) => {
  const { campaignId, writeKey } = await seedWorld()
  const answer = await api(writeKey).createLead(
    `{"campaignId":"${campaignId}","phoneNumber":"${newPhone()}","metadata":${source}}`,
  )
  expectFailure(answer, 400, 'metadata must not contain NUL or unpaired surrogates')
})
