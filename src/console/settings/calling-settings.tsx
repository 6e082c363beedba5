// Limits: attempts, agent time-out, live calls and pace, calls per phone number, and when finished leads are deleted.

import type { Campaign } from '../../sdk/src/models.ts'
import type { EditorProps } from './editor-props.ts'
import { useEdits } from './edits.ts'
import { SaveLine } from './save-line.tsx'

type Field = {
  readonly name: string
  readonly label: string
  readonly read: (campaign: Campaign) => number | null
  readonly range: readonly [least: number, most: number]
  /** Empty means none. */
  readonly isOptional: boolean
}

const fields: readonly Field[] = [
  {
    name: 'maxAttempts',
    label: 'Max attempts per lead',
    read: (one) => one.maxAttempts,
    range: [1, 50],
    isOptional: false,
  },
  {
    name: 'leaseSeconds',
    label: 'Agent time-out (seconds)',
    read: (one) => one.leaseSeconds,
    range: [30, 7200],
    isOptional: false,
  },
  {
    name: 'maxLiveCalls',
    label: 'Max live calls',
    read: (one) => one.maxLiveCalls,
    range: [1, 10_000],
    isOptional: true,
  },
  {
    name: 'callsPerMinute',
    label: 'Max calls per minute',
    read: (one) => one.callsPerMinute,
    range: [1, 60_000],
    isOptional: true,
  },
  {
    name: 'minGapMinutes',
    label: 'Minutes between calls to a number',
    read: (one) => one.numberLimits.minGapMinutes,
    range: [0, 10_080],
    isOptional: true,
  },
  {
    name: 'per24Hours',
    label: 'Max calls to a number in 24 hours',
    read: (one) => one.numberLimits.per24Hours,
    range: [1, 1000],
    isOptional: true,
  },
  {
    name: 'per7Days',
    label: 'Max calls to a number in 7 days',
    read: (one) => one.numberLimits.per7Days,
    range: [1, 1000],
    isOptional: true,
  },
  {
    name: 'retentionDays',
    label: 'Delete finished leads after (days)',
    read: (one) => one.retentionDays,
    range: [1, 3650],
    isOptional: true,
  },
]

const limits: readonly string[] = ['minGapMinutes', 'per24Hours', 'per7Days']

/** What the inputs and the checkbox show. */
type Values = { readonly [name: string]: string | boolean; readonly retentionSuppresses: boolean }

const valuesOf = (campaign: Campaign): Values => ({
  ...Object.fromEntries(
    fields.map(({ name, read }) => [name, read(campaign) === null ? '' : String(read(campaign))]),
  ),
  retentionSuppresses: campaign.retentionSuppresses,
})

export function CallingSettings({ campaign, canChange, onSave }: EditorProps) {
  const { shown: values, edited, isEdited, edit, undo, settle } = useEdits<Values>(valuesOf(campaign))
  const textOf = (name: string) => String(values[name] ?? '')
  const changed = fields.filter(({ name }) => edited[name] !== undefined)
  const wrong = changed.find((field) => !isFine(field, textOf(field.name)))

  const save = async () => {
    const numbersOf = (some: readonly Field[]) =>
      Object.fromEntries(some.map(({ name }) => [name, textOf(name) === '' ? null : Number(textOf(name))]))
    const numberLimits = changed.filter(({ name }) => limits.includes(name))
    const { retentionSuppresses } = edited
    const error = await onSave({
      ...numbersOf(changed.filter(({ name }) => !limits.includes(name))),
      ...(numberLimits.length > 0 && { numberLimits: numbersOf(numberLimits) }),
      ...(retentionSuppresses !== undefined && { retentionSuppresses }),
    })
    if (error === null) settle(edited)
    return error
  }
  return (
    <section class="card" aria-labelledby="limits-title">
      <h2 id="limits-title">Limits</h2>
      <div class="grid">
        {fields.map(({ name, label, isOptional }) => (
          <label key={name}>
            {label}
            <input
              inputMode="numeric"
              value={textOf(name)}
              disabled={!canChange}
              placeholder={isOptional ? 'none' : ''}
              onInput={({ currentTarget: { value } }) => edit({ [name]: value.trim() })}
            />
          </label>
        ))}
      </div>
      <label class="tick">
        <input
          type="checkbox"
          checked={values.retentionSuppresses}
          disabled={!canChange}
          onChange={({ currentTarget }) => edit({ retentionSuppresses: currentTarget.checked })}
        />
        Keep blocking numbers of deleted leads that declined or were invalid
      </label>
      {canChange && (
        <SaveLine
          isChanged={isEdited}
          problem={wrong === undefined ? null : describe(wrong)}
          save={save}
          onReset={undo}
        />
      )}
    </section>
  )
}

function isFine({ range: [least, most], isOptional }: Field, text: string): boolean {
  if (text === '') return isOptional
  return /^\d{1,6}$/.test(text) && Number(text) >= least && Number(text) <= most
}

function describe({ label, range: [least, most], isOptional }: Field): string {
  return `${label}: a whole number from ${least} to ${most}${isOptional ? ', or empty for none' : ''}.`
}
