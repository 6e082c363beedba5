// A statement declares the names of its placeholders as a type, `statement<'nowMs' | 'seq'>`, so that a missing value
// does not compile. This holds the declarations to what the statements use.
import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { type Bind, param, runSteps, statement } from '../../src/base/database/database.ts'
import { settingColumns } from '../../src/queue/campaigns/store/settings-row.ts'
import { changeableNames, leadFieldNames } from '../../src/queue/leads/field-table.ts'
import { everyStatement, type Recorded } from '../support/database/every-statement.ts'

const srcDir = join(import.meta.dirname, '../../src')
const textOf = (file: string) => readFileSync(join(srcDir, file), 'utf8')

/** Types whose names are the members of another type: those that the code lists at run time. */
const members: Readonly<Record<string, readonly string[]>> = {
  NewLead: leadFieldNames,
  LeadChange: changeableNames,
  SettingsRow: settingColumns.map(([, name]) => name),
  LeadFilter: ['status', 'phoneNumber', 'externalId', 'createdAfterMs', 'createdBeforeMs', 'origin'],
}

/** The names that a type of this file stands for. */
function namesOf(type: string, file: string): string[] {
  const parts = type.split('|').map((part) => part.trim())
  return parts.filter(Boolean).flatMap((part) => {
    const [, literal] = /^'(\w+)'$/.exec(part) ?? []
    if (literal !== undefined) return [literal]
    const [, ofMembers] = /^keyof (\w+)$/.exec(part) ?? []
    if (ofMembers !== undefined) return [...(members[ofMembers] ?? [`${part}?`])]
    const text = textOf(file)
    // It ends with the first line that is not indented.
    const [, own] = new RegExp(`^(?:export )?type ${part} =(.*(?:\\n +.*)*)`, 'm').exec(text) ?? []
    if (own !== undefined) return namesOf(own, file)
    const [, from] = new RegExp(`^import [^']*\\b${part}\\b[^']*'([^']+)'`, 'm').exec(text) ?? []
    return from === undefined ? [`${part}?`] : namesOf(part, posix.join(posix.dirname(file), from))
  })
}

type Declared = Pick<Recorded, 'file' | 'declared' | 'names'>

/** What the statements of one file with the same declaration declare and do not use, or use and do not declare. */
function findDrift(recorded: readonly Declared[]): string[] {
  const alike = Map.groupBy(recorded, ({ file, declared }) => `${file}: <${declared.replace(/\s+/g, ' ')}>`)
  return [...alike].flatMap(([where, statements]) => {
    const [{ file, declared } = { file: '', declared: '' }] = statements
    const wanted = new Set(namesOf(declared, file))
    const used = new Set(statements.flatMap(({ names }) => names))
    return [
      ...[...used].filter((name) => !wanted.has(name)).map((name) => `${where} does not declare ${name}`),
      ...[...wanted].filter((name) => !used.has(name)).map((name) => `${where} does not use ${name}`),
    ]
  })
}

describe('The placeholders of a statement', () => {
  it('The placeholders of a statement are those that it declares', () => {
    const recorded = everyStatement()
    expect(recorded.length).toBeGreaterThan(200)
    expect(findDrift(recorded)).toEqual([])
  })

  const file = 'queue/leads/store/read.ts'
  it.each([
    ['does not declare seq', { file, declared: 'KeyNames', names: ['keyId', 'nowMs', 'seq'] }],
    ['does not use seq', { file, declared: "KeyNames | 'seq'", names: ['keyId', 'nowMs'] }],
    ['does not use Unknown?', { file, declared: 'Unknown', names: [] }],
  ])('The placeholders of a statement that differ are found: one %s', (found, recorded) => {
    expect(findDrift([recorded])).toEqual([expect.stringContaining(found)])
  })

  it('The placeholders of a statement without a value, or with a misspelled one, do not compile', () => {
    const step = statement<'seq'>(sql`select ${param('seq')}`)
    const other = statement<'nowMs' | 'seq'>(sql`select ${param('seq')}, ${param('nowMs')}`)
    const wrong = (db: D1Database) => [
      // @ts-expect-error
      step(db, {}),
      // @ts-expect-error
      step(db, { sequence: 1 }),
      // @ts-expect-error
      step(db, { seq: undefined }),
      // @ts-expect-error
      [step, other].map((each) => each(db, { seq: 1 })),
      // @ts-expect-error
      runSteps(db, [step, other], { seq: 1 }),
      // @ts-expect-error
      runSteps(db, [other, step], { seq: 1, now: 1 }),
    ]
    const right = (db: D1Database) => runSteps(db, [step, other], { seq: 1, nowMs: null })
    const fewer: Bind<'nowMs' | 'seq'> = step
    expect([wrong, right, fewer]).toHaveLength(3)
  })
})
