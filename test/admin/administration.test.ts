// What the commands on companies, campaigns and keys do, on an open database. Each test has a company of its own.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hashApiKey, isWellFormedApiKey } from '../../src/access/api-key.ts'
import {
  createCampaign,
  createCompany,
  createKey,
  listKeys,
  revokeKey,
  rotateKey,
} from '../../src/access/store/administration.ts'
import { findApiKey } from '../../src/access/store/rights.ts'
import { makeKey } from '../../src/admin/keys.ts'
import { command, commandJson, databaseOfFile } from './command.ts'

const open = databaseOfFile()
const dayMs = 86_400_000

async function seedCompany(): Promise<string> {
  const id = `company-${randomUUID()}`
  await createCompany(open.db, { id, name: 'Acme', createdAtMs: Date.now() })
  await createCampaign(open.db, {
    id: `${id}.spring`,
    companyId: id,
    name: 'Spring',
    createdAtMs: Date.now(),
  })
  return id
}

async function seedKey(companyId: string, expiresAtMs: number | null = null, nowMs = Date.now()) {
  const { key, material } = makeKey()
  const rights = { companyId, campaignId: `${companyId}.spring`, scope: 'write', name: 'crm' } as const
  await createKey(open.db, { ...material, ...rights, expiresAtMs, nowMs })
  return { key, id: material.id }
}

async function find(key: string, nowMs = Date.now()) {
  const found = await findApiKey(open.db, hashApiKey(key), nowMs)
  return found.kind === 'active' ? found.apiKey : null
}

async function keysOf(companyId: string) {
  const found = await listKeys(open.db, companyId, Date.now())
  return found.kind === 'found' ? found.keys : []
}

type KeyRow = Record<string, string | null>

describe('Companies and campaigns', () => {
  it('are created and listed', async () => {
    const id = `acme-${randomUUID()}`
    const company = await commandJson<object>(open.db, `company create --id ${id} --name`, 'Acme & Söhne')
    expect(company).toEqual({ id, name: 'Acme & Söhne', createdAt: expect.stringMatching(/Z$/) })
    const words = `campaign create --company ${id} --id ${id}.spring --name Spring`
    const campaign = await commandJson(open.db, words)
    expect(campaign).toMatchObject({ id: `${id}.spring`, companyId: id, name: 'Spring' })
    const shared = { store: 'shared', sizeBytes: null, leads: null, lastMigration: null }
    expect(await commandJson(open.db, 'company list')).toContainEqual({ ...company, ...shared })
  })

  it('are as many as was set for the company', async () => {
    const id = await seedCompany()
    const limit = (campaigns: string) => command(open.db, `company limit ${id} --campaigns ${campaigns}`)
    const create = (campaign: string) =>
      command(open.db, `campaign create --company ${id} --id ${campaign} --name Spring`)
    expect((await limit('2')).stdout).toBe(`Company ${id} may have 2 campaigns.\n`)
    await create(`${id}.2`)
    const tooMany = `error: company ${id} has as many campaigns as it may have: see company limit\n`
    expect(await create(`${id}.3`)).toEqual({ exitCode: 1, stdout: '', stderr: tooMany })
    expect((await limit('3')).stdout).toBe(`Company ${id} may have 3 campaigns.\n`)
    expect((await create(`${id}.3`)).exitCode).toBe(0)
    for (const wrong of ['0', '1.5', 'default', '2097152']) expect((await limit(wrong)).exitCode).toBe(1)
    const unknown = await command(open.db, 'company limit nobody --campaigns 5')
    expect(unknown.stderr).toBe('error: unknown company: nobody\n')
  })

  it('keep an id that is taken', async () => {
    const id = await seedCompany()
    const again = await command(open.db, `company create --id ${id} --name Other`)
    expect(again).toEqual({ exitCode: 1, stdout: '', stderr: `error: company id is taken: ${id}\n` })
    const campaign = { id: `${id}.spring`, companyId: id, name: 'x', createdAtMs: 1 }
    expect(await createCampaign(open.db, campaign)).toEqual({ kind: 'id_taken' })
  })

  it('Two companies both have a campaign of the same id', async () => {
    const [one, other] = [await seedCompany(), await seedCompany()]
    const campaign = { id: `${one}.spring`, companyId: other, name: 'x', createdAtMs: 1 }
    expect(await createCampaign(open.db, campaign)).toEqual({ kind: 'created' })
    const ids = open.db.prepare('select company_id as companyId from campaigns where id = ?1 order by number')
    const { results } = await ids.bind(campaign.id).run()
    expect(results).toEqual([{ companyId: one }, { companyId: other }])
  })
})

