// Creates a campaign, with its name, id, time zone and hours, and goes to it. Everything else is in its settings.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Campaign } from '../../sdk/src/models.ts'
import { hashOf } from '../place.ts'
import { useSession } from '../service/session.ts'
import { Button } from '../ui/controls.tsx'
import { Failure } from '../ui/feedback.tsx'
import { Field } from '../ui/fields/field.tsx'
import { ZonePicker, zoneProblem } from '../ui/fields/zone-picker.tsx'
import { useUnsaved } from '../ui/unsaved.ts'
import { idProblem, suggestId } from './campaign-ids.ts'
import { HoursFields } from './hours-fields.tsx'
import { callingHoursOf, hoursProblem, officeHours } from './simple-hours.ts'

const nameMaxChars = 255

type Props = {
  /** Absent: the form cannot be closed. */
  readonly onCancel?: () => void
}

export function CreateCampaign({ onCancel }: Props) {
  const { ask } = useSession()
  const [name, setName] = useState('')
  const [typedId, setTypedId] = useState<string | null>(null)
  const [zone, setZone] = useState<string | null>(null)
  const [hours, setHours] = useState(officeHours)
  const [takenId, setTakenId] = useState<string | null>(null)
  const [isTried, setIsTried] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [createdId, setCreatedId] = useState<string | null>(null)
  const form = useRef<HTMLFormElement>(null)
  const id = typedId ?? suggestId(name)
  const isEdited = name !== '' || typedId !== null || zone !== null || hours !== officeHours
  useUnsaved(isEdited && createdId === null)
  useEffect(() => {
    if (onCancel !== undefined) form.current?.querySelector('input')?.focus()
  }, [])
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

  const create = async (event: SubmitEvent) => {
    event.preventDefault()
    setIsTried(true)
    if (isBusy) return
    if (Object.values(problems).some((problem) => problem !== null)) {
      // The fields say so after the next render.
      setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
      return
    }
    setIsBusy(true)
    const body = { id, name: name.trim(), timeZone: zone, callingHours: callingHoursOf(hours) }
    const { data, status, error } = await ask<Campaign>('POST', '/campaigns', { body, isOnce: true })
    setIsBusy(false)
    if (status === 409) setTakenId(id)
    setFailure(status === 409 ? null : error)
    if (data !== null) setCreatedId(data.id)
  }

  return (
    <form class="create" aria-label="Create a campaign" ref={form} onSubmit={create} noValidate>
      <div class="grid name-and-id">
        <Field label="Name" problem={shown(problems.name)} hint="As people see it, such as Spring 2027.">
          {(attributes) => (
            <input
              {...attributes}
              autocomplete="off"
              maxLength={nameMaxChars}
              value={name}
              onInput={({ currentTarget }) => setName(currentTarget.value)}
            />
          )}
        </Field>
        <Field
          label="Id"
          problem={shown(problems.id)}
          hint="Used by your CRM and agents. Can't be changed later."
        >
          {(attributes) => (
            <input
              {...attributes}
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
              value={id}
              onInput={({ currentTarget }) => setTypedId(currentTarget.value.trim())}
            />
          )}
        </Field>
      </div>
      <ZonePicker
        value={zone}
        onPick={setZone}
        onClear={() => setZone(null)}
        problem={shown(problems.zone)}
      />
      <HoursFields hours={hours} problem={shown(problems.hours)} onHours={setHours} />
      <div class="line">
        <Button type="submit" class="primary" isOff={isBusy}>
          Create campaign
        </Button>
        {onCancel && (
          <Button class="subtle" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
      <Failure>{failure}</Failure>
    </form>
  )
}
