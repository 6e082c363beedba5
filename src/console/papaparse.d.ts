// As much of papaparse as the console uses. Its published types bring those of the DOM into every file that reads them.
declare module 'papaparse' {
  type Config = { readonly delimiter: string; readonly newline?: '\r\n' | '\n' | '\r' }

  class Parser {
    constructor(config: Config)
    /** `cursor`: where the first row begins that may go on behind the text. */
    parse(
      text: string,
      baseIndex: number,
      ignoreLastRow: boolean,
    ): { readonly data: string[][]; readonly meta: { readonly cursor: number } }
  }

  const Papa: { readonly Parser: typeof Parser }
  export default Papa
}
