// The form that changes a lead. Saving fails when the lead has changed since it was read.
import { useState } from 'preact/hooks'
import { isTimestamp, parseTimestampMs } from '../../base/timestamp.ts'
import {
  type ByKind,
  type ChangeableName,
  changeableNames,
  leadFieldTable,
  plainNames,
} from '../../queue/leads/field-table.ts'
import type { Lead } from '../../sdk/src/models.ts'
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
  /** The time zone of its campaign. */
  readonly campaignZone: string
  /** `isOld`: the lead has changed since it was read. */
  readonly onEnd: (end: { readonly isSaved: boolean; readonly isOld: boolean }) => void
}

/** As the inputs show them; empty: none. */
type Texts = Readonly<Record<string, string>>
type Problem = { readonly field: ChangeableName; readonly text: string }

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
      {plainNames.map((name) => (
        <TextField
          key={name}
          {...inputOf(name, zone, campaignZone)}
          problem={problemOf(name)}
          value={shown[name] ?? ''}
          onText={(text) => edit({ [name]: text })}
        />
      ))}
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

function inputOf(name: ChangeableName, zone: string, campaignZone: string) {
  const { kind, label, limit } = leadFieldTable[name]
  if (kind === 'number') return { label: `${label} (0 to ${limit})` }
  if (kind === 'zone')
    return { label: `${label} of the person`, placeholder: campaignZone, list: 'lead-zones' }
  if (kind !== 'time') return { label }
  return { label: `${label} (time in ${zoneName(zone)})`, type: 'datetime-local' as const }
}

const textsOf = (lead: Lead, zone: string): Texts =>
  Object.fromEntries(plainNames.map((name) => [name, textOf(name, `${lead[name] ?? ''}`, zone)]))

function textOf(name: ChangeableName, value: string, zone: string): string {
  if (leadFieldTable[name].kind !== 'time') return value
  return isTimestamp(value) ? pickerTime(parseTimestampMs(value), zone) : ''
}

const advice: Readonly<Partial<ByKind<(limit: number) => string>>> = {
  text: (limit) => `Use at most ${limit} characters.`,
  zone: () => 'Choose a time zone from the list, such as Europe/Berlin.',
}

/** A refusal of the service begins with the name of its field. Null: it is about none. */
function refusedField(error: string): Problem | null {
  const field = changeableNames.find((name) => error.startsWith(`${name} `))
  if (field === undefined) return null
  const { kind, limit } = leadFieldTable[field]
  return { field, text: advice[kind]?.(limit) ?? error }
}

/** What to send for the edits, where an empty field is cleared. */
function readChange(edited: Partial<Texts>, zone: string): { readonly body: object } | Problem {
  const body: Record<string, unknown> = {}
  for (const field of plainNames) {
    const text = edited[field]?.trim()
    if (text === undefined) continue
    const { kind, label, limit } = leadFieldTable[field]
    body[field] = text || null
    if (kind === 'number' && text !== '') {
      if (!/^\d{1,15}$/.test(text) || Number(text) > limit)
        return { field, text: `${label} must be a whole number from 0 to ${limit}.` }
      body[field] = Number(text)
    }
    if (kind === 'time' && text !== '') {
      const timeMs = momentOf(text, zone)
      if (timeMs === null) return { field, text: skippedTime(zone) }
      body[field] = new Date(timeMs).toISOString()
    }
  }
  return { body }
}

export const skippedTime = (zone: string) => `The clocks in ${zoneName(zone)} skip this time. Choose another.`
