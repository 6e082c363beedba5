// Creates a campaign, with its name, id, time zone and hours, and goes to it. Everything else is in its settings.
import { useEffect, useState } from 'preact/hooks'
import { limits } from '../../limits.ts'
import { hashOf } from '../place.ts'
import { useSession } from '../service/session.ts'
import { useAction } from '../service/use-action.ts'
import { TextField } from '../ui/fields/field.tsx'
import { ZonePicker, zoneProblem } from '../ui/fields/zone-picker.tsx'
import { Form } from '../ui/form.tsx'
import { useUnsaved } from '../ui/unsaved.ts'
import { idProblem, suggestId } from './campaign-ids.ts'
import { HoursFields } from './hours-fields.tsx'
import { callingHoursOf, hoursProblem, officeHours } from './simple-hours.ts'

type Props = {
  /** Absent: the form cannot be closed. */
  readonly onCancel?: () => void
}

export function CreateCampaign({ onCancel }: Props) {
  const { client } = useSession()
  const [name, setName] = useState('')
  const [typedId, setTypedId] = useState<string | null>(null)
  const [zone, setZone] = useState<string | null>(null)
  const [hours, setHours] = useState(officeHours)
  const [takenId, setTakenId] = useState<string | null>(null)
  const [isTried, setIsTried] = useState(false)
  const { isBusy, feedback, run } = useAction()
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
    hours: hoursProblem(hours),
  }
  const shown = (problem: string | null) => (isTried ? problem : null)

  const create = async () => {
    setIsTried(true)
    if (zone === null || Object.values(problems).some((problem) => problem !== null)) return
    const campaign = { id, name: name.trim(), timeZone: zone, callingHours: callingHoursOf(hours) }
    const { data, status } = await run(() => client.campaigns.create(campaign))
    setTakenId(status === 409 ? id : null)
    if (data !== null) setCreatedId(data.id)
  }

  return (
    <Form
      name="Create a campaign"
      submit="Create campaign"
      onSubmit={create}
      onCancel={onCancel}
      isBusy={isBusy}
      feedback={takenId === null ? feedback : null}
    >
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
      <ZonePicker
        value={zone}
        onPick={setZone}
        onClear={() => setZone(null)}
        problem={shown(problems.zone)}
      />
      <HoursFields hours={hours} problem={shown(problems.hours)} onHours={setHours} />
    </Form>
  )
}