describe('key create', () => {
  it('prints id and key, and the database holds the hash alone', async () => {
    const company = await seedCompany()
    const created = await commandJson<KeyRow>(
      open.db,
      `key create --company ${company} --scope write --name hubspot --campaign ${company}.spring --expires 2127-01-01T00:00:00Z`,
    )
    expect(Object.keys(created)).toEqual(['id', 'key'])
    const key = String(created.key)
    expect(isWellFormedApiKey(key)).toBe(true)
    expect(await find(key)).toEqual({
      id: created.id,
      companyId: company,
      scope: 'write',
      expiresAtMs: Date.parse('2127-01-01T00:00:00Z'),
      isLogRead: 0,
    })

    const listed = await command(open.db, `key list --company ${company} --json`)
    expect(JSON.parse(listed.stdout)).toEqual([
      {
        id: created.id,
        name: 'hubspot',
        scope: 'write',
        companyId: company,
        campaignId: `${company}.spring`,
        hint: `${key.slice(0, 7)}…`,
        status: 'active',
        createdAt: expect.stringMatching(/Z$/),
        expiresAt: '2127-01-01T00:00:00.000Z',
        revokedAt: null,
        lastUsedAt: null,
      },
    ])
    expect(listed.stdout).not.toContain(hashApiKey(key))
  })

  it('makes a company-wide key when no campaign is named', async () => {
    const company = await seedCompany()
    await commandJson(open.db, `key create --company ${company} --scope read --name zapier`)
    expect(await keysOf(company)).toMatchObject([{ scope: 'read', campaignId: null, expiresAtMs: null }])
  })

  it("refuses a company that is not there, and another company's campaign", async () => {
    const company = await seedCompany()
    const other = await seedCompany()
    const rights = { scope: 'read', name: 'x', expiresAtMs: null, nowMs: 1 } as const
    const outcomes = [
      await createKey(open.db, { ...makeKey().material, ...rights, companyId: 'nobody', campaignId: null }),
      await createKey(open.db, {
        ...makeKey().material,
        ...rights,
        companyId: company,
        campaignId: `${other}.spring`,
      }),
    ]
    expect(outcomes).toEqual([{ kind: 'company_unknown' }, { kind: 'campaign_unknown' }])
    expect(await keysOf(company)).toEqual([])
  })
})

describe('key revoke', () => {
  it('ends the key, and keeps the time of the first revocation', async () => {
    const { key, id } = await seedKey(await seedCompany())
    const revoked = await commandJson<KeyRow>(open.db, `key revoke ${id}`)
    expect(revoked).toEqual({ id, revokedAt: expect.stringMatching(/Z$/) })
    expect(await find(key)).toBeNull()

    const again = await revokeKey(open.db, id, Date.now() + 1000)
    expect(again).toEqual({ kind: 'revoked', revokedAtMs: Date.parse(String(revoked.revokedAt)) })
  })
})

