// The fields of simple hours (simple-hours.ts).
import { dayName } from '../settings/hours/week.ts'
import { Tick } from '../ui/controls.tsx'
import { Failure } from '../ui/feedback.tsx'
import { weekDays } from '../ui/words/week-days.ts'
import type { SimpleHours } from './simple-hours.ts'

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
    <fieldset class="group">
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
