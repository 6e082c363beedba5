// How the cells of a file are read, as a person says: its header, the country of its numbers, which changes of numbers are
// wanted, and the order of day and month.
import { useRef } from 'preact/hooks'
import { dateOrders } from '../../leads/file/date-cell.ts'
import type { Group } from '../../leads/file/groups.ts'
import { describeChange, type NumberChange, numberChanges } from '../../leads/file/number-reading.ts'
import { Tick } from '../ui/controls.tsx'
import { CountryField } from '../ui/country-field.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { counted } from '../ui/words/number-words.ts'
import type { ImportRun } from './run-import.ts'

type Props = { readonly run: ImportRun }

export function ImportReadings({ run }: Props) {
  const { choices, countries, check, meanings } = run.view
  const changes = useLast(check?.changes)
  const hasDates = useLast(check?.hasDates)
  const guess = useLast(check?.guess)
  return (
    <>
      <Header run={run} />
      {meanings.includes('phoneNumber') && (
        <CountryField
          countries={countries}
          country={choices.country}
          guess={guess ?? null}
          onCountry={(country) => run.choose({ country })}
        />
      )}
      <Changes run={run} changes={changes ?? []} />
      {(hasDates || choices.dates !== null) && <Dates run={run} />}
    </>
  )
}

/** What the last check found, while the next one runs: nothing jumps. */
function useLast<Value>(value: Value | undefined): Value | undefined {
  const last = useRef(value)
  if (value !== undefined) last.current = value
  return last.current
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

type ChangesProps = Props & { readonly changes: readonly Group<NumberChange | 'date'>[] }

/** Each kind of change, with a switch. One that is turned off stays, so that it can be turned on. */
function Changes({ run, changes }: ChangesProps) {
  const { turnedOff } = run.view.choices
  const found = (kind: NumberChange) => changes.find(({ name }) => name === kind)
  const kinds = numberChanges.filter((kind) => found(kind) !== undefined || turnedOff.includes(kind))
  if (kinds.length === 0) return null
  const turn = (kind: NumberChange, isOn: boolean) =>
    run.choose({
      turnedOff: isOn ? turnedOff.filter((one) => one !== kind) : [...turnedOff, kind].sort(),
    })
  return (
    <>
      <h3>Numbers that are changed</h3>
      <DataTable
        name="Numbers that are changed"
        columns={[['Change'], ['Rows', 'number'], ['Before and after']]}
        rows={kinds.map((kind) => ({
          key: kind,
          cells: [
            <Tick checked={!turnedOff.includes(kind)} onTick={(isOn) => turn(kind, isOn)}>
              {capital(describeChange(kind))}
            </Tick>,
            turnedOff.includes(kind) ? 'off' : counted(found(kind)?.count ?? 0),
            turnedOff.includes(kind) ? (
              <span class="muted">These rows are errors.</span>
            ) : (
              <Examples group={found(kind)} />
            ),
          ],
        }))}
      />
    </>
  )
}

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

const Examples = ({ group }: { readonly group: Group<string> | undefined }) => (
  <ul class="examples">
    {group?.first.map(({ row, value, number }) => (
      <li key={row}>
        <span>{value}</span> → <span>{number}</span>
      </li>
    ))}
  </ul>
)

const orderNames = {
  'day-first': 'Day first: 24.12.2026',
  'month-first': 'Month first: 12/24/2026',
} as const

function Dates({ run }: Props) {
  const { choices, check } = run.view
  const dated = useLast(check?.changes)?.find(({ name }) => name === 'date')
  return (
    <div class="country">
      <label for="date-order">Dates without a time zone</label>
      <select
        id="date-order"
        value={choices.dates ?? ''}
        onChange={({ currentTarget: { value } }) =>
          run.choose({ dates: dateOrders.find((order) => order === value) ?? null })
        }
      >
        <option value="">Choose the order of day and month</option>
        {dateOrders.map((order) => (
          <option key={order} value={order}>
            {orderNames[order]}
          </option>
        ))}
      </select>
      <p class="muted small">
        {choices.dates === null
          ? 'Rows with such dates are errors until you choose.'
          : `Read as times in ${choices.timeZone}. A date without a time is its midnight.`}
      </p>
      {dated !== undefined && <Examples group={dated} />}
    </div>
  )
}
