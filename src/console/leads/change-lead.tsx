// The form that changes a lead. Saving fails when the lead has changed since it was read.
import { useState } from 'preact/hooks'
import { limits } from '../../limits.ts'
import type { Lead } from '../../sdk/src/models.ts'
import { isTimestamp, parseTimestampMs } from '../../timestamp.ts'
import { leadPath } from '../service/client.ts'
import { useSession } from '../service/session.ts'
import { useAction } from '../service/use-action.ts'
import { useEdits } from '../settings/edits.ts'
import { TextField } from '../ui/fields/field.tsx'
import { zonesKnown } from '../ui/fields/zones.ts'
import { Form } from '../ui/form.tsx'
import { useUnsaved } from '../ui/unsaved.ts'
import { momentOf, pickerTime, zoneName } from '../ui/words/zone-time.ts'
import { MetadataFields } from './metadata-fields.tsx'
import { metadataOfRows, rowsOfMetadata, withMetadata } from './metadata-text.ts'

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

/** As the inputs show them; empty: none. */
type Texts = Readonly<Record<'externalId' | 'priority' | 'scheduledFor' | 'timeZone', string>>
type Problem = { readonly field: keyof Texts | 'metadata'; readonly text: string }

export function ChangeLead({ lead, metadata, etag, campaignZone, onEnd }: Props) {
  const { client } = useSession()
  const { isBusy, feedback, run, setFeedback } = useAction()
  const [problem, setProblem] = useState<Problem | null>(null)
  const zone = lead.timeZone ?? campaignZone
  const { shown, edited, isEdited, edit } = useEdits<Texts>(textsOf(lead, zone))
  const [before] = useState(() => rowsOfMetadata(metadata))
  const [rows, setRows] = useState(before)
  // Without a new read, the next try would fail with the same conflict.
  const [isOld, setIsOld] = useState(false)
  useUnsaved(isEdited || rows !== before)

  const save = async () => {
    setProblem(null)
    setFeedback(null)
    const change = readChange(edited, zone)
    if ('field' in change) return setProblem(change)
    const members = rows === before ? null : metadataOfRows(rows)
    if (members && 'problem' in members) return setProblem({ field: 'metadata', text: members.problem })
    const json = members === null ? JSON.stringify(change.body) : withMetadata(change.body, members.json)
    if (json === '{}') return onEnd({ isSaved: false, isOld })
    const headers: Record<string, string> = etag === null ? {} : { 'if-match': etag }
    const path = leadPath(lead._id)
    const { status, data, error } = await run(() =>
      client.send({ method: 'PATCH', path, body: json, headers }),
    )
    if (data !== null) return onEnd({ isSaved: true, isOld: true })
    const refused = refusedField(error ?? '')
    if (refused !== null) {
      setProblem(refused)
      setFeedback(null)
    }
    if (status === 412) {
      setIsOld(true)
      const text = 'The lead has changed since. Cancel, check it, and change it again.'
      setFeedback({ text, isFailure: true })
    }
  }
  const problemOf = (field: Problem['field']) => (problem?.field === field ? problem.text : null)
  const fieldOf = (name: keyof Texts) => ({
    problem: problemOf(name),
    value: shown[name],
    onText: (text: string) => edit({ [name]: text }),
  })

  return (
    <Form
      name="Change the lead"
      class="change"
      submit="Save"
      onSubmit={save}
      onCancel={() => onEnd({ isSaved: false, isOld })}
      isBusy={isBusy}
      feedback={feedback}
    >
      <TextField label="External id" {...fieldOf('externalId')} />
      <TextField label={`Priority (${priorityRange})`} {...fieldOf('priority')} />
      <TextField
        label={`Scheduled for (time in ${zoneName(zone)})`}
        type="datetime-local"
        {...fieldOf('scheduledFor')}
      />
      <TextField
        label="Time zone of the person"
        placeholder={campaignZone}
        list="lead-zones"
        {...fieldOf('timeZone')}
      />
      <datalist id="lead-zones">
        {zonesKnown().map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <div class="wide">
        <MetadataFields rows={rows} problem={problemOf('metadata')} onRows={setRows} />
      </div>
    </Form>
  )
}

const textsOf = ({ externalId = '', priority, scheduledFor, timeZone }: Lead, zone: string): Texts => ({
  externalId,
  priority: String(priority),
  scheduledFor:
    scheduledFor !== undefined && isTimestamp(scheduledFor)
      ? pickerTime(parseTimestampMs(scheduledFor), zone)
      : '',
  timeZone: timeZone ?? '',
})

const { priorityMin, priorityMax, externalIdMaxChars } = limits
const priorityRange = `${priorityMin} to ${priorityMax}`

const advice: Readonly<Partial<Record<Problem['field'], string>>> = {
  externalId: `Use at most ${externalIdMaxChars} characters.`,
  timeZone: 'Choose a time zone from the list, such as Europe/Berlin.',
}

/** A refusal of the service begins with the name of its field. Null: it is about none. */
function refusedField(error: string): Problem | null {
  const [, name] = /^(externalId|priority|scheduledFor|timeZone|metadata)\b/.exec(error) ?? []
  const field = name as Problem['field'] | undefined
  return field === undefined ? null : { field, text: advice[field] ?? error }
}

/** What to send for the edits, where an empty field is cleared. */
function readChange(edited: Partial<Texts>, zone: string): { readonly body: object } | Problem {
  const body: Record<string, unknown> = {}
  for (const [name, text = ''] of Object.entries(edited)) body[name] = text.trim() || null
  if (body.priority) {
    const priority = Number(body.priority)
    if (!/^\d{1,3}$/.test(String(body.priority)) || priority > priorityMax)
      return { field: 'priority', text: `Priority must be a whole number from ${priorityRange}.` }
    body.priority = priority
  }
  if (body.scheduledFor) {
    const timeMs = momentOf(String(body.scheduledFor), zone)
    if (timeMs === null) return { field: 'scheduledFor', text: skippedTime(zone) }
    body.scheduledFor = new Date(timeMs).toISOString()
  }
  return { body }
}

export const skippedTime = (zone: string) => `The clocks in ${zoneName(zone)} skip this time. Choose another.`
