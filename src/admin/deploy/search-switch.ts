// Takes the search index of D1 away, so that the database can be exported, and makes it again. What it consists of is
// read from the migration. Leads are created meanwhile, and the search is refused until the index is whole again.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandFailed } from '../command-failed.ts'
import { projectDir } from './wrangler.ts'

/** Runs statements, joined by semicolons, as one transaction. Returns the rows of each. */
type RunSql = (sql: string) => Promise<readonly (readonly Record<string, unknown>[])[]>

const allPlaces = Number.MAX_SAFE_INTEGER

/** The statements of the migration that make the index, without those that fill it. */
function statementsOfIndex(): string[] {
  const text = readFileSync(join(projectDir, 'migrations/2003_search_list.sql'), 'utf8').replace(
    /^--(?!>).*$/gm,
    '',
  )
  return text
    .split('--> statement-breakpoint')
    .map((statement) => statement.trim().replace(/;$/, ''))
    .filter((statement) => /^CREATE|^INSERT INTO `lead_search` \(`lead_search`/.test(statement))
    .map((statement) => statement.replace(' IF NOT EXISTS', ''))
}

const stateQuery =
  `SELECT place, (SELECT count(*) FROM sqlite_schema WHERE name = 'lead_search') AS ` +
  `tables FROM search_place`

async function readState(run: RunSql): Promise<{ place: number; hasIndex: boolean }> {
  const [row] = (await run(stateQuery)).at(-1) ?? []
  if (row === undefined)
    throw new CommandFailed('the database has no search index: run `npm run deploy` first')
  return { place: Number(row.place), hasIndex: row.tables !== 0 }
}

export async function switchOff(run: RunSql): Promise<string> {
  if (!(await readState(run)).hasIndex) return 'The search is off already.'
  const triggers = statementsOfIndex().flatMap((text) => /CREATE TRIGGER `(\w+)`/.exec(text)?.[1] ?? [])
  const drops = triggers.map((name) => `DROP TRIGGER ${name}`)
  await run(['UPDATE search_place SET place = -1', ...drops, 'DROP TABLE lead_search'].join(';\n'))
  return (
    'The search is off: it answers 503, and the database can be exported. `npm run search -- ' +
    'on` makes the index again.'
  )
}

/** Continues where it was interrupted. One transaction indexes `leadsPerBatch` leads, and requests wait for it. */
export async function switchOn(
  run: RunSql,
  show: (text: string) => void,
  leadsPerBatch = 10_000,
): Promise<string> {
  let { place, hasIndex } = await readState(run)
  if (place === allPlaces) return 'The search is on already.'
  if (!hasIndex) await run(statementsOfIndex().join(';\n'))
  for (let leads = 0; place < allPlaces; leads += leadsPerBatch) {
    if (leads > 0) show(`${leads} leads are indexed.`)
    place = Number((await run(indexNext(leadsPerBatch))).at(-1)?.[0]?.place)
  }
  return 'The search is on.'
}

const indexNext = (
  leadsPerBatch: number,
) => `INSERT INTO lead_search (rowid, number_word, external_word, words)
  SELECT seq, number_word, external_word, words FROM leads
  WHERE seq > (SELECT place FROM search_place) ORDER BY seq LIMIT ${leadsPerBatch};
UPDATE search_place SET place = coalesce((SELECT leads.seq FROM leads
  WHERE leads.seq > place ORDER BY leads.seq LIMIT 1 OFFSET ${leadsPerBatch - 1}), ${allPlaces}) RETURNING place`
