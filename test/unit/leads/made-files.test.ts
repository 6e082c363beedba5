// Exports of three makers as the console reads them: encoding, columns and numbers, by accepting what it proposes.
import { expect, it } from 'vitest'
import { openJudge } from '../../../src/console/import/file/judge-rows.ts'
import { survey } from '../../../src/console/import/file/survey.ts'
import { columnsOf } from '../../../src/queue/leads/file/columns.ts'
import { readCsv, readFormat } from '../../../src/queue/leads/file/csv-rows.ts'
import { guessMeanings } from '../../../src/queue/leads/file/guess-columns.ts'
import { isHeader } from '../../../src/queue/leads/file/header.ts'
import { openFile } from '../../../src/queue/leads/file/open/open-file.ts'
import { openReaders } from '../../../src/queue/leads/file/readers.ts'
import { madeFiles } from '../../support/leads/exports.ts'
import { all, gather, pieces } from '../../support/leads/lead-file.ts'

it.for(madeFiles)('$maker is read with what the check proposes', async (made) => {
  const asked = await openFile(() => pieces(made.bytes, 100), {})
  expect(asked.kind).toBe(made.encoding === undefined ? 'text' : 'encoding')
  const opened = await openFile(() => pieces(made.bytes, 100), { encoding: 'windows-1252' })
  if (opened.kind !== 'text') throw new Error(opened.kind)
  const read = () => opened.decode(pieces(made.bytes, 100))
  const { delimiter } = await readFormat(read())
  const [header, ...rows] = await gather(readCsv(read(), delimiter))
  const headers = header?.cells ?? []
  expect(isHeader(headers)).toBe(true)
  const said = { country: null, turnedOff: [], dates: null, timeZone: 'UTC' } as const
  const { readers, found } = openReaders(said)
  const judge = openJudge(columnsOf(headers, guessMeanings(headers)), readers)
  await survey(all(...rows), judge, String)
  // The country is proposed by the numbers that have one.
  expect(found().guess).toBe(made.country)
  const home = openReaders({ ...said, country: made.country })
  const judged = rows.map(openJudge(columnsOf(headers, guessMeanings(headers)), home.readers))
  const valid = judged.flatMap((one) => ('json' in one ? [one.phoneNumber] : []))
  expect(valid).toEqual(made.numbers)
  const refused = judged.flatMap((one) => ('problem' in one ? [one] : []))
  expect(refused.flatMap(({ no }) => no ?? [])).toEqual(made.noes)
  expect(refused.flatMap(({ no, problem }) => (no === undefined ? [problem] : []))).toEqual(
    made.refused.map((part) => expect.stringMatching(new RegExp(part, 'i'))),
  )
})

it('A file that is empty or of one byte is text', async () => {
  for (const text of ['', 'a']) expect((await openFile(() => pieces(text), {})).kind).toBe('text')
})
