// Limits: attempts, agent time-out, live calls and pace, calls per phone number, the consent that calls take, and when
// finished leads are deleted.

import { purposeRule, settingRanges } from '../../queue/campaigns/settings.ts'
import type { Campaign } from '../../sdk/src/models.ts'
import { Tick } from '../ui/controls.tsx'
import { TextField } from '../ui/fields/field.tsx'
import { counted } from '../ui/words/number-words.ts'
import { ConsentPreview } from './consent-preview.tsx'
import { useEdits } from './edits.ts'
import { type EditorProps, SettingsForm } from './settings-form.tsx'

type Limit = {
  readonly name: string
  readonly label: string
  readonly range: { readonly min: number; readonly max: number }
  /** What an empty field means; undefined: it may not be empty. */
  readonly empty: string | undefined
}

const { callsPerNumber, maxClosedDates: _, ...others } = settingRanges
const ranges = { ...others, per24Hours: callsPerNumber, per7Days: callsPerNumber }
const limit = (name: keyof typeof ranges, label: string, empty?: string): Limit => ({
  name,
  label,
  range: ranges[name],
  empty,
})
const fields = [
  limit('maxAttempts', 'Max attempts per lead'),
  limit('leaseSeconds', 'Release a lead when its agent is silent for (seconds)'),
  limit('maxLiveCalls', 'Max live calls', 'No limit'),
  limit('callsPerMinute', 'Max calls per minute', 'No limit'),
  limit('minGapMinutes', 'Minutes between calls to a number', 'No gap'),
  limit('per24Hours', 'Max calls to a number in 24 hours', 'No limit'),
  limit('per7Days', 'Max calls to a number in 7 days', 'No limit'),
  limit('retentionDays', 'Delete finished leads after (days)', 'Never'),
]
const maxAge = limit('consentMaxAgeDays', 'Max age of the consent (days)', 'Any age')
const [isPurpose, purposeText] = purposeRule

/** What the inputs and the checkbox show. */
type Values = { readonly [name: string]: string | boolean; readonly retentionSuppresses: boolean }

function valuesOf({ numberLimits, retentionSuppresses, requireConsent, ...rest }: Campaign): Values {
  const numbers: Readonly<Record<string, unknown>> = { ...rest, ...numberLimits }
  const texts = fields.map(({ name }) => [name, String(numbers[name] ?? '')])
  return {
    ...Object.fromEntries(texts),
    retentionSuppresses,
    consentPurpose: requireConsent?.purpose ?? '',
    consentMaxAgeDays: String(requireConsent?.maxAgeDays ?? ''),
  }
}

export function CallingSettings({ campaign, canChange, onSave }: EditorProps) {
  const edits = useEdits<Values>(valuesOf(campaign))
  const { shown: values, edited, edit } = edits
  const textOf = (name: string) => String(values[name] ?? '')
  const purpose = textOf('consentPurpose')
  const purposeProblem =
    purpose === '' || isPurpose(purpose) ? null : `Enter ${purposeText}, or leave it empty`
  // Without a purpose there is no consent whose age counts.
  const isOff = (field: Limit) => field === maxAge && purpose === ''
  const problemOf = (field: Limit) =>
    isOff(field) || edited[field.name] === undefined || isFine(field, textOf(field.name))
      ? null
      : describe(field)
  const isWrong = purposeProblem !== null || [...fields, maxAge].some((field) => problemOf(field) !== null)
  const isConsentEdited = edited.consentPurpose !== undefined || edited.consentMaxAgeDays !== undefined
  const isNewConsent = canChange && isConsentEdited && isPurpose(purpose) && problemOf(maxAge) === null
  const inputOf = (field: Limit) => (
    <TextField
      key={field.name}
      label={field.label}
      problem={problemOf(field)}
      inputMode="numeric"
      value={isOff(field) ? '' : textOf(field.name)}
      disabled={!canChange || isOff(field)}
      placeholder={field.empty}
      onText={(text) => edit({ [field.name]: text.trim() })}
    />
  )

  const changeOf = ({ consentPurpose, consentMaxAgeDays, ...edited }: Partial<Values>) => {
    const change: Record<string, unknown> = {}
    // The service replaces it as a whole.
    if (consentPurpose !== undefined || consentMaxAgeDays !== undefined) {
      const maxAgeDays = wholeOrNull(textOf(maxAge.name))
      change.requireConsent = purpose === '' ? null : { purpose, maxAgeDays }
    }
    for (const [name, text] of Object.entries(edited)) {
      const value = text === '' ? null : typeof text === 'string' ? Number(text) : text
      if (name in campaign.numberLimits)
        change.numberLimits = { ...Object(change.numberLimits), [name]: value }
      else change[name] = value
    }
    return change
  }
  return (
    <SettingsForm
      title="Limits"
      canChange={canChange}
      edits={edits}
      isWrong={isWrong}
      changeOf={changeOf}
      onSave={onSave}
    >
      <div class="grid">{fields.map(inputOf)}</div>
      <div class="grid">
        <TextField
          label="Required consent (purpose)"
          hint="Only numbers with a valid consent of this purpose are called."
          problem={purposeProblem}
          value={purpose}
          disabled={!canChange}
          placeholder="None"
          autocapitalize="none"
          onText={(text) => edit({ consentPurpose: text.trim() })}
        />
        {inputOf(maxAge)}
      </div>
      {isNewConsent && (
        <ConsentPreview
          campaignId={campaign.id}
          purpose={purpose}
          maxAgeDays={wholeOrNull(textOf(maxAge.name))}
        />
      )}
      <Tick
        checked={values.retentionSuppresses}
        disabled={!canChange}
        onTick={(retentionSuppresses) => edit({ retentionSuppresses })}
      >
        After deletion, keep numbers that said no on do-not-call
      </Tick>
    </SettingsForm>
  )
}

const wholeOrNull = (text: string) => (text === '' ? null : Number(text))

function isFine({ range: { min, max }, empty }: Limit, text: string): boolean {
  if (text === '') return empty !== undefined
  return /^\d{1,6}$/.test(text) && Number(text) >= min && Number(text) <= max
}

function describe({ range: { min, max }, empty }: Limit): string {
  const range = `Enter a whole number from ${counted(min)} to ${counted(max)}`
  return empty === undefined ? range : `${range}, or leave it empty`
}
