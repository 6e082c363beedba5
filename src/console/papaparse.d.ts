// The part of papaparse that the console uses. Its published types bring the DOM's into every file that reads them.
declare module 'papaparse' {
  type Config = { readonly delimiter: string; readonly newline?: '\r\n' | '\n' | '\r' }

  class Parser {
    constructor(config: Config)
    /** `cursor`: where the last row begins, which may be incomplete. */
    parse(
      text: string,
      baseIndex: number,
      ignoreLastRow: boolean,
    ): { readonly data: string[][]; readonly meta: { readonly cursor: number } }
  }

  const Papa: { readonly Parser: typeof Parser }
  export default Papa
}
