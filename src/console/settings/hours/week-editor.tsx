// A week of hours, each day painted or typed.

import { Button } from '../../ui/controls.tsx'
import { type WeekDay, type WeekHours, weekDays } from '../../ui/words/week-days.ts'
import { formatWindows, readWindows } from './week.ts'
import { WeekPainter } from './week-painter.tsx'

type Texts = Readonly<Record<string, string>>

type Props = {
  readonly week: string
  readonly name: string
  readonly polled: WeekHours
  /** The text of each day, by `week.day`. */
  readonly draft: Texts
  readonly canChange: boolean
  readonly onEdit: (texts: Texts) => void
}

export function WeekEditor({ week, name, polled, draft, canChange, onEdit }: Props) {
  const fieldOf = (day: WeekDay) => `${week}.${day}`
  const textOf = (day: WeekDay) => draft[fieldOf(day)] ?? ''
  // A day with invalid text stays painted as it was.
  const hours = Object.fromEntries(
    weekDays.map((day) => [day, readWindows(textOf(day)) ?? polled[day]]),
  ) as unknown as WeekHours
  const paint = (painted: WeekHours) =>
    onEdit(
      Object.fromEntries(
        weekDays
          .filter((day) => painted[day] !== hours[day])
          .map((day) => [fieldOf(day), formatWindows(painted[day])]),
      ),
    )
  return (
    <fieldset class="week">
      <legend>{name}</legend>
      <WeekPainter id={week} name={name} hours={hours} canChange={canChange} onHours={paint}>
        {(day, dayWords) => {
          const isWrong = readWindows(textOf(day)) === null
          const problemId = `${fieldOf(day)}-problem`
          return (
            <>
              <input
                aria-label={`${name} on ${dayWords}`}
                aria-invalid={isWrong}
                aria-describedby={isWrong ? problemId : undefined}
                value={textOf(day)}
                placeholder="closed"
                disabled={!canChange}
                onInput={({ currentTarget }) => onEdit({ [fieldOf(day)]: currentTarget.value })}
                onChange={({ currentTarget }) => {
                  const windows = readWindows(currentTarget.value)
                  if (windows !== null) onEdit({ [fieldOf(day)]: formatWindows(windows) })
                }}
              />
              {isWrong && (
                <span id={problemId} class="failure small">
                  Write hours as 09:00-12:30, 13:30-18:00. For hours past midnight: 22:00-24:00, and
                  00:00-02:00 on the next day.
                </span>
              )}
            </>
          )
        }}
      </WeekPainter>
      {canChange && (
        <div class="line small">
          <Button
            class="link"
            onClick={() => onEdit(Object.fromEntries(weekDays.map((day) => [fieldOf(day), textOf('mon')])))}
          >
            Copy Monday to all days
          </Button>
        </div>
      )}
    </fieldset>
  )
}
