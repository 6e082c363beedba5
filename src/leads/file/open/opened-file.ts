// What opening a file that people have can give, in types.
export type Pieces = AsyncIterable<Uint8Array>

/** What a person says about a file that it does not say itself. */
export type FileForm = {
  /** What is not UTF-8 may be read so. */
  readonly encoding?: 'windows-1252' | undefined
  /** Of a workbook with several. */
  readonly sheet?: string | undefined
}

export type FileQuestion =
  | { readonly kind: 'encoding'; readonly cells: readonly DoubtfulCell[] }
  | { readonly kind: 'sheet'; readonly names: readonly string[] }

/** `before`: as UTF-8, `after`: as Windows-1252. */
export type DoubtfulCell = { readonly row: number; readonly before: string; readonly after: string }

export type OpenedFile =
  /** `decode` makes CSV in UTF-8 of the file's bytes; of a workbook's, as often as needed, what was read of it. */
  { readonly kind: 'text'; readonly decode: (pieces: Pieces) => Pieces } | FileQuestion
