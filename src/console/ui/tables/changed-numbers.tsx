// How numbers were written that are sent in another form: each kind of change with count, before and after, and a
// switch.

import {
  describeChange,
  type NumberChange,
  numberChanges,
} from '../../../queue/leads/file/cells/number-reading.ts'
import type { Group, GroupedRow } from '../../../queue/leads/file/groups.ts'
import { Tick } from '../controls.tsx'
import { counted } from '../words/number-words.ts'
import { DataTable } from './data-table.tsx'

type Props = {
  readonly changes: readonly Group<string>[]
  readonly turnedOff: readonly NumberChange[]
  readonly onTurnedOff: (turnedOff: readonly NumberChange[]) => void
  /** Off unless a person turns it on. Without it, it is not offered. */
  readonly isPlusAdded?: boolean | undefined
  readonly onPlusAdded?: (isPlusAdded: boolean) => void
}

/** A kind that is turned off stays, so that it can be turned on. */
export function ChangedNumbers({ changes, turnedOff, onTurnedOff, isPlusAdded = false, onPlusAdded }: Props) {
  const found = (kind: NumberChange) => changes.find(({ name }) => name === kind)
  const kinds = numberChanges.filter((kind) => found(kind) !== undefined || turnedOff.includes(kind))
  const plus = onPlusAdded && found('plus')
  if (kinds.length === 0 && !plus) return null
  const turn = (kind: NumberChange, isOn: boolean) =>
    onTurnedOff(isOn ? turnedOff.filter((one) => one !== kind) : [...turnedOff, kind].sort())
  return (
    <DataTable
      name="Changed numbers"
      columns={[['Change'], ['Rows', 'number'], ['Before and after']]}
      rows={[
        ...kinds.map((kind) => {
          const isOn = !turnedOff.includes(kind)
          return {
            key: kind,
            cells: [
              <Tick checked={isOn} onTick={(isTicked) => turn(kind, isTicked)}>
                {capital(describeChange(kind))}
              </Tick>,
              isOn ? counted(found(kind)?.count ?? 0) : '',
              isOn ? (
                <Examples first={found(kind)?.first} />
              ) : (
                <span class="muted">Off: these rows are invalid.</span>
              ),
            ],
          }
        }),
        ...(plus
          ? [
              {
                key: 'plus',
                cells: [
                  <Tick checked={isPlusAdded} onTick={(isTicked) => onPlusAdded(isTicked)}>
                    {capital(describeChange('plus'))}
                  </Tick>,
                  counted(plus.count),
                  <>
                    {!isPlusAdded && <span class="muted">Off: these rows are invalid. On:</span>}
                    <Examples first={plus.first} />
                  </>,
                ],
              },
            ]
          : []),
      ]}
    />
  )
}

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

export const Examples = ({ first }: { readonly first: readonly GroupedRow[] | undefined }) => (
  <ul class="examples">
    {first?.map(({ row, value, number }, place) => (
      <li key={`${place} ${row}`}>
        {value} → <strong>{number}</strong>
      </li>
    ))}
  </ul>
)
