// Creates a campaign, with its name, id, time zone and hours, and goes to it. Everything else is in its settings.
import { useEffect, useState } from 'preact/hooks'
import { limits } from '../../base/limits.ts'
import type { CreateCampaign as Body } from '../../sdk/src/models.ts'
import { hashOf } from '../place.ts'
import { useSession } from '../service/session.ts'
import { useAction } from '../service/use-action.ts'
import { readWindows, textsOfRows } from '../settings/hours/week.ts'
import { WeekRows } from '../settings/hours/week-rows.tsx'
import { Tick } from '../ui/controls.tsx'
import { Failure } from '../ui/feedback.tsx'
import { TextField } from '../ui/fields/field.tsx'
import { ZonePicker, zoneProblem } from '../ui/fields/zone-picker.tsx'
import { Form } from '../ui/form.tsx'
import { useUnsaved } from '../ui/unsaved.ts'
import { weekDays } from '../ui/words/week-days.ts'
import { idProblem, suggestId } from './campaign-ids.ts'

type CallingHours = NonNullable<Body['callingHours']>

type Props = {
  /** Absent: the form cannot be closed. */
  readonly onCancel?: () => void
}

/** A suggestion. */
const officeHours = textsOfRows([{ days: weekDays.slice(0, 5), text: '09:00-17:00' }])

export function CreateCampaign({ onCancel }: Props) {
  const { client } = useSession()
  const [name, setName] = useState('')
  const [typedId, setTypedId] = useState<string | null>(null)
  const [zone, setZone] = useState<string | null>(null)
  const [hours, setHours] = useState(officeHours)
  const [isOnlyWithin, setIsOnlyWithin] = useState(false)
  const [takenId, setTakenId] = useState<string | null>(null)
  const [isTried, setIsTried] = useState(false)
  const action = useAction()
  const [createdId, setCreatedId] = useState<string | null>(null)
  const id = typedId ?? suggestId(name)
  const isEdited = name !== '' || typedId !== null || zone !== null || hours !== officeHours
  useUnsaved(isEdited && createdId === null)
  // Once nothing is unsaved any more.
  useEffect(() => {
    if (createdId !== null) location.hash = hashOf(createdId, 'overview')
  }, [createdId])

  const isTaken = id === takenId
  const problems = {
    name: name.trim() === '' ? 'Enter a name' : null,
    id: isTaken ? 'Another campaign has this id. Choose another one' : idProblem(id),
    zone: zone === null ? zoneProblem : null,
    hours: weekDays.every((day) => hours[day] === '') ? 'Enter the hours of at least one day' : null,
  }
  const shown = (problem: string | null) => (isTried ? problem : null)

  const create = async () => {
    setIsTried(true)
    const windows = weekDays.map((day) => [day, readWindows(hours[day])] as const)
    const isWrong = windows.some(([, its]) => its === null)
    if (zone === null || isWrong || Object.values(problems).some((problem) => problem !== null)) return
    const callingHours = Object.fromEntries(windows) as CallingHours
    const campaign = { id, name: name.trim(), timeZone: zone, callingHours }
    const { data, status } = await action.run(() =>
      client.campaigns.create({ ...campaign, ...(isOnlyWithin && { appointmentHours: callingHours }) }),
    )
    setTakenId(status === 409 ? id : null)
    // Said beside the id.
    if (status === 409) action.setFeedback(null)
    if (data !== null) setCreatedId(data.id)
  }

  return (
    <Form name="Create a campaign" submit="Create campaign" onSubmit={create} onCancel={onCancel} {...action}>
      <div class="grid">
        <TextField
          label="Name"
          problem={shown(problems.name)}
          hint="As people see it, such as Spring 2027."
          maxLength={limits.campaignNameMaxChars}
          value={name}
          onText={setName}
        />
        <TextField
          label="Id"
          problem={shown(problems.id)}
          hint="Used by your CRM and agents. Can't be changed later."
          autocapitalize="none"
          value={id}
          onText={(text) => setTypedId(text.trim())}
        />
      </div>
      <ZonePicker value={zone} onZone={setZone} problem={shown(problems.zone)} />
      <fieldset class="group">
        <legend>When may it call?</legend>
        <WeekRows name="Calling hours" texts={hours} onEdit={setHours} />
        <Failure>{shown(problems.hours)}</Failure>
        <p class="muted small">
          Appointments and callbacks: {isOnlyWithin ? 'only within these hours' : 'every day 08:00 to 21:00'}.
          Holidays are in Settings.
        </p>
        <Tick checked={isOnlyWithin} onTick={setIsOnlyWithin}>
          Appointments and callbacks only within calling hours
        </Tick>
      </fieldset>
    </Form>
  )
}
