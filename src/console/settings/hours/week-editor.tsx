// A week of hours as a table: each day's are typed.

import { Button } from '../../ui/controls.tsx'
import { weekDays } from '../../ui/words/week-days.ts'
import { dayName, formatWindows, readWindows } from './week.ts'

type Texts = Readonly<Record<string, string>>

type Props = {
  readonly week: string
  readonly name: string
  /** The text of each day, by `week.day`. */
  readonly draft: Texts
  readonly canChange: boolean
  readonly onEdit: (texts: Texts) => void
}

export function WeekEditor({ week, name, draft, canChange, onEdit }: Props) {
  const copyMonday = () => {
    const monday = draft[`${week}.mon`] ?? ''
    onEdit(Object.fromEntries(weekDays.map((day) => [`${week}.${day}`, monday])))
  }
  return (
    <fieldset>
      <legend>{name}</legend>
      <table class="data week">
        <tbody>
          {weekDays.map((day) => {
            const field = `${week}.${day}`
            const text = draft[field] ?? ''
            const isWrong = readWindows(text) === null
            return (
              <tr key={day}>
                <th scope="row">{dayName(day)}</th>
                <td>
                  <input
                    aria-label={`${name} on ${dayName(day)}`}
                    aria-invalid={isWrong}
                    aria-describedby={`${field}-problem`}
                    value={text}
                    placeholder="closed"
                    disabled={!canChange}
                    onInput={({ currentTarget }) => onEdit({ [field]: currentTarget.value })}
                    onChange={({ currentTarget }) => {
                      const windows = readWindows(currentTarget.value)
                      if (windows !== null) onEdit({ [field]: formatWindows(windows) })
                    }}
                  />
                  <span id={`${field}-problem`} class="failure small">
                    {isWrong &&
                      'Write hours as 09:00-12:30, 13:30-18:00. For hours past midnight: 22:00-24:00, and 00:00-02:00 on the next day.'}
                  </span>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {canChange && (
        <Button class="link" onClick={copyMonday}>
          Copy Monday to all days
        </Button>
      )}
    </fieldset>
  )
}
