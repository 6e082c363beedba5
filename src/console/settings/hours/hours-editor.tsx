// When the campaign calls: time zone, closed dates, calling hours and those of appointments and callbacks, with a
// picture of the week beside them.
import { useState } from 'preact/hooks'
import { defaultAppointmentHours } from '../../../queue/campaigns/calling-hours.ts'
import type { Campaign } from '../../../sdk/src/models.ts'
import { adviceOnHours } from '../../overview/hours-ahead.ts'
import { Button } from '../../ui/controls.tsx'
import { ZonePicker, zoneProblem } from '../../ui/fields/zone-picker.tsx'
import { type WeekHours, weekDays } from '../../ui/words/week-days.ts'
import { useEdits } from '../edits.ts'
import { type EditorProps, SettingsForm } from '../settings-form.tsx'
import { ClosedDates } from './closed-dates.tsx'
import { describeWeek, formatWindows, readWindows, textsOfHours, type WeekTexts } from './week.ts'
import { WeekPicture } from './week-picture.tsx'
import { WeekRows } from './week-rows.tsx'

const weeks = ['callingHours', 'appointmentHours'] as const
type Week = (typeof weeks)[number]

/** Texts by field; a day's hours are `callingHours.mon`. A change has only the days that were edited. */
type Draft = Readonly<Record<string, string>>

const draftOf = (campaign: Campaign): Draft => ({
  timeZone: campaign.timeZone ?? '',
  closedDates: campaign.closedDates.join(', '),
  ...Object.fromEntries(
    weeks.flatMap((week) =>
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
  const hoursOf = (week: Week) =>
    Object.fromEntries(
      weekDays.map((day) => [day, readWindows(draft[`${week}.${day}`] ?? '') ?? campaign[week][day]]),
    ) as unknown as WeekHours
  const rowsOfWeek = (week: Week, name: string) => (
    <WeekRows
      name={name}
      texts={Object.fromEntries(weekDays.map((day) => [day, draft[`${week}.${day}`] ?? ''])) as WeekTexts}
      onEdit={(texts) => edit(fieldsOf(week, texts))}
    />
  )
  const [calling, callbacks] = [hoursOf('callingHours'), hoursOf('appointmentHours')]
  const isSame = describeWeek(calling) === describeWeek(callbacks)
  const [isOpen] = useState(!isSame && describeWeek(callbacks) !== usualCallbacks)
  const callbackWords = `Appointments and callbacks: ${lowerFirst(describeWeek(callbacks))}`
  return (
    <SettingsForm
      title="When to call"
      canChange={canChange}
      edits={edits}
      isWrong={Object.entries(edits.edited).some(isWrong)}
      changeOf={changeOf}
      onSave={onSave}
    >
      <div class="beside">
        <div class="main group">
          <div class="grid">
            <ZonePicker
              value={draft.timeZone || null}
              disabled={!canChange}
              problem={edits.edited.timeZone === '' ? zoneProblem : null}
              onZone={(zone) => edit({ timeZone: zone ?? '' })}
            />
            <ClosedDates
              dates={datesIn(draft.closedDates)}
              canChange={canChange}
              onDates={(dates) => edit({ closedDates: dates.join(', ') })}
            />
          </div>
          {canChange ? (
            <>
              <h3>Calling hours</h3>
              {rowsOfWeek('callingHours', 'Calling hours')}
              <details open={isOpen}>
                <summary>{callbackWords}</summary>
                <div class="group">
                  {rowsOfWeek('appointmentHours', 'Callback hours')}
                  {!isSame && (
                    <Button
                      class="link"
                      onClick={() => edit(fieldsOf('appointmentHours', textsOfHours(calling)))}
                    >
                      Only within calling hours
                    </Button>
                  )}
                </div>
              </details>
            </>
          ) : (
            <>
              <p>Calling hours: {lowerFirst(describeWeek(calling))}</p>
              <p>{callbackWords}</p>
            </>
          )}
        </div>
        <div class="group">
          <WeekPicture calling={calling} callbacks={callbacks} />
          {adviceOnHours(calling, callbacks).map((sentence) => (
            <p key={sentence} class="notice">
              {sentence}
            </p>
          ))}
        </div>
      </div>
    </SettingsForm>
  )
}

const fieldsOf = (week: Week, texts: WeekTexts): Draft =>
  Object.fromEntries(weekDays.map((day) => [`${week}.${day}`, texts[day]]))

const usualCallbacks = describeWeek(defaultAppointmentHours as unknown as WeekHours)
const lowerFirst = (text: string) => text.replace('Every', 'every')
