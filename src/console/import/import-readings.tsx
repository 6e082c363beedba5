// How the cells of a file are read, as a person says: its header, the country of its numbers, where they are when their
// column is empty, which changes of them are wanted, the order of day and month, what all consents share, and what
// becomes of rows that say no, and of unusable cells.
import type { ComponentChildren } from 'preact'
import { dateOrders } from '../../queue/leads/file/cells/date-cell.ts'
import { fieldName, type LeadPart, saysNo } from '../../queue/leads/file/columns.ts'
import { type DoNotCallScope, doNotCallScopes } from '../../queue/leads/file/do-not-call.ts'
import { Tick } from '../ui/controls.tsx'
import { CountryField } from '../ui/fields/country-field.tsx'
import { Field } from '../ui/fields/field.tsx'
import { Select } from '../ui/fields/select.tsx'
import { ChangedNumbers, Examples } from '../ui/tables/changed-numbers.tsx'
import { counted } from '../ui/words/number-words.ts'
import { type Check, scopeOf } from './import-messages.ts'
import { useLast } from './last-check.ts'
import type { ImportRun } from './run-import.ts'

type Props = { readonly run: ImportRun }

export function ImportReadings({ run }: Props) {
  const { choices, countries, check, meanings } = run.view
  const last: Partial<Check> = useLast(check) ?? {}
  const { changes = [], unusable, clocks, guess = null, hasDates = false, hasEmptyNumbers } = last
  // The order of day and month comes first.
  const isOrderOpen = hasDates && choices.dates === null
  const asked = unusable?.filter(
    ({ name }) => !isOrderOpen || (name !== 'scheduledFor' && name !== 'consent'),
  )
  return (
    <>
      <Header run={run} />
      {meanings.includes('phoneNumber') && (
        <CountryField
          countries={countries}
          country={choices.country}
          guess={guess}
          onCountry={(country) => run.choose({ country })}
        />
      )}
      {(hasEmptyNumbers || choices.insteadPlace !== undefined) && <InsteadColumn run={run} />}
      <ChangedNumbers
        changes={changes}
        turnedOff={choices.turnedOff}
        onTurnedOff={(turnedOff) => run.choose({ turnedOff })}
        isPlusAdded={choices.isPlusAdded}
        onPlusAdded={(isPlusAdded) => run.choose({ isPlusAdded })}
      />
      {clocks?.map(({ country, text, preselected, options }) => (
        <Choice
          key={country}
          label={text}
          hint="It becomes the time zone of these leads."
          chosen={choices.zones?.[country] ?? preselected ?? ''}
          options={preselected === null ? [['', 'Choose whose clock counts'], ...options] : options}
          onChoose={(zone) => run.choose({ zones: { ...choices.zones, [country]: zone || undefined } })}
        />
      ))}
      {(hasDates || choices.dates !== null) && (
        <Dates run={run} dated={changes.find(({ name }) => name === 'date')} />
      )}
      {meanings.includes('consentGivenAt') && <Consents run={run} />}
      {(meanings.some(saysNo) || (last.nos ?? 0) > 0) && (
        <Choice
          label="Rows that say do not call"
          hint="They make no lead. Numbers are put on the list before the first lead is sent."
          chosen={scopeOf(choices, run.isOfCompany)}
          options={doNotCallScopes.flatMap((scope) =>
            scope === 'company' && !run.isOfCompany ? [] : [[scope, scopeNames[scope]] as const],
          )}
          onChoose={(value) => run.choose({ doNotCall: value as DoNotCallScope })}
        />
      )}
      {asked?.map(({ name, count, first }) => (
        <Choice
          key={name}
          label={`${fieldName(name)}: ${counted(count)} unusable, such as “${first[0]?.value.slice(0, 40)}”`}
          chosen={choices.unusable?.[name] ?? ''}
          options={[
            ['', 'Choose what happens'],
            [
              'ignore',
              `Ignore ${count === 1 ? 'this cell' : 'these cells'}: ` +
                `${without[name] ?? `no ${fieldName(name).toLowerCase()}`}`,
            ],
            ['leave_out', `Leave ${count === 1 ? 'this row' : 'these rows'} out`],
          ]}
          onChoose={(value) =>
            run.choose({ unusable: { ...choices.unusable, [name]: value === '' ? undefined : value } })
          }
        />
      ))}
    </>
  )
}

