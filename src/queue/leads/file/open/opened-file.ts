// What opening a file that people have can give.
export type Pieces = AsyncIterable<Uint8Array>

/** What a person says about a file that it does not say itself. */
export type FileForm = {
  /** What is not UTF-8 may be read so. */
  readonly encoding?: 'windows-1252' | undefined
  /** Which one of a workbook with several. */
  readonly sheet?: string | undefined
  /** Of a workbook with hidden rows or columns: whether they are read. */
  readonly hidden?: 'keep' | 'skip' | undefined
}

/** How many there are. */
export type HiddenCells = { readonly kind: 'hidden'; readonly rows: number; readonly columns: number }

export type FileQuestion =
  | { readonly kind: 'encoding'; readonly cells: readonly DoubtfulCell[] }
  | { readonly kind: 'sheet'; readonly names: readonly string[] }
  | HiddenCells

/** As people say it: "12 hidden rows and 1 hidden column". */
export const describeHidden = ({ rows, columns }: HiddenCells): string =>
  [
    rows > 0 && `${rows} hidden ${rows === 1 ? 'row' : 'rows'}`,
    columns > 0 && `${columns} hidden ${columns === 1 ? 'column' : 'columns'}`,
  ]
    .filter((part) => part !== false)
    .join(' and ')

/** `before`: as UTF-8, `after`: as Windows-1252. */
export type DoubtfulCell = { readonly row: number; readonly before: string; readonly after: string }

export type OpenedFile =
  /** `decode` makes CSV in UTF-8 of the file's bytes; of a workbook's, as often as needed, what was read of it. */
  { readonly kind: 'text'; readonly decode: (pieces: Pieces) => Pieces } | FileQuestion
