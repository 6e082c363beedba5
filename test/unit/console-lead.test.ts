// A lead in the console: what the log has of it.
import { describe, expect, it } from 'vitest'
import type { Ask } from '../../src/console/api.ts'
import { findLeadEvents } from '../../src/console/lead-events.ts'

describe('The changes of a lead', () => {
  const service = (pages: readonly (number | null)[]) => {
    const paths: string[] = []
    const ask = (async (_: string, path: string) => {
      const count = pages[paths.length] ?? 0
      paths.push(path)
      if (count === 0 && pages[paths.length - 1] === null) return { data: null, error: 'Away' }
      const events = Array.from({ length: count }, (_, index) => ({ id: `${paths.length} ${index}` }))
      return { data: { events, next: `evt_${paths.length}` }, error: null }
    }) as unknown as Ask
    return { ask, paths }
  }

  it('are asked for by its id, so that one request is enough', async () => {
    const { ask, paths } = service([2])
    expect(await findLeadEvents(ask, 'abc')).toMatchObject({ isWhole: true, error: null })
    expect(paths).toEqual(['/events?leadId=abc&types=lead.changed%2Clead.requeued&limit=1000'])
  })

  it('are read on while pages are full, and are not whole where one is missing', async () => {
    const { ask, paths } = service([1000, 3])
    const { events, isWhole } = await findLeadEvents(ask, 'abc')
    expect([events.length, isWhole]).toEqual([1003, true])
    expect(paths[1]).toContain('after=evt_1')
    const missing = await findLeadEvents(service([1000, null]).ask, 'abc')
    expect(missing).toMatchObject({ isWhole: false, error: 'Away' })
  })
})
