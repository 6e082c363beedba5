// Makes a CSV file.

/** Spreadsheets recognize UTF-8 by the byte order mark. */
export const csvFile = (parts: readonly string[]) =>
  new Blob(['\uFEFF', ...parts], { type: 'text/csv;charset=utf-8' })
