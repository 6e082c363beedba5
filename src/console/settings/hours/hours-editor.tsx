// When the campaign calls: time zone, closed dates, calling hours and callback hours, by day.
import type { Campaign } from '../../../sdk/src/models.ts'
import { adviceOnHours } from '../../overview/hours-ahead.ts'
import { ZonePicker, zoneProblem } from '../../ui/fields/zone-picker.tsx'
import { type WeekHours, weekDays } from '../../ui/words/week-days.ts'
import { useEdits } from '../edits.ts'
import { type EditorProps, SettingsForm } from '../settings-form.tsx'
import { ClosedDates } from './closed-dates.tsx'
import { formatWindows, readWindows } from './week.ts'
import { WeekEditor } from './week-editor.tsx'

const weeks = [
  { week: 'callingHours', name: 'Calling hours' },
  { week: 'appointmentHours', name: 'Callback hours' },
] as const

/** Texts by field; a day's hours are `callingHours.mon`. A change has only the days that were edited. */
type Draft = Readonly<Record<string, string>>

const draftOf = (campaign: Campaign): Draft => ({
  timeZone: campaign.timeZone ?? '',
  closedDates: campaign.closedDates.join(', '),
  ...Object.fromEntries(
    weeks.flatMap(({ week }) =>
      weekDays.map((day) => [`${week}.${day}`, formatWindows(campaign[week][day])] as const),
    ),
  ),
})

const datesIn = (text = '') => text.split(', ').filter((date) => date !== '')

const isWrong = ([field, text = '']: readonly [string, string | undefined]) =>
  field === 'timeZone' ? text === '' : field.includes('.') && readWindows(text) === null

function changeOf(edited: Partial<Draft>): object {
  const change: Record<string, unknown> = {}
  for (const [field, text = ''] of Object.entries(edited)) {
    const [name = '', day] = field.split('.')
    if (day !== undefined) change[name] = { ...Object(change[name]), [day]: readWindows(text) }
    else change[name] = name === 'closedDates' ? datesIn(text) : text || null
  }
  return change
}

export function HoursEditor({ campaign, canChange, onSave }: EditorProps) {
  const edits = useEdits<Draft>(draftOf(campaign))
  const { shown: draft, edit } = edits
  // A day with invalid text counts as it was.
  const hoursOf = (week: (typeof weeks)[number]['week']) =>
    Object.fromEntries(
      weekDays.map((day) => [day, readWindows(draft[`${week}.${day}`] ?? '') ?? campaign[week][day]]),
    ) as unknown as WeekHours
  return (
    <SettingsForm
      title="When to call"
      canChange={canChange}
      edits={edits}
      isWrong={Object.entries(edits.edited).some(isWrong)}
      changeOf={changeOf}
      onSave={onSave}
    >
      <div class="grid">
        <ZonePicker
          value={draft.timeZone || null}
          disabled={!canChange}
          problem={edits.edited.timeZone === '' ? zoneProblem : null}
          onPick={(timeZone) => edit({ timeZone })}
          onClear={() => edit({ timeZone: '' })}
        />
        <ClosedDates
          dates={datesIn(draft.closedDates)}
          canChange={canChange}
          onDates={(dates) => edit({ closedDates: dates.join(', ') })}
        />
      </div>
      {weeks.map(({ week, name }) => (
        <WeekEditor key={week} week={week} name={name} draft={draft} canChange={canChange} onEdit={edit} />
      ))}
      {adviceOnHours(hoursOf('callingHours'), hoursOf('appointmentHours')).map((sentence) => (
        <p key={sentence} class="notice">
          {sentence}
        </p>
      ))}
    </SettingsForm>
  )
}
