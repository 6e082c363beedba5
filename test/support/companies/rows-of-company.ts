// The rows of a company: all of them, and one for each table that a move copies.
import { movedTables } from '../../../src/control/companies/store/moved-tables.ts'

/** As SQLite has them, each as JSON: of every table that a move copies. */
export async function rowsOfCompany(
  db: D1Database,
  companyId: string,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const range = { companyId, maxRows: 1_000_000, maxBytes: 1e9 }
  const read = movedTables.map((table) => table.read(db, { ...range, after: table.start }))
  const results = await db.batch<{ row: string }>(read)
  return Object.fromEntries(
    movedTables.map(({ name }, index) => [name, (results[index]?.results ?? []).map(({ row }) => row)]),
  )
}

type Owner = Readonly<Record<'companyId' | 'campaignId' | 'readKeyId' | 'agentKeyId', string>>

/** Statements: a row in each table that requests have left empty, with numbers and texts at their bounds. */
export function rowsOfEveryTable({ companyId, campaignId, readKeyId, agentKeyId }: Owner): readonly string[] {
  const campaign = `(select number from campaigns where company_id = '${companyId}' and id = '${campaignId}')`
  const seq = `(select max(seq) from leads where campaign_number = ${campaign})`
  return [
    `insert into openings values (${campaign}, 'Asia/Tokyo', 1, 8640000000000000, 9007199254740991)`,
    `insert into calling_lanes values (${campaign}, 'Asia/Tokyo', 0) on conflict do nothing`,
    `insert into key_hours values ('${readKeyId}', 480000, '', 3, 1728000000001)`,
    `insert into members values ('mem_${companyId}', '${companyId}', ${campaign}, 'zoë@example.com', 'Zoë', 'read', 1,
       'operator', 2, 3, null, null)`,
    `insert into suppressions values ('${companyId}', '+15550001', 0, null, 1, 'token000000', 2, '[1]')`,
    `insert into consent_texts values ('${companyId}', '${'ab'.repeat(32)}', 'Oui, \u{1f642}', 7)`,
    `insert into consents values ('${companyId}', '+15550001', 'offers', 9007199254740991, 'con_1', 'hash', 'hmac', 8,
       '${'ab'.repeat(32)}', 'https://a.example', '::1', 'agent', 'https://c.example', 'ref', 9, 10, ${campaign})`,
    `insert into number_log values ('${companyId}', '+15550001', '*', 11, 'suppression', 0, 'system', 'é', 12, 13)`,
    `insert into retained_hashes values ('${companyId}', ${campaign}, '${'cd'.repeat(32)}', 'busy', 6)`,
    `insert into number_calls values ('${companyId}', '${'ef'.repeat(32)}', ${Date.now()}, 9007199254740991, 1)`,
    `insert into lost_calls values ('${companyId}', '${'ef'.repeat(32)}', ${Date.now()}, 9007199254740991,
      'token000000',
       ${campaign}, '${'ab'.repeat(32)}')`,
    `insert into test_calls values ('${companyId}', '+15550001', ${campaign}, 'tst_1', 9007199254740991)`,
    `insert into erased_runs values (${campaign} << 32, ${campaign} << 32) on conflict do nothing`,
    `insert into resting_lanes values (${campaign}, 'Asia/Tokyo', 0, 9007199254740991)`,
    `insert into call_details values (${seq}, 77, '{"a": "\u{1f642}"}')`,
    `insert into claims values (${Date.now()}, 'token-${companyId}', ${campaign}, 'of-${companyId}', 'r', '[]', 1)`,
    `insert into requeues values (${campaign}, 'exhausted', 1, 2, ${Date.now()})`,
    `insert into agents values ('${companyId}', ${campaign}, 'ann', 1, 1, '["x"]', null, 0, ${Date.now()})`,
    `insert into recounts (campaign_number, due_at_ms, raw) values (${campaign}, 9000000000000, -3)
       on conflict do nothing`,
    `insert into dialers values (${campaign}, '${companyId}', '${agentKeyId}', 5, 'custom', '{"a": "é"}', '{}', 'x',
       'https://leads.example', 9007199254740991, 2, null, 'account', 3, 'busy', 4, '\u{1f642}', 5, 'é', 6, 7)`,
    `insert into sources values ('src_${companyId}', '${companyId}', ${campaign}, '${readKeyId}', 'é', '["DE"]',
       '{"timeZone": null}', '["x"]', '{"purpose": "offers"}', 'requeue', 'https://a.example', 'x', 1, 9007199254740991,
       2, 3, 4, '["\u{1f642}"]', 5, '{"code": "x"}', 6, '["x"]', 'suppress',
       'DE', '{"US": "campaign"}', 9007199254740991)`,
    `insert into gates values (${campaign}, '${companyId}', '{"a": "é"}', 24, 60, 'hold', 'none', 'x', 2, 3, 4, null,
       null, 9007199254740991)`,
    // The second is that of the dialer, which a cron would raise otherwise.
    `insert into alerts values ('${companyId}', 'key_limit', 0, '${readKeyId}', ${Date.now()}, null, 4),
       ('${companyId}', 'dialer_stopped', ${campaign}, 'account', 3, ${Date.now()}, 0)`,
  ]
}
