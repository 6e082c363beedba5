// Metadata as fields: a row for each member, which can be changed and removed, and new ones. A value keeps its kind:
// text stays text, and what was a number or an object stays JSON as long as it can be read as such.
import { Button } from '../ui/controls.tsx'
import { Failure } from '../ui/feedback.tsx'
import type { MetadataRow } from './metadata-text.ts'

type Props = {
  readonly rows: readonly MetadataRow[]
  readonly problem: string | null
  readonly onRows: (rows: readonly MetadataRow[]) => void
}

export function MetadataFields({ rows, problem, onRows }: Props) {
  const change = (index: number, changed: Partial<MetadataRow>) =>
    onRows(rows.map((row, at) => (at === index ? { ...row, ...changed } : row)))
  return (
    <fieldset class="metadata">
      <legend>Metadata</legend>
      {rows.map((row, index) => {
        const { name, value, isNew } = row
        const isLong = value.length > 60 || value.includes('\n')
        const label = name === '' ? 'Value of the new field' : name
        const onInput = ({ currentTarget }: { currentTarget: { value: string } }) =>
          change(index, { value: currentTarget.value })
        return (
          <div class="line" key={index}>
            {isNew ? (
              <input
                aria-label="Name of the new field"
                placeholder="Name"
                value={name}
                onInput={({ currentTarget }) => change(index, { name: currentTarget.value })}
              />
            ) : (
              <span class="cut">{name}</span>
            )}
            {isLong ? (
              <textarea aria-label={label} rows={4} spellcheck={false} value={value} onInput={onInput} />
            ) : (
              <input aria-label={label} autocomplete="off" value={value} onInput={onInput} />
            )}
            <Button
              aria-label={`Remove ${name || 'the new field'}`}
              onClick={() => onRows(rows.filter((_, at) => at !== index))}
            >
              Remove
            </Button>
          </div>
        )
      })}
      <Button onClick={() => onRows([...rows, { name: '', value: '', isText: true, isNew: true }])}>
        Add a field
      </Button>
      <Failure>{problem}</Failure>
    </fieldset>
  )
}
