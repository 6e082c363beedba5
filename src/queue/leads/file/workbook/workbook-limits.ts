// How large a workbook may be: reading one takes many times its size in memory.
export const workbookLimits = {
  maxBytes: 10_000_000,
  unpackedMaxBytes: 150_000_000,
  maxRows: 100_000,
  maxColumns: 500,
} as const
