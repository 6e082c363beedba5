// The client's methods of sources, against the service itself.
import { exports } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { LeadIntake } from '../../src/sdk/src/lead-intake.ts'
import { seedSource } from '../support/sources/source-world.ts'

it('The client has the sources of a campaign', async () => {
  const own = await seedSource()
  const client = new LeadIntake({
    ...{ baseUrl: 'https://lead-intake.test', apiKey: own.manageKey },
    fetch: (input, init) => exports.default.fetch(new Request(input, init)),
  })
  const { sources } = client.campaigns
  const made = await sources.create(own.campaignId, { name: 'Client', countries: ['DE'] })
  expect((await sources.list(own.campaignId)).map(({ sourceId }) => sourceId)).toEqual([
    own.sourceId,
    made.sourceId,
  ])
  expect((await sources.update(own.campaignId, made.sourceId, { name: 'Other' })).name).toBe('Other')
  expect((await sources.get(own.campaignId, made.sourceId)).url).toBe(made.url)
  expect((await sources.rotate(own.campaignId, made.sourceId)).url).not.toBe(made.url)
  const post = { contentType: 'application/json', body: '{}' }
  expect((await sources.try(own.campaignId, made.sourceId, post)).problem?.code).toBe('invalid_field')
  expect(await sources.remove(own.campaignId, made.sourceId)).toEqual({ deleted: true })
})
