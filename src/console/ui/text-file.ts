// Makes a CSV file, and its name.

/** Spreadsheets recognize UTF-8 by the byte order mark. */
export const csvFile = (parts: readonly string[]) =>
  new Blob(['\uFEFF', ...parts], { type: 'text/csv;charset=utf-8' })

/** `campaignId` null: of all campaigns. */
export const csvName = (what: string, campaignId: string | null): string =>
  `${[what, campaignId?.replace(/[^\p{L}\p{N}._-]+/gu, '-')].filter(Boolean).join('-')}.csv`
