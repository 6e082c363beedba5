// The hours of a week as rows, each for the days that have the same: "Mon to Fri 09:00-17:00". A day that is in no row
// is closed.
import { useState } from 'preact/hooks'
import { Button } from '../../ui/controls.tsx'
import { Failure } from '../../ui/feedback.tsx'
import { type WeekDay, weekDays } from '../../ui/words/week-days.ts'
import {
  type DaysRow,
  describeDays,
  formatWindows,
  readWindows,
  rowsOf,
  shortDay,
  textsOfRows,
  type WeekTexts,
} from './week.ts'

type Props = {
  readonly name: string
  readonly texts: WeekTexts
  readonly onEdit: (texts: WeekTexts) => void
}

export function WeekRows({ name, texts, onEdit }: Props) {
  const [edited, setEdited] = useState(() => rowsOf(texts))
  // The hours may also be undone, or changed by somebody else.
  const isCurrent = JSON.stringify(textsOfRows(edited)) === JSON.stringify(texts)
  const rows = isCurrent ? edited : rowsOf(texts)
  const change = (next: readonly DaysRow[]) => {
    setEdited(next)
    onEdit(textsOfRows(next))
  }
  const setText = (place: number, text: string) =>
    change(rows.map((row, at) => (at === place ? { ...row, text } : row)))
  const turn = (place: number, day: WeekDay) =>
    change(
      rows.map(({ days, text }, at) => ({
        text,
        days: at !== place || days.includes(day) ? days.filter((one) => one !== day) : [...days, day],
      })),
    )
  return (
    <div class="group">
      {rows.map(({ days, text }, place) => {
        const isWrong = readWindows(text) === null
        const label = `${name}: ${describeDays(days) || 'no day yet'}`
        return (
          <fieldset key={place} class="line week-row">
            <legend class="unseen">{label}</legend>
            <div class="switch">
              {weekDays.map((day) => (
                <Button key={day} aria-pressed={days.includes(day)} onClick={() => turn(place, day)}>
                  {shortDay(day)}
                </Button>
              ))}
            </div>
            <input
              aria-label={label}
              aria-invalid={isWrong}
              aria-describedby={`${name}-problem-${place}`}
              placeholder="closed"
              value={text}
              onInput={({ currentTarget }) => setText(place, currentTarget.value)}
              onChange={({ currentTarget }) => {
                const windows = readWindows(currentTarget.value)
                if (windows !== null) setText(place, formatWindows(windows))
              }}
            />
            <Button
              class="link muted"
              aria-label={`Remove ${label}`}
              onClick={() => change(rows.filter((_, at) => at !== place))}
            >
              Remove
            </Button>
            <div id={`${name}-problem-${place}`} class="small">
              <Failure>
                {isWrong &&
                  'Write hours as 09:00-12:30, 13:30-18:00. For hours past midnight: 22:00-24:00, and ' +
                    '00:00-02:00 on the next day.'}
              </Failure>
            </div>
          </fieldset>
        )
      })}
      <Button class="link" onClick={() => change([...rows, { days: [], text: '09:00-17:00' }])}>
        Add hours for other days
      </Button>
    </div>
  )
}
