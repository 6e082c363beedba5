// What the migration of webhooks makes of those that are there.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openDatabaseFile } from '../../src/database/database-file.ts'
import { readMigrations } from '../support/migrations.ts'

const isOfWebhooks = ({ name }: { name: string }) => name >= '0009'

it('Webhooks from before are made by whom the log names, and by nobody where it does not', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'lead-intake-webhooks-'))
  const { db, close } = openDatabaseFile(join(dir, 'before.sqlite'))
  onTestFinished(() => {
    close()
    rmSync(dir, { recursive: true, force: true })
  })
  const run = (text: string) => db.prepare(text).bind().run<{ id: string; by: string | null }>()
  const migrations = await readMigrations()
  const apply = async (some: typeof migrations) => {
    for (const { queries } of some) for (const query of queries) await run(query)
  }
  await apply(migrations.filter((one) => !isOfWebhooks(one)))
  await run(`insert into companies (id, name, created_at_ms) values ('acme', 'Acme', 0)`)
  await run(`insert into webhooks (id, company_id, url, types, include, told_number, created_at_ms)
    values ('wh_1', 'acme', '', '[]', '[]', 0, 0), ('wh_2', 'acme', '', '[]', '[]', 0, 0)`)
  await run(`insert into events (company_id, number, at_ms, type, actor, data) values
    ('acme', 1, 1, 'webhook.changed', 'key_1', '{"webhookId":"wh_1","change":"created"}'),
    ('acme', 2, 2, 'webhook.changed', 'key_2', '{"webhookId":"wh_1","change":"changed"}'),
    ('acme', 3, 3, 'webhook.changed', 'key_3', '{"webhookId":"wh_2","change":"rotated"}')`)
  await apply(migrations.filter(isOfWebhooks))
  const { results } = await run('select id, created_by as by from webhooks order by id')
  expect(results.map(({ id, by }) => [id, by])).toEqual([
    ['wh_1', 'key_1'],
    ['wh_2', null],
  ])
})
