// That `npm run test:hard -- --only upgrade` deploys the tag before, and finds what a version does that the one before
// cannot go on with.
import { describe, expect, it } from 'vitest'
import { builtWorker } from '../docs/server.ts'
import { deployedBefore, upgradeFrom } from '../hard/upgrade.ts'
import { codeWithTexts } from '../support/run/local-worker.ts'
import { tagBefore } from '../support/run/tag-before.ts'

describe('The tag that is deployed before the present version', () => {
  it.each([
    ['2.1.0', ['v1.9.0', 'v2.0.0', 'client-v2.0.9', 'v2.1.0', 'v2.2.0'], 'v2.0.0'],
    ['2.11.0', ['2.2.0', '2.10.1', '2.9.0'], '2.10.1'],
    ['3.0.0', ['v2.1.0', 'v2.0.0'], 'v2.1.0'],
    ['2.0.0', ['v1.9.0', '1.1.0', 'v2.0.0'], null],
    ['2.0.0', [], null],
  ])(
    'The tag that is deployed first is the last one from 2.0 on: for %s of %j it is %s',
    (version, tags, tag) => {
      expect(tagBefore(tags, version)).toBe(tag)
    },
  )
})

describe('An upgrade', { timeout: 300_000 }, () => {
  it('From the tag before, or else the present commit, holds in D1 and in a store of a company’s own', async () => {
    const before = deployedBefore() ?? 'HEAD'
    const { figures, broken } = await upgradeFrom(before, codeWithTexts(await builtWorker(), 'index.js'))
    expect(broken).toEqual([])
    expect(figures).toMatchObject({ deployed: before })
    expect(figures.requests).toBeGreaterThan(60)
  })
})
