// The spellings of a phone (spellings.ts) in SQL, for numbers in E.164. D1 takes no GLOB pattern of more than 50 characters.
// Calling codes are free of prefixes, so that one of two digits is never the beginning of one of three.
import { type SQL, sql } from 'drizzle-orm'
import { codesWithTrunkZero, longestChars, markers } from './spellings.ts'

const raw = (value: string | number) => sql.raw(typeof value === 'number' ? `${value}` : `'${value}'`)

const lengths = [2, 3]
const codesOf = (length: number) =>
  sql.raw(
    codesWithTrunkZero
      .filter((code) => code.length === length)
      .map((code) => `'${code}'`)
      .join(', '),
  )

/** A value: the number without a zero that was left in. Of most numbers, itself. */
export const withoutZeroLeftIn = (number: SQL) =>
  sql`case ${sql.join(
    lengths.map(
      (length) => sql`when substr(${number}, 2, ${raw(length)}) in (${codesOf(length)})
        and substr(${number}, ${raw(length + 2)}, 2) between '01' and '09'
        then substr(${number}, 1, ${raw(length + 1)}) || substr(${number}, ${raw(length + 3)})`,
    ),
    sql` `,
  )} else ${number} end`

const zeroOf = (number: SQL) =>
  sql`case ${sql.join(
    lengths.map(
      (length) => sql`when length(${number}) < ${raw(longestChars)}
        and substr(${number}, 2, ${raw(length)}) in (${codesOf(length)})
        and substr(${number}, ${raw(length + 2)}, 1) between '1' and '9'
        then substr(${number}, 1, ${raw(length + 1)}) || '0' || substr(${number}, ${raw(length + 2)})`,
    ),
    sql` `,
  )} end`

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
 * A scalar subquery: a JSON array of all spellings of `number`, the key of its phone first. It may have null. Without the
 * limits, SQLite puts each expression in the place of its name, and runs out of memory.
 */
export const spellings = (
  number: SQL,
) => sql`(select json_array(w.key, w.other, ${zeroOf(sql`w.key`)}, ${zeroOf(sql`w.other`)})
  from (select iif(v.is_other, v.other, v.plain) as key, iif(v.is_other, v.plain, v.other) as other
    from (select t.plain, t.other, coalesce((length(t.other) > length(t.plain)) = (${hasMarkerInKey(sql`t.plain`)}), 0) as is_other
      from (select u.plain, ${otherOf(sql`u.plain`)} as other
        from (select ${withoutZeroLeftIn(sql`s.number`)} as plain
          from (select ${number} as number limit 1) as s limit 1) as u limit 1) as t limit 1) as v limit 1) as w limit 1)`

/** A value: the spelling by which the phone that `number` reaches is known, as phoneKey has it. */
export const phoneKeyOf = (number: SQL) => sql`(${spellings(number)} ->> 0)`
