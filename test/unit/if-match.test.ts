// What If-Match asks of a lead's version.
import { describe, expect, it } from 'vitest'
import { versionsOf } from '../../src/http/if-match.ts'

describe('If-Match', () => {
  it.each<[string | undefined, readonly number[] | null]>([
    [undefined, null],
    ['', null],
    [' ', null],
    ['*', null],
    ['"1"', [1]],
    ['"1", "23"', [1, 23]],
    ['W/"1"', []],
    ['W/"1", "2"', [2]],
    ['1', []],
    [',', []],
  ])('%j asks for %j', (sent, versions) => {
    expect(versionsOf(sent)).toEqual(versions)
  })
})
