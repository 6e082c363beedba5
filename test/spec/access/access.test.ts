// Authentication, rules 2 and 3, as one table: every kind of active key, at every endpoint of the catalogue, on every
// kind of campaign. Each cell is asserted (see support/thorough.ts), refusals of one kind are the same bytes, and what
// is refused writes nothing. Keys that are no good are in authentication.test.ts.
import { beforeEach, expect, it } from 'vitest'
import { type KeyedEndpoint, keyedEndpoints } from '../../support/catalogue/catalogue.ts'
import type { Said, Scene } from '../../support/catalogue/endpoint.ts'
import { denialOf, isOfCompany, problems } from '../../support/catalogue/said.ts'
import { keyScopes, send } from '../../support/catalogue/sending.ts'
import { watchedDatabase } from '../../support/database/database.ts'
import { type Answer, api } from '../../support/http/api.ts'
import { sideBySide } from '../../support/http/side-by-side.ts'
import { stopClock } from '../../support/run/clock.ts'
import { everyOther } from '../../support/run/thorough.ts'
import { absentCampaign, type KeyKind, seedCampaign, seedKeys, seedWorld } from '../../support/world.ts'

beforeEach(stopClock)

const campaignKinds = ['own', 'sibling', 'foreign', 'absent'] as const
type CampaignKind = (typeof campaignKinds)[number]

/** Which campaigns a key reaches: its own, another of its company, another company's, one that is not there. */
const reach: Readonly<Record<string, readonly CampaignKind[]>> = {
  'a company-wide key': ['own', 'sibling'],
  'a campaign’s key': ['own'],
  'another company’s key': ['foreign'],
  'another campaign’s key': ['sibling'],
}

/** What the table says of a cell: a refusal, or null where the key is let in. */
function verdictOf(
  endpoint: KeyedEndpoint,
  scope: string,
  keyKind: string,
  campaign: CampaignKind,
): Said | null {
  if (!(endpoint.scopes as readonly string[]).includes(scope)) return problems.scope
  if (endpoint.actsOn === 'nothing') return null
  if (isOfCompany(endpoint)) return keyKind.includes('campaign’s') ? denialOf(endpoint) : null
  const isOfAll = endpoint.actsOn === 'consent' && keyKind.includes('campaign’s')
  return reach[isOfAll ? 'a company-wide key' : keyKind]?.includes(campaign) ? null : denialOf(endpoint)
}

async function seedPlaces() {
  const [own, foreign] = await Promise.all([seedWorld(), seedWorld()])
  const sibling = await seedCampaign(own.companyId)
  const placeOf = (campaign: Scene['campaign']): Scene => ({
    companyId: campaign.companyId,
    campaignId: campaign.id,
    campaign,
  })
  const places: Record<CampaignKind, Scene> = {
    own,
    sibling: placeOf(sibling),
    foreign,
    absent: placeOf(absentCampaign),
  }
  const kinds: Record<string, KeyKind> = {
    'a company-wide key': { companyId: own.companyId },
    'a campaign’s key': { companyId: own.companyId, campaign: own.campaign },
    'another company’s key': { companyId: foreign.companyId },
    'another campaign’s key': { companyId: own.companyId, campaign: sibling },
  }
  const keys = Object.entries(kinds).flatMap(([keyKind, kind]) =>
    keyScopes.map((scope) => ({ ...kind, keyKind, scope })),
  )
  const seeded = await seedKeys(keys)
  return {
    places,
    keys: keys.map(({ keyKind, scope }, i) => ({ keyKind, scope, key: seeded[i]?.key ?? '' })),
  }
}

/** All that a client sees, but the request's id and its own counters. */
function visible({ status, headers, text }: Answer): string {
  const seen = [...headers].filter(([name]) => name !== 'x-request-id' && !name.includes('ratelimit'))
  return JSON.stringify([status, text, seen])
}

it.each(keyedEndpoints.map((endpoint, place) => [endpoint.name, endpoint, place] as const))(
  'The access table holds in every cell: %s',
  async (_, endpoint, place) => {
    const { places, keys } = await seedPlaces()
    const looks = new Map<string, Set<string>>()
    const ask = async ({ keyKind, scope, key }: (typeof keys)[number], campaign: CampaignKind) => {
      const { DB, trips } = watchedDatabase()
      const sent = await endpoint.request(places[campaign])
      const answer = await send(endpoint, key, sent, { bindings: { DB } })
      const refused = verdictOf(endpoint, scope, keyKind, campaign)
      const cell = `${keyKind} of scope ${scope}, ${campaign} campaign`
      const said = [answer.status, answer.body?.error ?? null, answer.headers.get('x-error-code')]
      expect([cell, ...said]).toEqual([cell, ...(refused ?? [endpoint.success, null, null])])
      if (refused === null) return
      const written = trips.flatMap(({ results }) => results).reduce((sum, { meta }) => sum + meta.changes, 0)
      expect([cell, written]).toEqual([cell, 0])
      looks.set(refused[2], (looks.get(refused[2]) ?? new Set()).add(visible(answer)))
    }
    expect(keys).toHaveLength(keyScopes.length * Object.keys(reach).length)
    const cells = keys.flatMap((key, row) => {
      const kinds = Object.keys(reach).indexOf(key.keyKind)
      return everyOther(campaignKinds, place + row + kinds).map((kind) => [key, kind] as const)
    })
    await sideBySide(cells, (cell) => ask(...cell))
    // No oracle: whatever was asked with whichever key, refusals of one kind are the same bytes.
    for (const [code, seen] of looks) expect([code, seen.size]).toEqual([code, 1])
  },
)

it('The access table distinguishes campaigns by case', async () => {
  const { campaignId, readKey } = await seedWorld()
  const answer = await api(readKey).listLeads({ campaignId: campaignId.toUpperCase() })
  expect([answer.status, answer.body?.error]).toEqual(problems.campaign.slice(0, 2))
})
