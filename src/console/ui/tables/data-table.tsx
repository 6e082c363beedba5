// A table in a box that scrolls.
import type { ComponentChildren } from 'preact'

/** `kind`: `number` is aligned to the right, `extra` is not shown in a narrow window, `failure` is a problem. */
export type Column = readonly [
  title: ComponentChildren,
  kind?: 'number' | 'extra' | 'number extra' | 'failure' | undefined,
]

type Props = {
  readonly name: string
  readonly class?: string
  readonly columns: readonly Column[]
  readonly rows: readonly { readonly key: string | number; readonly cells: readonly ComponentChildren[] }[]
  /** The first cell of a row names it. */
  readonly isNamed?: boolean
  readonly isShort?: boolean
  /** The column by which the rows are sorted. */
  readonly sorted?: readonly [place: number, order: 'ascending' | 'descending'] | null
}

export function DataTable(props: Props) {
  const { name, class: own = '', columns, rows, isNamed = false, isShort = false, sorted = null } = props
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by a keyboard (WCAG 2.1.1).
    <section class={isShort ? 'scroll short' : 'scroll'} tabIndex={0} aria-label={name}>
      <table class={`data ${own}`}>
        <thead>
          <tr>
            {columns.map(([title, kind], place) => (
              <th
                key={place}
                scope="col"
                class={kind === 'failure' ? undefined : kind}
                aria-sort={sorted?.[0] === place ? sorted[1] : undefined}
              >
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
    </section>
  )
}
