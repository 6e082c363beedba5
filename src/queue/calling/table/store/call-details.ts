// What is read of the details of a call `k` by the names that the service knows, with `d` its row of details, which may
// be missing: where to hear and read it. An agent or a preset has written them. Costs are in ../cost.ts.
import { type SQL, sql } from 'drizzle-orm'

const member = (name: string) => sql`(d.details ->> ${sql.raw(`'$.${name}'`)})`

const urlMaxChars = sql.raw('2048')
const link = (
  name: string,
) => sql`iif(${member(name)} like 'https://%' and length(${member(name)}) <= ${urlMaxChars},
  ${member(name)}, null)`

export const recordingUrl: SQL = link('recordingUrl')
export const transcriptUrl: SQL = link('transcriptUrl')

export const summaryMaxChars = 1000
export const summary: SQL = sql`iif(json_type(d.details, '$.summary') = 'text',
  substr(${member('summary')}, 1, ${sql.raw(`${summaryMaxChars}`)}), null)`
