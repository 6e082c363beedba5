// The spellings of a phone (spellings.ts) in SQL, for numbers in E.164. D1 takes no GLOB pattern of more than 50
// characters. Calling codes are free of prefixes, so that one of two digits is never the beginning of one of three.
import { type SQL, sql } from 'drizzle-orm'
import { codesWithTrunkZero, longestChars, markers } from './spellings.ts'

const raw = (value: string | number) => sql.raw(typeof value === 'number' ? `${value}` : `'${value}'`)

const codesOf = (length: number) => codesWithTrunkZero.filter((code) => code.length === length)

/**
 * A value: how many characters the plus and the code have, of a number whose country dials a zero within; else null.
 */
const charsBeforeZero = (number: SQL) =>
  sql`case ${sql.join(
    [2, 3].map(
      (
        length,
      ) => sql`when instr(${raw(` ${codesOf(length).join(' ')} `)}, ' ' || substr(${number}, 2, ${raw(length)}) || ' ')
        then ${raw(length + 1)}`,
    ),
    sql` `,
  )} end`

/** Of `u`, with `number` and `before`. */
const withoutZero = sql`iif(substr(u.number, u.before + 1, 2) between '01' and '09',
  substr(u.number, 1, u.before) || substr(u.number, u.before + 2), u.number)`

const withBefore = (number: SQL) => sql`(select u.number, ${charsBeforeZero(sql`u.number`)} as before
  from (select ${number} as number limit 1) as u limit 1) as u`

/** A value: the number without a zero that was left in. Of most numbers, itself. */
export const withoutZeroLeftIn = (number: SQL) => sql`(select ${withoutZero} from ${withBefore(number)})`

/** A value, of `u`, with `before`; null where there is none. */
const withZero = (number: SQL) =>
  sql`iif(length(${number}) < ${raw(longestChars)} and substr(${number}, u.before + 1, 1) between '1' and '9',
    substr(${number}, 1, u.before) || '0' || substr(${number}, u.before + 1), null)`

const isDigit = (number: SQL, at: number, [lowest, highest]: readonly [number, number]) =>
  sql`substr(${number}, ${raw(at)}, 1) between ${raw(`${lowest}`)} and ${raw(`${highest}`)}`

const otherOf = (number: SQL) =>
  sql`case ${sql.join(
    markers.flatMap(({ code, area, digits, first, after }) => {
      // Of the first digit behind the area.
      const at = `+${code}`.length + area + 1
      const begins = [
        sql`substr(${number}, 1, ${raw(code.length + 1)}) = ${raw(`+${code}`)}`,
        ...Array.from({ length: area }, (_, index) => isDigit(number, code.length + 2 + index, [1, 9])),
      ]
      const all = (length: number, ...more: SQL[]) =>
        sql.join([sql`length(${number}) = ${raw(length)}`, ...begins, ...more], sql` and `)
      return [
        sql`when ${all(at - 1 + after, isDigit(number, at, first))}
          then substr(${number}, 1, ${raw(at - 1)}) || ${raw(digits)} || substr(${number}, ${raw(at)})`,
        sql`when ${all(
          at - 1 + digits.length + after,
          sql`substr(${number}, ${raw(at)}, ${raw(digits.length)}) = ${raw(digits)}`,
          isDigit(number, at + digits.length, first),
        )} then substr(${number}, 1, ${raw(at - 1)}) || substr(${number}, ${raw(at + digits.length)})`,
      ]
    }),
    sql` `,
  )} end`

const hasMarkerInKey = (number: SQL) =>
  sql.join(
    markers
      .filter(({ isInKey }) => isInKey)
      .map(({ code }) => sql`substr(${number}, 1, ${raw(code.length + 1)}) = ${raw(`+${code}`)}`),
    sql` or `,
  )

/**
 * A table of one row: the spellings of `number`, the key of its phone first; null where there is no such one. Without
 * the limits, SQLite puts each expression in the place of its name, and runs out of memory.
 */
const spelled = (number: SQL) => sql`(select u.key, u.other, ${withZero(sql`u.key`)} as key_with_zero,
    ${withZero(sql`u.other`)} as other_with_zero
  from (select iif(u.is_other, u.other, u.plain) as key, iif(u.is_other, u.plain, u.other) as other, u.before
    from (select u.*,
        coalesce((length(u.other) > length(u.plain)) = (${hasMarkerInKey(sql`u.plain`)}), 0) as is_other
      from (select u.*, ${otherOf(sql`u.plain`)} as other
        from (select ${withoutZero} as plain, u.before from ${withBefore(number)} limit 1) as u
        limit 1) as u limit 1) as u limit 1) as u limit 1)`

const columns = ['key', 'other', 'key_with_zero', 'other_with_zero'].map((column) =>
  sql.raw(`spelling.${column}`),
)

/** In withSpellings: the key of the phone. */
export const keyOfSpellings = sql.raw('spelling.key')

/** In withSpellings: a JSON array of all, the key of the phone first. It may have null. */
export const allSpellings = sql`json_array(${sql.join(columns, sql`, `)})`

/** A value: those of `number`. */
export const spellings = (number: SQL) => withSpellings(number, allSpellings)

/** A value in which eachSpelling has the spellings of `number`, which are found once. */
export const withSpellings = (number: SQL, value: SQL) =>
  sql`(select ${value} from ${spelled(number)} as spelling)`

/**
 * In withSpellings: the same of each spelling. A search by `=` reads nothing where it finds nothing, also for null; one
 * by `in` reads a row for each.
 */
export const eachSpelling = (of: (number: SQL) => SQL): SQL[] => columns.map(of)

/** A value: the spelling by which the phone that `number` reaches is known, as phoneKey has it. */
export const phoneKeyOf = (number: SQL) => withSpellings(number, keyOfSpellings)