function Header({ run }: Props) {
  const { hasHeader } = run.view.choices
  return (
    <div>
      <Tick checked={hasHeader} onTick={run.sayHeader}>
        The first row is a header
      </Tick>
      {!hasHeader && <p class="muted small">No header: the first row is imported as a lead.</p>}
    </div>
  )
}

const orderNames = {
  'day-first': 'Day first: 24.12.2026',
  'month-first': 'Month first: 12/24/2026',
} as const

const scopeNames: Readonly<Record<DoNotCallScope, string>> = {
  company: 'Put their numbers on the do-not-call list of the company',
  campaign: 'Put their numbers on the do-not-call list of this campaign',
  skip: 'Leave the rows out, put no number on a list',
}

/** What a lead gets instead; by default no such field. */
const without: Readonly<Partial<Record<LeadPart, string>>> = {
  scheduledFor: 'called as soon as possible',
  timeZone: 'the time zone of the campaign',
  priority: 'priority 0',
  metadata: 'no metadata',
}

type ChoiceProps = {
  readonly label: string
  readonly hint?: ComponentChildren
  readonly chosen: string
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly onChoose: (value: string) => void
}

const Choice = ({ label, hint, chosen, options, onChoose }: ChoiceProps) => (
  <Field label={label} hint={hint}>
    {({ id }) => <Select id={id} value={chosen} options={options} onChoose={onChoose} />}
  </Field>
)

function InsteadColumn({ run }: Props) {
  const { headers, meanings, choices } = run.view
  const others = headers.flatMap((header, at) =>
    meanings[at] === 'phoneNumber' ? [] : [[`${at}`, header || `Column ${at + 1}`] as const],
  )
  return (
    <Choice
      label="If the phone number is empty, use"
      chosen={`${choices.insteadPlace ?? ''}`}
      options={[['', 'No other column'], ...others]}
      onChoose={(value) => run.choose({ insteadPlace: value === '' ? undefined : Number(value) })}
    />
  )
}

function Dates({ run, dated }: Props & { readonly dated: Check['changes'][number] | undefined }) {
  const { choices } = run.view
  return (
    <div class="group">
      <Choice
        label="Dates without a time zone"
        hint={
          choices.dates === null
            ? 'Rows with such dates are invalid until you choose.'
            : `Read as times in ${choices.timeZone}. A date without a time is its midnight.`
        }
        chosen={choices.dates ?? ''}
        options={[
          ['', 'Choose the order of day and month'],
          ...dateOrders.map((order) => [order, orderNames[order]] as const),
        ]}
        onChoose={(value) => run.choose({ dates: dateOrders.find((order) => order === value) ?? null })}
      />
      {dated !== undefined && <Examples first={dated.first} />}
    </div>
  )
}

/**
 * For rows that have the time of a consent, and no own purpose or text. What is typed counts once its field is left:
 * every row is read again.
 */
function Consents({ run }: Props) {
  const of = (name: 'consentPurpose' | 'consentText') => ({
    defaultValue: run.view.choices[name],
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      run.choose({ [name]: currentTarget.value.trim() || undefined }),
  })
  return (
    <>
      <Field
        label="Purpose of the consents"
        hint="Where the row of a consent has none: letters, digits, dots, underscores and hyphens."
      >
        {(attributes) => (
          <input {...attributes} {...of('consentPurpose')} autocomplete="off" spellcheck={false} />
        )}
      </Field>
      <Field
        label="Text of the consents"
        hint="What people agreed to, where the row of a consent has neither a text nor its hash."
      >
        {(attributes) => <textarea {...attributes} {...of('consentText')} rows={3} />}
      </Field>
    </>
  )
}
