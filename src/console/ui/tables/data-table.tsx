// A table in a box that scrolls.
import type { ComponentChildren } from 'preact'
import { ScrollBox } from './scroll-box.tsx'

/** `kind`: `number` is aligned to the right, `extra` is not shown in a narrow window. */
export type Column = readonly [title: ComponentChildren, kind?: 'number' | 'number extra']

type Props = {
  readonly name: string
  readonly columns: readonly Column[]
  readonly rows: readonly { readonly key: string | number; readonly cells: readonly ComponentChildren[] }[]
  /** The first cell of a row names it. */
  readonly isNamed?: boolean
  readonly isShort?: boolean
}

export function DataTable({ name, columns, rows, isNamed = false, isShort = false }: Props) {
  return (
    <ScrollBox name={name} isShort={isShort}>
      <table class="data">
        <thead>
          <tr>
            {columns.map(([title, kind], place) => (
              <th key={place} scope="col" class={kind}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell, place) =>
                isNamed && place === 0 ? (
                  <th key={place} scope="row">
                    {cell}
                  </th>
                ) : (
                  <td key={place} class={columns[place]?.[1]}>
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}
