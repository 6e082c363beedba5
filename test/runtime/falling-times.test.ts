// The migration that looks for campaigns whose times of creation fall from one lead to the next, as they could in the
// first version. How such a campaign is listed by time is in test/spec/leads/list-options.test.ts.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { companyDb } from '../support/store.ts'
import { newPhone, seedLeads, seedWorld } from '../support/world.ts'

async function seedTimes(times: readonly number[]): Promise<number> {
  const { campaign } = await seedWorld()
  await seedLeads(
    campaign,
    times.map(() => ({ phoneNumber: newPhone() })),
  )
  await companyDb
    .prepare(`update leads set created_at_ms = ?2 ->> ((seq & 4294967295) - 1) where campaign_number = ?1`)
    .bind(campaign.number, JSON.stringify(times))
    .run()
  return campaign.number
}

describe('The migration of campaigns', () => {
  it('marks those in which times fall, and no other', async () => {
    const seeds: readonly (readonly number[])[] = [[9, 9, 10], [1, 5, 4, 6], [3], [], [2, 1], [7, 8]]
    const numbers: number[] = []
    // One after the other: the last time of a campaign is above the first one of the next.
    for (const times of seeds) numbers.push(await seedTimes(times))
    const queries = env.TEST_MIGRATIONS.flatMap((migration) => migration.queries)
    const mark = queries.find((query) => /update `campaigns`/i.test(query)) as string
    await companyDb.prepare(mark).run()
    const { results } = await companyDb
      .prepare(
        'select has_falling_times as isMarked from campaigns where number in (select value from json_each(?1)) order by number',
      )
      .bind(JSON.stringify(numbers))
      .all()
    expect(results.map((row) => row.isMarked)).toEqual([0, 1, 0, 0, 1, 0])
  })
})
