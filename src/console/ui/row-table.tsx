// Rows of a file, numbered as a spreadsheet does, and the problem of each.
import { counted } from './number-words.ts'
import { ScrollBox } from './scroll-box.tsx'

type Props = {
  readonly name: string
  /** Of the columns after the row number. */
  readonly headings: readonly string[]
  readonly rows: readonly (readonly [row: number, ...cells: string[]])[]
}

export function RowTable({ name, headings, rows }: Props) {
  return (
    <ScrollBox name={name}>
      <table class="data">
        <thead>
          <tr>
            <th scope="col" class="number">
              Row
            </th>
            {headings.map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([row, ...cells], index) => (
            <tr key={index}>
              <td class="number">{counted(row)}</td>
              {cells.map((cell, place) => (
                <td key={place}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}
