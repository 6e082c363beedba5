// How the console reads the calls of a lead: page by page, to a limit.
import { describe, expect, it } from 'vitest'
import { readPastCalls } from '../../src/console/leads/past-calls.ts'
import type { Answer } from '../../src/console/service/api.ts'
import type { PastCall } from '../../src/sdk/src/models.ts'

/** A lead with pages of one call each, one of which may fail. */
function playService(pages: number, failing = 0) {
  const paths: string[] = []
  const ask = async (_: string, path: string) => {
    const page = paths.push(path)
    const calls = [{ callId: `k${page}` } as PastCall]
    const data = page === failing ? null : { calls, nextCursor: page < pages ? `c${page}` : null }
    const status = data === null ? 503 : 200
    return {
      status,
      data,
      error: null,
      retryAfterSeconds: null,
      etag: null,
      text: '',
    } satisfies Answer<unknown>
  }
  return { ask, paths }
}

async function read(ask: Parameters<typeof readPastCalls>[0], leadId = 'a') {
  const { data } = await readPastCalls(ask, leadId)
  return data && [data.calls.map(({ callId }) => callId), data.isComplete]
}

describe('The calls of a lead', () => {
  it('are read to their end', async () => {
    const { ask, paths } = playService(3)
    expect(await read(ask, 'a/b')).toEqual([['k1', 'k2', 'k3'], true])
    expect(paths).toEqual(['', '?cursor=c1', '?cursor=c2'].map((query) => `/leads/a%2Fb/calls${query}`))
  })

  it('are read to a limit, and marked as incomplete', async () => {
    const { ask, paths } = playService(1000)
    expect((await read(ask))?.[1]).toBe(false)
    expect(paths).toHaveLength(5)
  })

  it('are those before a page that failed, marked as incomplete', async () => {
    expect(await read(playService(3, 2).ask)).toEqual([['k1'], false])
    expect(await read(playService(3, 1).ask)).toBeNull()
  })
})
