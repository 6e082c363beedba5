// The form that changes a lead. It is refused when the lead has changed since it was read.
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Lead } from '../../sdk/src/models.ts'
import { useSession } from '../service/session.ts'
import { useUnsaved } from '../ui/unsaved.ts'
import { indented, problemOfMetadata, withMetadata } from './metadata-text.ts'

type Props = {
  readonly lead: Lead
  /** JSON text; empty: none. */
  readonly metadata: string
  readonly etag: string | null
  /** `isOld`: the lead has changed since it was read. */
  readonly onEnd: (end: { readonly isSaved: boolean; readonly isOld: boolean }) => void
}

export function ChangeLead({ lead, metadata, etag, onEnd }: Props) {
  const { ask } = useSession()
  const [failure, setFailure] = useState<string | null>(null)
  const shownMetadata = indented(metadata)

  // Without a new read, the next try would fail with the same conflict.
  const [isOld, setIsOld] = useState(false)
  const [isEdited, setIsEdited] = useState(false)
  useUnsaved(isEdited)
  const form = useRef<HTMLFormElement>(null)
  // Before the page is painted: what somebody types at once goes where they put it.
  useLayoutEffect(() => form.current?.querySelector('input')?.focus(), [])

  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    const { json, problem } = readChange(lead, shownMetadata, form)
    if (problem !== null) return setFailure(problem)
    if (json === '{}') return onEnd({ isSaved: false, isOld })
    const headers = etag === null ? {} : { 'If-Match': etag }
    const { status, data, error } = await ask('PATCH', `/leads/${lead._id}`, { json, headers })
    if (data !== null) return onEnd({ isSaved: true, isOld: true })
    if (status === 412) setIsOld(true)
    setFailure(status === 412 ? 'The lead has changed since. Cancel, check it, and change it again.' : error)
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
          {shownMetadata}
        </textarea>
      </label>
      <p role="alert" class="failure wide">
        {failure}
      </p>
      <div class="line wide">
        <button type="submit" class="primary">
          Save
        </button>
        <button type="button" class="subtle" onClick={() => onEnd({ isSaved: false, isOld })}>
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

type Change = { readonly json: string; readonly problem: string | null }

/** Only what has changed. An empty field is cleared. */
function readChange(lead: Lead, shownMetadata: string, form: FormData): Change {
  const reject = (problem: string) => ({ json: '', problem })
  const read = (name: string) => String(form.get(name) ?? '').trim()
  const body: Record<string, unknown> = {}
  for (const name of ['externalId', 'scheduledFor', 'timeZone'] as const) {
    if (read(name) !== (lead[name] ?? '')) body[name] = read(name) === '' ? null : read(name)
  }
  const priority = read('priority')
  if (priority !== String(lead.priority)) {
    if (!/^\d{1,3}$/.test(priority) && priority !== '') {
      return reject('Priority must be a whole number from 0 to 100.')
    }
    body.priority = priority === '' ? null : Number(priority)
  }
  const metadata = read('metadata').replace(/\r\n?/g, '\n')
  if (metadata === shownMetadata) return { json: JSON.stringify(body), problem: null }
  const problem = metadata === '' ? null : problemOfMetadata(metadata)
  return problem === null
    ? { json: withMetadata(body, metadata === '' ? null : metadata), problem: null }
    : reject(problem)
}
