// The form that changes a lead. Saving fails when the lead has changed since it was read.
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Lead } from '../../sdk/src/models.ts'
import { leadPath } from '../service/answer.ts'
import { useSession } from '../service/session.ts'
import { FormButtons } from '../ui/controls.tsx'
import { Failure } from '../ui/feedback.tsx'
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
    const change = readChange(lead, shownMetadata, form)
    if ('problem' in change) return setFailure(change.problem)
    const { json } = change
    if (json === '{}') return onEnd({ isSaved: false, isOld })
    const headers: Record<string, string> = etag === null ? {} : { 'if-match': etag }
    const { status, data, error } = await ask('PATCH', leadPath(lead._id), { body: json, headers })
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
      <div class="wide">
        <Failure>{failure}</Failure>
      </div>
      <FormButtons submit="Save" onCancel={() => onEnd({ isSaved: false, isOld })} />
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

/** The JSON of what has changed, in which an empty field is cleared; or the problem. */
function readChange(
  lead: Lead,
  shownMetadata: string,
  form: FormData,
): { json: string } | { problem: string } {
  const read = (name: string) => String(form.get(name) ?? '').trim()
  const body: Record<string, unknown> = {}
  for (const name of ['externalId', 'scheduledFor', 'timeZone', 'priority'] as const) {
    const text = read(name)
    if (text !== String(lead[name] ?? '')) body[name] = text || null
  }
  if (body.priority) {
    if (!/^\d{1,3}$/.test(read('priority')))
      return { problem: 'Priority must be a whole number from 0 to 100.' }
    body.priority = Number(body.priority)
  }
  const metadata = read('metadata').replace(/\r\n?/g, '\n')
  if (metadata === shownMetadata) return { json: JSON.stringify(body) }
  const problem = metadata === '' ? null : problemOfMetadata(metadata)
  return problem === null ? { json: withMetadata(body, metadata || null) } : { problem }
}
