// How the console reads the calls of a lead: page by page, to a limit.
import { expect, it } from 'vitest'
import { foldReleases, readPastCalls } from '../../../src/console/leads/past-calls.ts'
import { settle } from '../../../src/console/service/answer.ts'
import { type Client, clientOf } from '../../../src/console/service/client.ts'
import { UnavailableError } from '../../../src/sdk/src/errors.ts'
import type { PastCall } from '../../../src/sdk/src/models.ts'
import type { Call, Send } from '../../../src/sdk/src/send.ts'

/** A lead with pages of one call each, one of which may fail. */
function playService(pages: number, failing = 0) {
  const paths: string[] = []
  const send = (async ({ path, query }: Call) => {
    const page = paths.push(
      `${path}${Object.entries(query ?? {}).map(([name, value]) => `?${name}=${value}`)}`,
    )
    if (page === failing)
      throw new UnavailableError('Away', { status: 503, code: 'unavailable', requestId: 'r' })
    const calls = [{ callId: `k${page}` } as PastCall]
    return { data: { calls, nextCursor: page < pages ? `c${page}` : null } }
  }) as Send
  return { client: clientOf(send), paths }
}

async function read(client: Client, leadId = 'a') {
  const { data } = await settle(readPastCalls(client, leadId))
  return data && [data.calls.map(({ callId }) => callId), data.isComplete]
}

it('The calls of a lead are read to their end', async () => {
  const { client, paths } = playService(3)
  expect(await read(client, 'a/b')).toEqual([['k1', 'k2', 'k3'], true])
  expect(paths).toEqual(['', '?cursor=c1', '?cursor=c2'].map((query) => `/api/v1/leads/a%2Fb/calls${query}`))
})

it('The calls of a lead are read to a limit, and marked as incomplete', async () => {
  const { client, paths } = playService(1000)
  expect((await read(client))?.[1]).toBe(false)
  expect(paths).toHaveLength(5)
})

it('The calls of a lead are those before a page that failed, marked as incomplete', async () => {
  expect(await read(playService(3, 2).client)).toEqual([['k1'], false])
  expect(await read(playService(3, 1).client)).toBeNull()
})

it('Equal releases in a row are one line with their count, and other calls have a line each', () => {
  const call = (minute: number, outcome: string | null, more: Partial<PastCall> = {}) =>
    ({
      callId: `k${minute}`,
      claimedAt: `2026-11-21T10:${minute}:00.000Z`,
      outcome,
      agent: 'dialer',
      details: null,
      ...more,
    }) as PastCall
  const calls = [
    ...[10, 11, 12].map((minute) => call(minute, 'released')),
    call(13, 'busy'),
    call(14, 'busy'),
    call(15, 'released'),
    call(16, 'released', { agent: 'seat-7' }),
    call(17, null),
  ]
  const lines = foldReleases(calls).map(({ call, count, lastAt }) => [
    call.callId,
    count,
    lastAt.slice(14, 16),
  ])
  expect(lines).toEqual([
    ['k10', 3, '12'],
    ...['13', '14', '15', '16', '17'].map((minute) => [`k${minute}`, 1, minute]),
  ])
})
