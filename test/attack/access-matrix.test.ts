// Who may do what, as one table: every kind of key, at every endpoint, on every kind of campaign. Each cell is asserted,
// refusals of one kind are the same bytes, and what is refused stores nothing.
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Answer, api } from '../support/api.ts'
import { dataOf } from '../support/expectations.ts'
import { newPhone, seedCampaign, seedCompany, seedKey, unknownKey } from '../support/world.ts'

const campaignKinds = ['own', 'sibling', 'foreign', 'absent'] as const
type CampaignKind = (typeof campaignKinds)[number]

const operations = ['create', 'bulk', 'dry run', 'list', 'csv', 'read one'] as const
type Operation = (typeof operations)[number]

// What a cell says: let in; 401; the scope is too small; the campaign is denied; there is no such lead.
type Verdict = 'in' | 'key' | 'scope' | 'campaign' | 'lead'

// The campaigns: its own, another of its company, another company's, one that is not there.
const matrix: Record<string, Record<'write' | 'list' | 'read one', [Verdict, Verdict, Verdict, Verdict]>> = {
  'company-wide write': {
    write: ['in', 'in', 'campaign', 'campaign'],
    list: ['in', 'in', 'campaign', 'campaign'],
    'read one': ['in', 'in', 'lead', 'lead'],
  },
  'company-wide read': {
    write: ['scope', 'scope', 'scope', 'scope'],
    list: ['in', 'in', 'campaign', 'campaign'],
    'read one': ['in', 'in', 'lead', 'lead'],
  },
  'campaign write': {
    write: ['in', 'campaign', 'campaign', 'campaign'],
    list: ['in', 'campaign', 'campaign', 'campaign'],
    'read one': ['in', 'lead', 'lead', 'lead'],
  },
  'campaign read': {
    write: ['scope', 'scope', 'scope', 'scope'],
    list: ['in', 'campaign', 'campaign', 'campaign'],
    'read one': ['in', 'lead', 'lead', 'lead'],
  },
  'other company’s write': {
    write: ['campaign', 'campaign', 'in', 'campaign'],
    list: ['campaign', 'campaign', 'in', 'campaign'],
    'read one': ['lead', 'lead', 'in', 'lead'],
  },
  'other company’s read': {
    write: ['scope', 'scope', 'scope', 'scope'],
    list: ['campaign', 'campaign', 'in', 'campaign'],
    'read one': ['lead', 'lead', 'in', 'lead'],
  },
  ...Object.fromEntries(
    ['revoked', 'expired', 'mistyped', 'malformed', 'unknown', 'empty', 'none'].map((kind) => [
      kind,
      {
        write: ['key', 'key', 'key', 'key'],
        list: ['key', 'key', 'key', 'key'],
        'read one': ['key', 'key', 'key', 'key'],
      },
    ]),
  ),
}

const statuses: Record<Operation, number> = {
  create: 201,
  bulk: 200,
  'dry run': 200,
  list: 200,
  csv: 200,
  'read one': 200,
}
const isWrite = (operation: Operation) =>
  operation === 'create' || operation === 'bulk' || operation === 'dry run'

/** Status, code and text. */
const refusals = {
  key: [401, 'invalid_api_key', 'Invalid or inactive API key'],
  scope: [403, 'insufficient_permissions', 'Insufficient permissions'],
  campaign: [403, 'campaign_denied', 'Campaign not found or access denied'],
  lead: [404, 'lead_not_found', 'Lead not found'],
} as const

const keys: Record<string, string | null> = {}
const campaignIds: Record<string, string> = { absent: 'no-such-campaign' }
/** One lead of each campaign, and an id that was never given. */
const leadIds: Record<string, string> = { absent: '1a1fb5c8dd500000100000001zjBejuxFPlX' }

