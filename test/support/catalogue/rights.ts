// What a statement on a company's data has to name: the key's right, whichever data it is. Reads SQL as text, and sends
// none but the question which tables there are.
import { companyDb } from '../database/store.ts'

/**
 * What a key's right is made of, and where a person may be a member, which grants nothing. All other tables hold what
 * belongs to a company.
 */
const ofRights = ['campaigns', 'api_keys', 'operator_keys', 'd1_migrations', 'member_directory']

/** Hours follow from settings, and nobody's data is in them: a claim writes them again for the next one. */
const writesHours = (sql: string) => /^(insert into|delete from) (openings|calling_lanes)\b/.test(plain(sql))

/** Text of SQL without quotes and runs of spaces. */
const plain = (sql: string) => sql.replaceAll('"', '').replace(/\s+/g, ' ').toLowerCase()

const names = (sql: string, table: string) => new RegExp(`\\b${table}\\b`).test(plain(sql))

/** The key, by its id or, as it is looked up, its hash; and that it has not ended, which is revocation and expiry. */
const right = [
  /\b(key_rights|campaign_rights|api_keys)\b/,
  /\b(api_keys\.id|key_id|api_keys\.hash) = \?/,
  /\b(ends_at_ms|revoked_at_ms is null and \S+frozen < 2, ifnull\(\S+expires_at_ms, 9e15\), 0\)) > \?/,
]

export async function guardedTables(): Promise<string[]> {
  const { results } = await companyDb
    .prepare(
      `select name from sqlite_master where type = 'table' and name not glob 'sqlite_*' and name not glob '_cf_*'`,
    )
    .all<{ name: string }>()
  return results.map(({ name }) => name).filter((name) => !ofRights.includes(name))
}

/** Whether the statement is on what belongs to a company. */
export const isGuarded = (sql: string, tables: readonly string[]) =>
  !writesHours(sql) && tables.some((table) => names(sql, table))

/** The parts of the key's right that the statement does not name. */
export const lacks = (sql: string) => right.filter((part) => !part.test(plain(sql)))
