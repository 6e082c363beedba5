// How often and how long: attempts, the lease of a call, the limits of each phone number, and when leads are erased.

import type { Campaign } from '../service/wire.ts'
import type { EditorProps } from './editor-props.ts'
import { useEdits } from './edits.ts'
import { SaveLine } from './save-line.tsx'

type Field = {
  readonly name: string
  readonly label: string
  readonly read: (campaign: Campaign) => number | null
  readonly range: readonly [least: number, most: number]
  /** Empty: none. */
  readonly mayBeEmpty: boolean
}

const fields: readonly Field[] = [
  {
    name: 'maxAttempts',
    label: 'Attempts at most',
    read: (one) => one.maxAttempts,
    range: [1, 50],
    mayBeEmpty: false,
  },
  {
    name: 'leaseSeconds',
    label: 'Lease of a call, in seconds',
    read: (one) => one.leaseSeconds,
    range: [30, 7200],
    mayBeEmpty: false,
  },
  {
    name: 'minGapMinutes',
    label: 'Minutes between calls to a number',
    read: (one) => one.numberLimits.minGapMinutes,
    range: [0, 10_080],
    mayBeEmpty: true,
  },
  {
    name: 'per24Hours',
    label: 'Calls to a number in 24 hours',
    read: (one) => one.numberLimits.per24Hours,
    range: [1, 1000],
    mayBeEmpty: true,
  },
  {
    name: 'per7Days',
    label: 'Calls to a number in 7 days',
    read: (one) => one.numberLimits.per7Days,
    range: [1, 1000],
    mayBeEmpty: true,
  },
  {
    name: 'retentionDays',
    label: 'Erase done leads after days',
    read: (one) => one.retentionDays ?? null,
    range: [1, 3650],
    mayBeEmpty: true,
  },
]

const limits: readonly string[] = ['minGapMinutes', 'per24Hours', 'per7Days']

/** What the inputs show, and whether the tick is set. */
type Values = { readonly [name: string]: string | boolean; readonly retentionSuppresses: boolean }

const valuesOf = (campaign: Campaign): Values => ({
  ...Object.fromEntries(
    fields.map(({ name, read }) => [name, read(campaign) === null ? '' : String(read(campaign))]),
  ),
  retentionSuppresses: campaign.retentionSuppresses ?? true,
})

export function CallingSettings({ campaign, canChange, onSave }: EditorProps) {
  const { shown: values, edited, isEdited, edit, undo, settle } = useEdits<Values>(valuesOf(campaign))
  const textOf = (name: string) => String(values[name] ?? '')
  const shown = fields.filter(({ name }) => name !== 'retentionDays' || campaign.retentionDays !== undefined)
  const changed = shown.filter(({ name }) => edited[name] !== undefined)
  const wrong = changed.find((field) => !isFine(field, textOf(field.name)))

  const save = async () => {
    const numbersOf = (some: readonly Field[]) =>
      Object.fromEntries(some.map(({ name }) => [name, textOf(name) === '' ? null : Number(textOf(name))]))
    const ofNumber = changed.filter(({ name }) => limits.includes(name))
    const { retentionSuppresses } = edited
    const error = await onSave({
      ...numbersOf(changed.filter(({ name }) => !limits.includes(name))),
      ...(ofNumber.length > 0 && { numberLimits: numbersOf(ofNumber) }),
      ...(retentionSuppresses !== undefined && { retentionSuppresses }),
    })
    if (error === null) settle(edited)
    return error
  }
  return (
    <section class="card" aria-labelledby="limits-title">
      <h2 id="limits-title">Limits</h2>
      <div class="grid">
        {shown.map(({ name, label, mayBeEmpty }) => (
          <label key={name}>
            {label}
            <input
              inputMode="numeric"
              value={textOf(name)}
              disabled={!canChange}
              placeholder={mayBeEmpty ? 'none' : ''}
              onInput={({ currentTarget: { value } }) => edit({ [name]: value.trim() })}
            />
          </label>
        ))}
      </div>
      {campaign.retentionSuppresses !== undefined && (
        <label class="tick">
          <input
            type="checkbox"
            checked={values.retentionSuppresses}
            disabled={!canChange}
            onChange={({ currentTarget }) => edit({ retentionSuppresses: currentTarget.checked })}
          />
          Keep suppressing numbers of erased leads that refused or were dead
        </label>
      )}
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

function isFine({ range: [least, most], mayBeEmpty }: Field, text: string): boolean {
  if (text === '') return mayBeEmpty
  return /^\d{1,6}$/.test(text) && Number(text) >= least && Number(text) <= most
}

function describe({ label, range: [least, most], mayBeEmpty }: Field): string {
  return `${label}: a whole number from ${least} to ${most}${mayBeEmpty ? ', or nothing for none' : ''}.`
}