describe('The webhooks that were made with a key', () => {
  /** Of the company: one of the key, one of the key that is disabled, and one of another key. */
  async function seedWebhooks(companyId: string, keyId: string) {
    const ids = ['mine', 'off', 'other'].map((name) => `${name}-${randomUUID()}`) as [string, string, string]
    const insert = open.db.prepare(
      `insert into webhooks (id, company_id, url, types, include, passed_number, created_at_ms, created_by,
         disabled_at_ms, disabled_reason)
       values (?1, ?2, 'https://example.com/?token=secret', '["call.reported"]', '[]', 0, ?3, ?4, ?5, ?6)`,
    )
    const createdBy = [keyId, keyId, 'key_other']
    const rows = ids.map((id, i) =>
      insert.bind(id, companyId, i, createdBy[i], ...(i === 1 ? [1, 'gone'] : [null, null])),
    )
    await open.db.batch(rows)
    return ids
  }
  const reasonsOf = async (ids: readonly string[]) => {
    const { results } = await open.db
      .prepare(
        'select disabled_reason as reason from webhooks where id in (?1, ?2, ?3) order by created_at_ms',
      )
      .bind(...ids)
      .run<{ reason: string | null }>()
    return results.map(({ reason }) => reason)
  }
  const disabledIn = async (company: string) => {
    const { results } = await open.db
      .prepare(
        `select actor, campaign_number as campaign, data from events
         where company_id = ?1 and type = 'webhook.disabled' order by number`,
      )
      .bind(company)
      .run<{ actor: string; campaign: number | null; data: string }>()
    return results.map(({ data, ...entry }) => ({ ...entry, data: JSON.parse(data) as object }))
  }
  const seed = async () => {
    const company = await seedCompany()
    const { id: keyId } = await seedKey(company)
    return { company, keyId, ids: await seedWebhooks(company, keyId) }
  }

  it.each(['revoke', 'rotate --grace 0'])(
    'are named and disabled, and that is logged: key %s',
    async (words) => {
      const { company, keyId, ids } = await seed()
      const [mine, off] = ids
      const [verb, ...rest] = words.split(' ')
      const { stdout, exitCode } = await command(open.db, `key ${verb} ${keyId} ${rest.join(' ')}`.trim())
      expect(exitCode).toBe(0)
      expect(stdout).toContain(
        `Webhook ${mine}, created with the key, is disabled (key_revoked): example.com\n`,
      )
      expect(stdout).toContain(`Webhook ${off}, created with the key, is disabled (gone): example.com\n`)
      expect(stdout).not.toContain('secret')
      expect(await reasonsOf(ids)).toEqual(['key_revoked', 'gone', null])
      await command(open.db, `key revoke ${keyId}`)
      expect(await disabledIn(company)).toEqual([
        { actor: 'operator', campaign: null, data: { webhookId: mine, reason: 'key_revoked' } },
      ])
    },
  )

  it.each(['revoke', 'rotate --grace 0'])('stay as they are with --keep-webhooks: key %s', async (words) => {
    const { company, keyId, ids } = await seed()
    const [verb, ...rest] = words.split(' ')
    const ended = await commandJson<{ webhooks: object[] }>(
      open.db,
      `key ${verb} ${keyId} --keep-webhooks ${rest.join(' ')}`.trim(),
    )
    expect(ended.webhooks).toMatchObject([
      { webhookId: ids[0], disabledReason: null },
      { webhookId: ids[1], disabledReason: 'gone' },
    ])
    expect(await reasonsOf(ids)).toEqual([null, 'gone', null])
    expect(await disabledIn(company)).toEqual([])
  })

  it('stay as they are during the grace period of the key, and when its rotation is refused', async () => {
    const { keyId, ids } = await seed()
    const { stdout } = await command(open.db, `key rotate ${keyId} --grace 1h`)
    expect(stdout).not.toContain('Webhook')
    expect(await reasonsOf(ids)).toEqual([null, 'gone', null])
    await command(open.db, `key revoke ${keyId} --keep-webhooks`)
    expect((await command(open.db, `key rotate ${keyId} --grace 0`)).exitCode).toBe(1)
    expect(await reasonsOf(ids)).toEqual([null, 'gone', null])
  })
})

