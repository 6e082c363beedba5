// How much the key of a dialer is used, as the list of keys shows it.
import { expect, it } from 'vitest'
import { companyDb } from '../../support/database/store.ts'
import { seedDialling } from '../../support/dialers/dialling.ts'

it('The claims of a dialer are counted for its key, and those of another dialer for its own', async () => {
  const [world, other] = [await seedDialling(), await seedDialling()]
  await world.lead()
  await world.pass(1)
  const useOf = async ({ campaign }: typeof world) => {
    const uses = companyDb.prepare(
      `select sum(h.requests) as claims from dialers as d cross join key_hours as h on h.key_id = d.key_id
       where d.campaign_number = ?1`,
    )
    return (await uses.bind(campaign.number).first<{ claims: number | null }>())?.claims
  }
  expect(await useOf(world)).toBe(1)
  await world.lead()
  await world.pass(200)
  expect(await useOf(world)).toBe(2)
  expect(await useOf(other)).toBe(null)
})
