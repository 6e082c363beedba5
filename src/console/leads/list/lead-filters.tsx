// The form that finds leads, and the filters of a list.

import { limits } from '../../../base/limits.ts'
import { Select } from '../../ui/fields/select.tsx'
import { statuses, statusNames } from '../../ui/words/status-names.ts'
import { OriginSelect, OutcomeSelect } from './filter-selects.tsx'
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
          maxLength={limits.searchMaxChars}
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
  /** Null: all campaigns. */
  readonly campaignId: string | null
  readonly filter: Filter
  readonly onFilter: (part: Partial<Filter>) => unknown
}

export function LeadFilters({ campaignId, filter, onFilter }: FilterProps) {
  return (
    <div class="list-filters small">
      <Select
        label="Status:"
        value={filter.status}
        options={[['', 'All'], ...statuses.map((status) => [status, statusNames[status]] as const)]}
        onChoose={(status) => onFilter({ status: status as Filter['status'] })}
      />
      <OutcomeSelect
        label="Last outcome:"
        value={filter.outcome}
        onChoose={(outcome) => onFilter({ outcome: outcome as Filter['outcome'] })}
      />
      <OriginSelect
        campaignId={campaignId}
        value={filter.origin}
        onChoose={(origin) => onFilter({ origin })}
      />
    </div>
  )
}