describe('key rotate', () => {
  it('makes a new key of the same rights, and the old one works for another day', async () => {
    const company = await seedCompany()
    const expiresAtMs = Date.now() + 30 * dayMs
    const old = await seedKey(company, expiresAtMs)
    const rotated = await commandJson<KeyRow>(open.db, `key rotate ${old.id}`)
    expect(await find(String(rotated.key))).toMatchObject({ id: rotated.id, scope: 'write', expiresAtMs })
    expect(await keysOf(company)).toContainEqual(
      expect.objectContaining({ id: rotated.id, name: 'crm', campaignId: `${company}.spring` }),
    )
    const endsAtMs = Date.parse(String(rotated.oldExpiresAt))
    expect(endsAtMs - Date.now()).toBeGreaterThan(dayMs - 60_000)
    expect(await find(old.key, endsAtMs - 1)).not.toBeNull()
    expect(await find(old.key, endsAtMs)).toBeNull()
  })

  it('ends the old key at once with --grace 0', async () => {
    const old = await seedKey(await seedCompany())
    await commandJson(open.db, `key rotate ${old.id} --grace 0`)
    expect(await find(old.key)).toBeNull()
  })

  it('never lets the old key outlive its own expiry', async () => {
    const nowMs = Date.now()
    const old = await seedKey(await seedCompany(), nowMs + 1000)
    const outcome = await rotateKey(open.db, {
      ...makeKey().material,
      oldId: old.id,
      endsAtMs: nowMs + dayMs,
      expiresAtMs: null,
      nowMs,
    })
    expect(outcome).toEqual({
      kind: 'rotated',
      expiresAtMs: nowMs + 1000,
      oldExpiresAtMs: nowMs + 1000,
    })
  })

  it('key rotate says that the new key ends with the old one, and that the grace is cut short', async () => {
    const expiresAtMs = Date.now() + dayMs / 2
    const old = await seedKey(await seedCompany(), expiresAtMs)
    const { stdout } = await command(open.db, `key rotate ${old.id} --grace 24h`)
    const end = new Date(expiresAtMs).toISOString()
    expect(stdout).toContain(`which ends at ${end}, before the grace period is over: it expires then.`)
    expect(stdout).toContain(
      `The new key ends at ${end}, the same as the old one: set another end with --expires.`,
    )

    const lasting = await seedKey(await seedCompany())
    const rotated = await command(open.db, `key rotate ${lasting.id} --grace 24h`)
    expect(rotated.stdout).not.toMatch(/grace|The new key ends/)
  })

  it('key rotate gives the new key an end of its own with --expires', async () => {
    for (const oldExpiresAtMs of [null, Date.now() + dayMs]) {
      const old = await seedKey(await seedCompany(), oldExpiresAtMs)
      const words = `key rotate ${old.id} --grace 1h --expires 2127-01-01T00:00:00Z`
      const rotated = await commandJson<KeyRow>(open.db, words)
      const expiresAt = '2127-01-01T00:00:00.000Z'
      expect(rotated).toMatchObject({ expiresAt })
      expect(await find(String(rotated.key))).toMatchObject({ expiresAtMs: Date.parse(expiresAt) })
    }
  })

  it('refuses a key that is revoked or expired, and makes none', async () => {
    const company = await seedCompany()
    const nowMs = Date.now()
    const revoked = await seedKey(company)
    await revokeKey(open.db, revoked.id, nowMs)
    const expired = await seedKey(company, nowMs)
    for (const { id } of [revoked, expired]) {
      const outcome = await rotateKey(open.db, {
        ...makeKey().material,
        oldId: id,
        endsAtMs: nowMs + dayMs,
        expiresAtMs: null,
        nowMs,
      })
      expect(outcome).toEqual({ kind: 'key_inactive' })
    }
    expect(await keysOf(company)).toHaveLength(2)
  })
})
