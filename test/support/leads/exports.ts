// Files as their makers write them, with values of our own: what a person has who opens the import for the first time.

export type MadeFile = {
  readonly maker: string
  readonly bytes: Uint8Array
  /** What the check proposes, or asks, and is accepted. */
  readonly encoding?: 'windows-1252'
  readonly country: string
  /** Of the rows that become leads, in their order. */
  readonly numbers: readonly string[]
  /** Of the rows that say that they must not be called. */
  readonly noes: readonly string[]
  /** Of the rows that are refused: a part of each reason. */
  readonly refused: readonly string[]
  /** The member of the first lead that has a letter outside ASCII. */
  readonly letters: readonly [name: string, value: string]
}

/** Each character is a byte, as in Windows-1252 but for 0x80 to 0x9F. */
const latin = (text: string) => new Uint8Array(Array.from(text, (char) => char.charCodeAt(0)))

function utf16(text: string): Uint8Array {
  const view = new DataView(new ArrayBuffer(text.length * 2))
  for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), true)
  return new Uint8Array(view.buffer)
}

const lines = (...all: readonly string[]) => all.map((line) => `${line}\r\n`).join('')

/** "CSV (Trennzeichen-getrennt)": Windows-1252, semicolons, and numbers that the spreadsheet has changed. */
const germanExcel: MadeFile = {
  maker: 'Excel on German Windows',
  bytes: latin(
    lines(
      'Kunden-Nr.;Name;Stra\xdfe;Telefon;Zeitzone;Nicht anrufen;Umsatz',
      '1001;J\xfcrgen M\xfcller;Am Tor 1;0171 1234567;Europe/Berlin;nein;1.234,50 \x80',
      '1002;"K\xe4se; S\xf6hne & Co.";Lindenstra\xdfe 2;030 / 1234567;;;12,00 \x80',
      '1003;Zo\xeb Gro\xdf;;+49 (0)30 1234568;;ja;',
      '1004;Ada;;1711234568;;nein;',
      '1005;Bob;;4,91711E+11;;nein;',
      '1006;Eve;;="+491711234569";;;',
    ),
  ),
  encoding: 'windows-1252',
  country: 'DE',
  numbers: ['+491711234567', '+49301234567', '+491711234569'],
  noes: ['+49301234568'],
  refused: ['has lost its leading zero', 'is a decimal, as spreadsheets write long numbers'],
  letters: ['Name', 'Jürgen Müller'],
}

/** "Details only": quoted, with lines about the report at its end. */
const salesforce: MadeFile = {
  maker: 'a Salesforce report',
  bytes: new TextEncoder().encode(
    lines(
      '"Lead ID","First Name","Last Name","Company / Account","Phone","Do Not Call","Lead Source"',
      '"00Q5g00000AbCdE","Zoë","Baker","Acme, Inc.","(415) 555-2671","0","Web"',
      '"00Q5g00000AbCdF","Ada","Cole","Blue ""Bird""","415.555.2672","1","Trade Show"',
      '"00Q5g00000AbCdG","Bob","Dunn","","1-415-555-2673 x12","0",""',
      '"00Q5g00000AbCdH","Eve","Ellis","","+1 415-555-2674","0",""',
      '',
      '"Leads with phone"',
      '"Confidential Information - Do Not Distribute"',
    ),
  ),
  country: 'US',
  numbers: ['+14155552671', '+14155552674'],
  noes: ['+14155552672'],
  refused: ['has an extension', 'not a data row', 'not a data row'],
  letters: ['First Name', 'Zoë'],
}

/** UTF-16 with tabs, and a letter with a colon before what would be read as a number. */
const facebook: MadeFile = {
  maker: "Facebook's lead file",
  bytes: utf16(
    `\uFEFF${[
      'id\tcreated_time\tad_id\tad_name\tform_id\tis_organic\tplatform\tfull_name\tphone_number\temail',
      'l:2201\t2026-11-20T10:15:30-05:00\tag:1201\tHerbst\tf:77\tfalse\tfb\t' +
        'Jürgen Weiß\tp:+491711234570\tj@example.com',
      'l:2202\t2026-11-20T11:15:30-05:00\tag:1201\tHerbst\tf:77\tfalse\tig\tAda\tp:+436641234567\ta@example.com',
      'l:2203\t2026-11-20T12:15:30-05:00\tag:1201\tHerbst\tf:77\ttrue\tig\tBob\tp:01711234571\tb@example.com',
    ].join('\n')}\n`,
  ),
  country: 'DE',
  numbers: ['+491711234570', '+436641234567', '+491711234571'],
  noes: [],
  refused: [],
  letters: ['full_name', 'Jürgen Weiß'],
}

export const madeFiles: readonly MadeFile[] = [germanExcel, salesforce, facebook]
