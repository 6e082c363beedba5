// Changes a lead: the fields that may change, and only as the lead was when it was read.
import { useEffect, useRef, useState } from 'preact/hooks'
import { useSession } from './session.ts'
import { useUnsaved } from './unsaved.ts'
import type { Lead } from './wire.ts'

type Props = {
  readonly lead: Lead
  readonly etag: string | null
  /** `isOld`: the lead is not as it was shown any more. */
  readonly onEnd: (end: { readonly isSaved: boolean; readonly isOld: boolean }) => void
}

export function ChangeLead({ lead, etag, onEnd }: Props) {
  const { ask } = useSession()
  const [fault, setFault] = useState<string | null>(null)

  // Shown again as it was read, the next try would meet the same conflict.
  const [isOld, setIsOld] = useState(false)
  const [isEdited, setIsEdited] = useState(false)
  useUnsaved(isEdited)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])

  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    const { body, problem } = readChange(lead, form)
    if (problem !== null) return setFault(problem)
    if (Object.keys(body).length === 0) return onEnd({ isSaved: false, isOld })
    const headers = etag === null ? {} : { 'If-Match': etag }
    const { status, data, error } = await ask('PATCH', `/leads/${lead._id}`, { body, headers })
    if (data !== null) return onEnd({ isSaved: true, isOld: true })
    if (status === 412) setIsOld(true)
    setFault(
      status === 412 ? 'The lead has changed meanwhile. Cancel, look at it, and change it again.' : error,
    )
  }

  return (
    <form
      class="change"
      aria-label="Change the lead"
      ref={form}
      onInput={() => setIsEdited(true)}
      onSubmit={save}
    >
      <Field name="externalId" label="External id" value={lead.externalId ?? ''} />
      <Field name="priority" label="Priority (0 to 100)" value={String(lead.priority)} />
      <Field name="scheduledFor" label="Scheduled for (ISO 8601)" value={lead.scheduledFor ?? ''} />
      <Field name="timeZone" label="Time zone" value={lead.timeZone ?? ''} />
      <label class="wide">
        Metadata (JSON)
        <textarea name="metadata" rows={4} spellcheck={false}>
          {lead.metadata === undefined ? '' : JSON.stringify(lead.metadata, null, 2)}
        </textarea>
      </label>
      <p role="alert" class="fault wide">
        {fault}
      </p>
      <div class="line wide">
        <button type="submit" class="primary">
          Save
        </button>
        <button type="button" class="quiet" onClick={() => onEnd({ isSaved: false, isOld })}>
          Cancel
        </button>
      </div>
    </form>
  )
}

function Field({ name, label, value }: { name: string; label: string; value: string }) {
  return (
    <label>
      {label}
      <input name={name} defaultValue={value} autocomplete="off" spellcheck={false} />
    </label>
  )
}

/** Only what is different. An empty field is cleared. */
function readChange(lead: Lead, form: FormData): { body: Record<string, unknown>; problem: string | null } {
  const read = (name: string) => String(form.get(name) ?? '').trim()
  const body: Record<string, unknown> = {}
  for (const name of ['externalId', 'scheduledFor', 'timeZone'] as const) {
    if (read(name) !== (lead[name] ?? '')) body[name] = read(name) === '' ? null : read(name)
  }
  const priority = read('priority')
  if (priority !== String(lead.priority)) {
    if (!/^\d{1,3}$/.test(priority) && priority !== '') {
      return { body, problem: 'Priority must be a whole number from 0 to 100.' }
    }
    body.priority = priority === '' ? null : Number(priority)
  }
  const metadata = read('metadata')
  try {
    const value: unknown = metadata === '' ? null : JSON.parse(metadata)
    if (JSON.stringify(value ?? null) !== JSON.stringify(lead.metadata ?? null)) body.metadata = value
  } catch {
    return { body, problem: 'Metadata is not JSON.' }
  }
  return { body, problem: null }
}
