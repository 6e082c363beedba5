// What If-Match asks of a lead's version.
import { expect, it } from 'vitest'
import { isKnown, versionsOf } from '../../../src/base/http/if-match.ts'

it.each<[string | undefined, readonly number[] | null]>([
  [undefined, null],
  ['', []],
  [' ', []],
  ['*', null],
  ['"1"', [1]],
  ['"1", "23"', [1, 23]],
  ['W/"1"', []],
  ['W/"1", "2"', [2]],
  ['1', []],
  [',', []],
])('If-Match %j asks for %j', (sent, versions) => {
  expect(versionsOf(sent)).toEqual(versions)
})

it.each<[string | undefined, boolean]>([
  [undefined, false],
  ['', false],
  ['*', true],
  ['"7"', true],
  ['W/"7"', true],
  ['"6", "7"', true],
  ['"6"', false],
  ['7', false],
])('If-None-Match %j is of a client that has version 7: %j', (sent, has) => {
  expect(isKnown(7, sent)).toBe(has)
})
