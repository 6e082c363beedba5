// Hours of a new campaign: the same ones on some days of the week. The whole week is edited in the settings. Pure.
import type { CreateCampaign } from '../../sdk/src/models.ts'
import { type WeekDay, weekDays } from '../ui/words/week-days.ts'

export type SimpleHours = { readonly days: readonly WeekDay[]; readonly from: string; readonly until: string }

export const officeHours: SimpleHours = { days: weekDays.slice(0, 5), from: '09:00', until: '17:00' }

/** Midnight is the end of the day. */
const endOf = ({ until }: SimpleHours) => (until === '00:00' ? '24:00' : until)

export function hoursProblem(hours: SimpleHours): string | null {
  const { days, from, until } = hours
  if (days.length === 0) return 'Choose at least one day'
  if (from === '' || until === '') return 'Enter when calls may begin and end'
  return from < endOf(hours) ? null : 'The end must be later than the beginning'
}

export const callingHoursOf = (hours: SimpleHours): NonNullable<CreateCampaign['callingHours']> =>
  Object.fromEntries(
    weekDays.map((day) => [day, hours.days.includes(day) ? [[hours.from, endOf(hours)]] : []]),
  )
