// Hours of a new campaign: the same ones on some days of the week. The whole week is edited in the settings.
import type { CreateCampaign } from '../../sdk/src/models.ts'
import { dayName } from '../settings/hours/week.ts'
import { Tick } from '../ui/controls.tsx'
import { Failure } from '../ui/feedback.tsx'
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

export const callingHoursOf = (hours: SimpleHours): CreateCampaign['callingHours'] =>
  Object.fromEntries(
    weekDays.map((day) => [day, hours.days.includes(day) ? [[hours.from, endOf(hours)]] : []]),
  )

type Props = {
  readonly hours: SimpleHours
  readonly problem: string | null
  readonly onHours: (hours: SimpleHours) => void
}

export function HoursFields({ hours, problem, onHours }: Props) {
  const { days } = hours
  const timeField = (name: 'from' | 'until', label: string) => (
    <label>
      {label}
      <input
        type="time"
        value={hours[name]}
        aria-invalid={problem !== null}
        aria-describedby="hours-help"
        onInput={({ currentTarget }) => onHours({ ...hours, [name]: currentTarget.value })}
      />
    </label>
  )
  return (
    <fieldset class="simple-hours">
      <legend>When may it call?</legend>
      <div class="line">
        {weekDays.map((day) => (
          <Tick
            key={day}
            checked={days.includes(day)}
            onTick={(isTicked) =>
              onHours({
                ...hours,
                days: weekDays.filter((one) => (one === day ? isTicked : days.includes(one))),
              })
            }
          >
            {dayName(day)}
          </Tick>
        ))}
      </div>
      <div class="line">
        {timeField('from', 'From')}
        {timeField('until', 'Until')}
      </div>
      <div id="hours-help" class="small">
        <p class="muted">
          A suggestion: change it if your calls have other hours. Breaks and holidays are in Settings.
        </p>
        <Failure>{problem}</Failure>
      </div>
    </fieldset>
  )
}