beforeAll(async () => {
  const [company, other] = await Promise.all([seedCompany(), seedCompany()])
  const own = await seedCampaign(company)
  const sibling = await seedCampaign(company)
  const foreign = await seedCampaign(other)
  const make = async (rights: Parameters<typeof seedKey>[0]) => (await seedKey(rights)).key
  const good = await make({ companyId: company })
  Object.assign(keys, {
    'company-wide write': good,
    'company-wide read': await make({ companyId: company, scope: 'read' }),
    'campaign write': await make({ companyId: company, campaign: own }),
    'campaign read': await make({ companyId: company, campaign: own, scope: 'read' }),
    'other company’s write': await make({ companyId: other }),
    'other company’s read': await make({ companyId: other, scope: 'read' }),
    revoked: await make({ companyId: company, revokedAtMs: 1 }),
    expired: await make({ companyId: company, expiresAtMs: Date.now() - 1 }),
    mistyped: good.slice(0, -1) + (good.endsWith('A') ? 'B' : 'A'),
    malformed: 'lk_nonsense',
    unknown: unknownKey(),
    empty: '',
    none: null,
  })
  const writers = { own: good, sibling: good, foreign: keys['other company’s write'] as string }
  for (const [kind, campaign] of Object.entries({ own, sibling, foreign })) {
    campaignIds[kind] = campaign.id
    const lead = { campaignId: campaign.id, phoneNumber: newPhone() }
    leadIds[kind] = dataOf(await api(writers[kind as keyof typeof writers]).createLead(lead), 201).leadId
  }
})

function ask(operation: Operation, key: string | null, campaign: CampaignKind): Promise<Answer> {
  const client = api(key)
  const campaignId = campaignIds[campaign] as string
  const leads = [{ phoneNumber: newPhone() }]
  switch (operation) {
    case 'create':
      return client.createLead({ campaignId, phoneNumber: newPhone() })
    case 'bulk':
      return client.importLeads({ campaignId, leads })
    case 'dry run':
      return client.request('POST', '/api/v1/leads/bulk?dryRun=true&results=true', { campaignId, leads })
    case 'list':
      return client.listLeads({ campaignId })
    case 'csv':
      return client.request('HEAD', `/api/v1/leads?campaignId=${campaignId}`, undefined, {
        accept: 'text/csv',
      })
    case 'read one':
      return client.request('GET', `/api/v1/leads/${leadIds[campaign]}`)
  }
}

/** All that a client sees, but the request's id and its own counters. */
function visible({ status, headers, text }: Answer): string {
  const seen = [...headers].filter(([name]) => name !== 'x-request-id' && !name.includes('ratelimit'))
  return JSON.stringify([status, text, seen])
}

async function countLeads(): Promise<number | null> {
  return env.DB.prepare('select count(*) as stored from leads').first<number>('stored')
}

/** What the answer says; null for one that the contract does not know. */
function verdictOf(operation: Operation, { status, headers, body }: Answer): Verdict | null {
  if (status === statuses[operation]) return 'in'
  const told = [status, headers.get('x-error-code'), ...(body === null ? [] : [body.error])]
  const refused = Object.entries(refusals).find(([, refusal]) => told.every((part, i) => part === refusal[i]))
  return (refused?.[0] as Verdict | undefined) ?? null
}

/** What the refusals of each kind looked like. */
const looks: Record<string, Set<string>> = {
  key: new Set(),
  scope: new Set(),
  campaign: new Set(),
  lead: new Set(),
}

describe('The access matrix', () => {
  it.each(Object.entries(matrix))('holds in every cell: %s', async (keyKind, rows) => {
    const storedBefore = (await countLeads()) ?? 0
    let writesLetIn = 0
    for (const operation of operations) {
      const row = isWrite(operation) ? 'write' : operation === 'csv' ? 'list' : operation
      const verdicts: (Verdict | null)[] = []
      for (const campaign of campaignKinds) {
        const answer = await ask(operation, keys[keyKind] ?? null, campaign)
        const verdict = verdictOf(operation, answer)
        verdicts.push(verdict)
        if (verdict === 'in' && (operation === 'create' || operation === 'bulk')) writesLetIn++
        if (verdict !== 'in' && operation !== 'csv') looks[String(verdict)]?.add(visible(answer))
      }
      expect([operation, ...verdicts]).toEqual([operation, ...rows[row as keyof typeof rows]])
    }
    expect(((await countLeads()) ?? 0) - storedBefore).toBe(writesLetIn)
    // No oracle: whatever was asked with whichever key, refusals of one kind are the same bytes.
    for (const seen of Object.values(looks)) expect(seen.size).toBeLessThanOrEqual(1)
  })
})
