// When the campaign calls: time zone, closed dates, calling hours and callback hours, each painted or typed.
import { useMemo } from 'preact/hooks'
import type { Campaign } from '../../../sdk/src/models.ts'
import { type WeekHours, weekDays } from '../../ui/week-days.ts'
import type { EditorProps } from '../editor-props.ts'
import { useEdits } from '../edits.ts'
import { SaveLine } from '../save-line.tsx'
import { formatWindows, readWindows } from './week.ts'
import { WeekEditor } from './week-editor.tsx'

const weeks = [
  { week: 'callingHours', name: 'Calling hours' },
  { week: 'appointmentHours', name: 'Callback hours' },
] as const

type WeekName = 'callingHours' | 'appointmentHours'
/** Texts by field; a day's hours are `callingHours.mon`. A change has only the days that were edited. */
type Draft = Readonly<Record<string, string>>

const draftOf = (campaign: Campaign): Draft => ({
  timeZone: campaign.timeZone ?? '',
  closedDates: campaign.closedDates.join(', '),
  ...weekDraft('callingHours', campaign.callingHours),
  ...weekDraft('appointmentHours', campaign.appointmentHours),
})

const weekDraft = (week: WeekName, hours: WeekHours): Draft =>
  Object.fromEntries(weekDays.map((day) => [`${week}.${day}`, formatWindows(hours[day])]))

const changeOfWeek = (week: WeekName, edited: Partial<Draft>) => {
  const days = weekDays.flatMap((day) => {
    const text = edited[`${week}.${day}`]
    return text === undefined ? [] : [[day, readWindows(text)] as const]
  })
  return days.length === 0 ? {} : { [week]: Object.fromEntries(days) }
}

export function HoursEditor({ campaign, canChange, onSave }: EditorProps) {
  const { shown: draft, edited, isEdited, edit, undo, settle } = useEdits<Draft>(draftOf(campaign))
  const zones = useMemo(() => Intl.supportedValuesOf('timeZone'), [])
  const dates = (draft.closedDates ?? '').split(/[\s,]+/).filter((date) => date !== '')
  const problem = dates.every((date) => /^\d{4}-\d\d-\d\d$/.test(date))
    ? weeks.some(({ week }) => weekDays.some((day) => readWindows(draft[`${week}.${day}`] ?? '') === null))
      ? 'Some hours are invalid.'
      : null
    : 'Write closed dates as 2026-12-25.'
  const save = async () => {
    const { timeZone, closedDates } = edited
    const error = await onSave({
      ...(timeZone !== undefined && { timeZone: timeZone.trim() === '' ? null : timeZone.trim() }),
      ...(closedDates !== undefined && { closedDates: dates }),
      ...changeOfWeek('callingHours', edited),
      ...changeOfWeek('appointmentHours', edited),
    })
    if (error === null) settle(edited)
    return error
  }
  return (
    <section class="card" aria-labelledby="when-title">
      <h2 id="when-title">When to call</h2>
      <div class="grid">
        <label>
          Time zone
          <input
            list="zones"
            value={draft.timeZone}
            disabled={!canChange}
            placeholder="Europe/Berlin"
            spellcheck={false}
            onInput={({ currentTarget }) => edit({ timeZone: currentTarget.value })}
          />
        </label>
        <datalist id="zones">
          {zones.map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
        <label>
          Closed dates
          <input
            value={draft.closedDates}
            disabled={!canChange}
            placeholder="2026-12-25, 2027-01-01"
            onInput={({ currentTarget }) => edit({ closedDates: currentTarget.value })}
          />
        </label>
      </div>
      {canChange && (
        <p class="muted small">
          Drag over a day to open or close it, or type its hours. By keyboard: arrow keys move, Shift extends,
          Space paints.
        </p>
      )}
      {weeks.map(({ week, name }) => (
        <WeekEditor
          key={week}
          week={week}
          name={name}
          polled={campaign[week]}
          draft={draft}
          canChange={canChange}
          onEdit={edit}
        />
      ))}
      {canChange && <SaveLine isChanged={isEdited} problem={problem} save={save} onReset={undo} />}
    </section>
  )
}
