// What becomes of the keys that a key has created when the operator revokes or rotates it.
import { describe, expect, it } from 'vitest'
import { createCampaign, createCompany, createKey, listKeys } from '../../src/access/store/administration.ts'
import { makeKey } from '../../src/admin/keys.ts'
import { command, commandJson, databaseOfFile } from './command.ts'

const open = databaseOfFile()
let companies = 0

/** A key `root`; `child` that it created, `grandchild` that `child` created, and `other` by nobody of them. */
async function seed() {
  const companyId = `company-${++companies}`
  const nowMs = Date.now()
  await createCompany(open.db, { id: companyId, name: 'Acme', createdAtMs: nowMs })
  await createCampaign(open.db, { id: 'spring', companyId, name: 'Spring', createdAtMs: nowMs })
  const add = async (createdBy: string | null) => {
    const { material } = makeKey()
    const rights = { companyId, campaignId: null, scope: 'manage', name: 'crm', expiresAtMs: null } as const
    await createKey(open.db, { ...material, ...rights, nowMs })
    if (createdBy !== null)
      await open.db
        .prepare('update api_keys set created_by = ?2 where id = ?1')
        .bind(material.id, createdBy)
        .run()
    return material.id
  }
  const root = await add(null)
  const child = await add(root)
  const grandchild = await add(child)
  const other = await add(null)
  for (const id of [root, grandchild, other])
    await open.db
      .prepare(
        `insert into webhooks (id, company_id, url, types, include, passed_number, created_at_ms, created_by)
         values ('wh_' || ?2, ?1, 'https://example.com/?token=secret', '[]', '[]', 0, 0, ?2)`,
      )
      .bind(companyId, id)
      .run()
  const keysNow = async () => {
    const found = await listKeys(open.db, companyId, Date.now())
    return new Map((found.kind === 'found' ? found.keys : []).map((key) => [key.id, key]))
  }
  const workingNow = async () => {
    const keys = await keysNow()
    return [root, child, grandchild, other].map((id) => keys.get(id)?.revokedAtMs === null)
  }
  const webhooksNow = async () => {
    const { results } = await open.db
      .prepare('select disabled_at_ms is null as works from webhooks where company_id = ?1 order by rowid')
      .bind(companyId)
      .run<{ works: number }>()
    return results.map(({ works }) => works === 1)
  }
  return { companyId, root, child, grandchild, other, keysNow, workingNow, webhooksNow }
}

describe('The keys that a key created', () => {
  it('are named when the operator revokes it, and work on, as do their webhooks', async () => {
    const { root, child, grandchild, other, workingNow, webhooksNow } = await seed()
    const { stdout } = await command(open.db, `key revoke ${root}`)
    for (const id of [child, grandchild])
      expect(stdout).toContain(
        `Key ${id} (crm), created with the key, still works: revoke it, or use --with-created`,
      )
    expect(stdout).not.toContain(other)
    expect(await workingNow()).toEqual([false, true, true, true])
    expect(await webhooksNow()).toEqual([false, true, true])
  })

  it('end with it, and their webhooks with them, by --with-created, each logged once', async () => {
    const { companyId, root, child, grandchild, workingNow, webhooksNow } = await seed()
    const revoked = await commandJson<{ id: string; keys: { id: string; revokedAt: string | null }[] }>(
      open.db,
      `key revoke ${root} --with-created`,
    )
    expect(revoked.keys.map(({ id }) => id).sort()).toEqual([child, grandchild].sort())
    expect(revoked.keys.every(({ revokedAt }) => revokedAt !== null)).toBe(true)
    expect(await workingNow()).toEqual([false, false, false, true])
    expect(await webhooksNow()).toEqual([false, false, true])
    await command(open.db, `key revoke ${root} --with-created`)
    const { results } = await open.db
      .prepare(
        `select actor || ' ' || (data ->> 'keyId') as entry from events
         where company_id = ?1 and type = 'key.revoked' order by 1`,
      )
      .bind(companyId)
      .run<{ entry: string }>()
    expect(results.map(({ entry }) => entry)).toEqual(
      [root, child, grandchild].map((id) => `operator ${id}`).sort(),
    )
  })

  it('end by --with-created also when the key itself was revoked before', async () => {
    const { root, workingNow } = await seed()
    await command(open.db, `key revoke ${root}`)
    await command(open.db, `key revoke ${root} --with-created`)
    expect(await workingNow()).toEqual([false, false, false, true])
  })

  it('do not end by --with-created and --keep-webhooks together', async () => {
    const { root, workingNow } = await seed()
    const { exitCode, stderr } = await command(open.db, `key revoke ${root} --with-created --keep-webhooks`)
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('--keep-webhooks')])
    expect(await workingNow()).toEqual([true, true, true, true])
  })

  it('Ends by --with-created what the creator made, also once the operator has rotated it', async () => {
    const { root, child, keysNow } = await seed()
    const { id } = await commandJson<{ id: string }>(open.db, `key rotate ${child}`)
    expect((await keysNow()).get(id)).toMatchObject({ createdBy: 'operator', revokedAtMs: null })
    await command(open.db, `key revoke ${root} --with-created`)
    const keys = await keysNow()
    expect(keys.get(child)?.revokedAtMs).not.toBeNull()
    expect(keys.get(id)?.revokedAtMs).not.toBeNull()
  })
})
