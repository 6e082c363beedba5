// The form that changes a lead. Saving fails when the lead has changed since it was read.
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Lead } from '../../sdk/src/models.ts'
import { isTimestamp, parseTimestampMs } from '../../timestamp.ts'
import { leadPath } from '../service/answer.ts'
import { useSession } from '../service/session.ts'
import { FormButtons } from '../ui/controls.tsx'
import { Failure } from '../ui/feedback.tsx'
import { Field } from '../ui/fields/field.tsx'
import { zonesKnown } from '../ui/fields/zones.ts'
import { useUnsaved } from '../ui/unsaved.ts'
import { zoneName } from '../ui/words/zone-time.ts'
import { momentOf, pickerTime } from './local-time.ts'
import { MetadataFields } from './metadata-fields.tsx'
import { type MetadataRow, metadataOfRows, rowsOfMetadata, withMetadata } from './metadata-text.ts'

type Props = {
  readonly lead: Lead
  /** JSON text; empty: none. */
  readonly metadata: string
  readonly etag: string | null
  /** Of its campaign. */
  readonly campaignZone: string
  /** `isOld`: the lead has changed since it was read. */
  readonly onEnd: (end: { readonly isSaved: boolean; readonly isOld: boolean }) => void
}

type FieldName = 'externalId' | 'priority' | 'scheduledFor' | 'timeZone' | 'metadata'
/** `field` null: of the whole form. */
type Problem = { readonly field: FieldName | null; readonly text: string }

export function ChangeLead({ lead, metadata, etag, campaignZone, onEnd }: Props) {
  const { ask } = useSession()
  const [problem, setProblem] = useState<Problem | null>(null)
  const zone = lead.timeZone ?? campaignZone
  const [before] = useState(() => rowsOfMetadata(metadata))
  const [rows, setRows] = useState(before)
  const shown = { rows: before, scheduledFor: pickerTimeOf(lead, zone) }

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
    const change = readChange(lead, shown, rows, zone, form)
    if ('problem' in change) return setProblem(change.problem)
    const { json } = change
    if (json === '{}') return onEnd({ isSaved: false, isOld })
    const headers: Record<string, string> = etag === null ? {} : { 'if-match': etag }
    const { status, data, error } = await ask('PATCH', leadPath(lead._id), { body: json, headers })
    if (data !== null) return onEnd({ isSaved: true, isOld: true })
    if (status === 412) setIsOld(true)
    setProblem(
      status === 412
        ? { field: null, text: 'The lead has changed since. Cancel, check it, and change it again.' }
        : problemOf(error ?? ''),
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
      <Text name="externalId" label="External id" value={lead.externalId ?? ''} problem={problem} />
      <Text name="priority" label="Priority (0 to 100)" value={String(lead.priority)} problem={problem} />
      <Text
        name="scheduledFor"
        label={`Scheduled for (time in ${zoneName(zone)})`}
        type="datetime-local"
        value={shown.scheduledFor}
        problem={problem}
      />
      <Text
        name="timeZone"
        label="Time zone of the person"
        value={lead.timeZone ?? ''}
        placeholder={campaignZone}
        list="lead-zones"
        problem={problem}
      />
      <datalist id="lead-zones">
        {zonesKnown().map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <div class="wide">
        <MetadataFields
          rows={rows}
          problem={problem?.field === 'metadata' ? problem.text : null}
          onRows={(changed) => {
            setRows(changed)
            setIsEdited(true)
          }}
        />
      </div>
      <div class="wide">
        <Failure>{problem?.field === null ? problem.text : null}</Failure>
      </div>
      <FormButtons submit="Save" onCancel={() => onEnd({ isSaved: false, isOld })} />
    </form>
  )
}

type TextProps = {
  readonly name: FieldName
  readonly label: string
  readonly value: string
  readonly problem: Problem | null
  readonly type?: 'datetime-local'
  readonly placeholder?: string
  readonly list?: string
}

const Text = ({ name, label, value, problem, ...more }: TextProps) => (
  <Field label={label} problem={problem?.field === name ? problem.text : null}>
    {(attributes) => (
      <input
        {...attributes}
        {...more}
        name={name}
        defaultValue={value}
        autocomplete="off"
        spellcheck={false}
      />
    )}
  </Field>
)

/** Empty: none. */
function pickerTimeOf({ scheduledFor }: Lead, zone: string): string {
  if (scheduledFor === undefined || !isTimestamp(scheduledFor)) return ''
  return pickerTime(parseTimestampMs(scheduledFor), zone)
}

const advice: Readonly<Partial<Record<FieldName, string>>> = {
  externalId: 'Use at most 255 characters.',
  timeZone: 'Choose a time zone from the list, such as Europe/Berlin.',
}

/** A refusal of the service begins with the name of its field. */
function problemOf(error: string): Problem {
  const [, name] = /^(externalId|priority|scheduledFor|timeZone|metadata)\b/.exec(error) ?? []
  const field = (name ?? null) as FieldName | null
  return { field, text: (field && advice[field]) ?? error }
}

/** The JSON of what has changed, in which an empty field is cleared; or the problem. */
function readChange(
  lead: Lead,
  shown: { readonly rows: readonly MetadataRow[]; readonly scheduledFor: string },
  rows: readonly MetadataRow[],
  zone: string,
  form: FormData,
): { json: string } | { problem: Problem } {
  const read = (name: FieldName) => String(form.get(name) ?? '').trim()
  const refuse = (field: FieldName, text: string) => ({ problem: { field, text } })
  const body: Record<string, unknown> = {}
  for (const name of ['externalId', 'timeZone', 'priority'] as const) {
    const text = read(name)
    if (text !== String(lead[name] ?? '')) body[name] = text || null
  }
  if (body.priority) {
    if (!/^\d{1,3}$/.test(read('priority')) || Number(body.priority) > 100)
      return refuse('priority', 'Priority must be a whole number from 0 to 100.')
    body.priority = Number(body.priority)
  }
  const picked = read('scheduledFor')
  if (picked !== shown.scheduledFor) {
    const timeMs = picked === '' ? null : momentOf(picked, zone)
    if (picked !== '' && timeMs === null)
      return refuse('scheduledFor', `The clocks in ${zoneName(zone)} skip this time. Choose another.`)
    body.scheduledFor = timeMs === null ? null : new Date(timeMs).toISOString()
  }
  if (rows === shown.rows) return { json: JSON.stringify(body) }
  const metadata = metadataOfRows(rows)
  if ('problem' in metadata) return refuse('metadata', metadata.problem)
  return { json: withMetadata(body, metadata.json) }
}
