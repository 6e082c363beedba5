// How the cells of a file are read, as a person says: its header, the country of its numbers, which changes of numbers are
// wanted, and the order of day and month.
import { useRef } from 'preact/hooks'
import { dateOrders } from '../../leads/file/date-reading.ts'
import { Tick } from '../ui/controls.tsx'
import { CountryField } from '../ui/fields/country-field.tsx'
import { ChangedNumbers, Examples } from '../ui/tables/changed-numbers.tsx'
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
      <ChangedNumbers
        changes={changes ?? []}
        turnedOff={choices.turnedOff}
        onTurnedOff={(turnedOff) => run.choose({ turnedOff })}
      />
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
