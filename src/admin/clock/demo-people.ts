// Who asks for a call in the demo while its clock is run: ten people a day, who send its form.
import { limits } from '../../base/limits.ts'

/** By day, in minutes of UTC: the hours in which people fill in forms. */
const firstMinute = 8 * 60
const everyMinutes = 72
const perDay = 10

const names =
  'Ada Alan Barbara Claude Dorothy Edsger Emmy Frances Grace Hedy Joan John Karen Katherine Margaret'.split(
    ' ',
  )
const areaCodes = '202 206 212 213 303 305 312 404 415 503 512 602 617 702 713 808 813 818 901 914'.split(' ')

const timeOf = (count: number) =>
  Math.floor(count / perDay) * limits.dayMs +
  (firstMinute + (count % perDay) * everyMinutes) * limits.minuteMs

/** How many have come since 1970, as if the demo had begun then. */
const countAt = (atMs: number) => {
  const day = Math.floor(atMs / limits.dayMs)
  const today = Array.from({ length: perDay }, (_, index) => day * perDay + index)
  return today.filter((count) => timeOf(count) <= atMs).length + day * perDay
}

/** The next of them comes after that. */
export const nextPersonMs = (atMs: number) => timeOf(countAt(atMs))

/** What they send who come after `fromMs`, until `untilMs`. Numbers that are reserved for fiction, with every digit. */
export function peopleBetween(fromMs: number, untilMs: number): readonly { name: string; phone: string }[] {
  const [first, end] = [countAt(fromMs), countAt(untilMs)]
  return Array.from({ length: end - first }, (_, index) => {
    const count = first + index
    const place = Math.floor(count / 100) % areaCodes.length
    return {
      name: names[count % names.length] as string,
      phone: `+1${areaCodes[place]}55501${String((count * 37) % 100).padStart(2, '0')}`,
    }
  })
}
