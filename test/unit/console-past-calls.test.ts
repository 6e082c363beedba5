// How the console reads the calls of a lead: page by page, to a limit.
import { describe, expect, it } from 'vitest'
import { readPastCalls } from '../../src/console/past-calls.ts'
import type { PastCall } from '../../src/console/wire.ts'

/** A lead with so many pages of one call each, of which one may fail. */
function playService(pages: number, failing = 0) {
  const paths: string[] = []
  const ask = async (_: string, path: string) => {
    const page = paths.push(path)
    if (page === failing) return { data: null }
    const calls = [{ callId: `k${page}` } as PastCall]
    return { data: { calls, nextCursor: page < pages ? `c${page}` : null } }
  }
  return { ask, paths }
}

const idsOf = ({ calls }: Awaited<ReturnType<typeof readPastCalls>>) => calls.map(({ callId }) => callId)

describe('The calls of a lead', () => {
  it('are read to their end', async () => {
    const { ask, paths } = playService(3)
    const read = await readPastCalls(ask, 'a/b')
    expect([idsOf(read), read.isWhole]).toEqual([['k1', 'k2', 'k3'], true])
    expect(paths).toEqual(['', '?cursor=c1', '?cursor=c2'].map((query) => `/leads/a%2Fb/calls${query}`))
  })

  it('are read to a limit, which is said', async () => {
    const { ask, paths } = playService(1000)
    expect((await readPastCalls(ask, 'a')).isWhole).toBe(false)
    expect(paths).toHaveLength(5)
  })

  it('are those before a page that failed, which is said', async () => {
    const read = await readPastCalls(playService(3, 2).ask, 'a')
    expect([idsOf(read), read.isWhole]).toEqual([['k1'], false])
  })
})
