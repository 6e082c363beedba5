// When the campaign calls: its zone, its days that are closed, and two weeks of hours, each painted or typed.
import { useMemo, useState } from 'preact/hooks'
import type { EditorProps } from './editor-props.ts'
import { SaveLine } from './save-line.tsx'
import { readWindows, tellWindows, withDay } from './week.ts'
import { WeekPainter } from './week-painter.tsx'
import type { Campaign, WeekHours } from './wire.ts'
import { weekDays } from './wire.ts'

type Draft = {
  readonly timeZone: string
  readonly closedDates: string
  readonly callingHours: WeekHours
  readonly appointmentHours: WeekHours
}

const draftOf = ({ timeZone, closedDates, callingHours, appointmentHours }: Campaign): Draft => ({
  timeZone: timeZone ?? '',
  closedDates: closedDates.join(', '),
  callingHours,
  appointmentHours,
})

export function HoursEditor({ campaign, canChange, onSave }: EditorProps) {
  const [draft, setDraft] = useState(() => draftOf(campaign))
  const change = (members: Partial<Draft>) => setDraft((before) => ({ ...before, ...members }))
  const zones = useMemo(() => Intl.supportedValuesOf('timeZone'), [])
  const dates = draft.closedDates.split(/[\s,]+/).filter((date) => date !== '')
  const wrongDate = dates.find((date) => !/^\d{4}-\d\d-\d\d$/.test(date))
  const isChanged = JSON.stringify(draft) !== JSON.stringify(draftOf(campaign))
  const save = () =>
    onSave({
      timeZone: draft.timeZone.trim() === '' ? null : draft.timeZone.trim(),
      closedDates: dates,
      callingHours: draft.callingHours,
      appointmentHours: draft.appointmentHours,
    })
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
            onInput={({ currentTarget }) => change({ timeZone: currentTarget.value })}
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
            onInput={({ currentTarget }) => change({ closedDates: currentTarget.value })}
          />
        </label>
      </div>
      <WeekEditor
        name="Calling hours"
        hours={draft.callingHours}
        canChange={canChange}
        onHours={(callingHours) => change({ callingHours })}
      />
      <WeekEditor
        name="Hours of appointments"
        hours={draft.appointmentHours}
        canChange={canChange}
        onHours={(appointmentHours) => change({ appointmentHours })}
      />
      {canChange && (
        <SaveLine
          isChanged={isChanged}
          problem={wrongDate === undefined ? null : 'Closed dates are written 2026-12-25.'}
          save={save}
          onReset={() => setDraft(draftOf(campaign))}
        />
      )}
    </section>
  )
}

type WeekProps = {
  readonly name: string
  readonly hours: WeekHours
  readonly canChange: boolean
  readonly onHours: (hours: WeekHours) => void
}

/** The painting is for the eye and the pointer; the fields beside it say and do the same. */
function WeekEditor({ name, hours, canChange, onHours }: WeekProps) {
  return (
    <fieldset class="week">
      <legend>{name}</legend>
      <WeekPainter hours={hours} canChange={canChange} onHours={onHours}>
        {(day, dayWords) => (
          <input
            // Typed anew when it is painted.
            key={`${day} ${tellWindows(hours[day])}`}
            aria-label={`${name} on ${dayWords}`}
            defaultValue={tellWindows(hours[day])}
            placeholder="closed"
            disabled={!canChange}
            onChange={({ currentTarget }) => {
              const windows = readWindows(currentTarget.value)
              currentTarget.setCustomValidity(
                windows === null ? 'Write hours as 09:00-12:30, 13:30-18:00.' : '',
              )
              currentTarget.reportValidity()
              if (windows !== null) onHours(withDay(hours, day, windows))
            }}
          />
        )}
      </WeekPainter>
      {canChange && (
        <div class="line small">
          <button type="button" class="link" onClick={() => onHours(sameEveryDay(hours))}>
            All days as Monday
          </button>
        </div>
      )}
    </fieldset>
  )
}

const sameEveryDay = (hours: WeekHours) =>
  Object.fromEntries(weekDays.map((day) => [day, hours.mon])) as unknown as WeekHours
