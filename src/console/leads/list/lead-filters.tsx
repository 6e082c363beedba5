// The form that finds leads, and the filters of a list.
import { outcomes } from '../../../campaigns/outcomes.ts'
import { statuses, statusNames } from '../../ui/words/status-names.ts'
import { sentenceCase } from '../lead-words.ts'
import type { Filter } from './read-leads.ts'

type SearchProps = {
  readonly typed: string
  readonly onType: (typed: string) => void
  readonly onFind: () => unknown
}

export function SearchForm({ typed, onType, onFind }: SearchProps) {
  return (
    <search>
      <form
        class="line"
        onSubmit={(event) => {
          event.preventDefault()
          onFind()
        }}
      >
        <input
          type="search"
          aria-label="Name, e-mail, phone number or external id"
          placeholder="Name, e-mail, number or external id"
          maxLength={100}
          autocomplete="off"
          spellcheck={false}
          value={typed}
          onInput={({ currentTarget }) => onType(currentTarget.value)}
        />
        <button type="submit">Find</button>
      </form>
    </search>
  )
}

type FilterProps = {
  readonly filter: Filter
  readonly onFilter: (part: Partial<Filter>) => unknown
}

export function LeadFilters({ filter, onFilter }: FilterProps) {
  return (
    <div class="lead-filters small">
      <Choice
        label="Status"
        chosen={filter.status}
        options={statuses.map((status) => [status, statusNames[status]])}
        onChoose={(status) => onFilter({ status: status as Filter['status'] })}
      />
      <Choice
        label="Last outcome"
        chosen={filter.outcome}
        options={outcomes.map((outcome) => [outcome, sentenceCase(outcome)])}
        onChoose={(outcome) => onFilter({ outcome: outcome as Filter['outcome'] })}
      />
    </div>
  )
}

type ChoiceProps = {
  readonly label: string
  readonly chosen: string
  readonly options: readonly (readonly [code: string, name: string])[]
  readonly onChoose: (code: string) => unknown
}

const Choice = ({ label, chosen, options, onChoose }: ChoiceProps) => (
  <label>
    <span>{label}:</span>
    <select value={chosen} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
      <option value="">All</option>
      {options.map(([code, name]) => (
        <option key={code} value={code} title={code}>
          {name}
        </option>
      ))}
    </select>
  </label>
)
