// `lead import`: sends a CSV file to the bulk endpoint of a running service. Reads all of it first, says how long it
// takes, and resumes an import that was interrupted.

import { limits } from '../../base/limits.ts'
import { consentReader } from '../../queue/leads/file/cells/consent-cells.ts'
import type { Tally } from '../../queue/leads/file/tally.ts'
import { CommandFailed } from '../command-failed.ts'
import { openService, reachService } from '../service.ts'
import { counted, openStatusLine } from '../text/print.ts'
import { clockLines, clockReaders } from './file-clocks.ts'
import { dateReaderOf, delimiterOf, rowReaderOf } from './file-form.ts'
import { costlyLines, groupLines } from './group-lines.ts'
import { announceDoNotCall, doNotCallReaders, scopeOf, suppressListed } from './hold-back.ts'
import { ownerOfKey } from './key-owner.ts'
import { findHeld, type Survey, surveySource } from './lead-rows.ts'
import { importIdOf, type Progress, readProgress } from './progress.ts'
import { findReportPlace, reportInFile, reportInLines } from './report.ts'
import { type ImportOptions, sendLeads } from './send-leads.ts'
import { openSource } from './source.ts'

/** `-` is stdin. Throws CommandFailed when it cannot continue; leads that were created stay. */
export async function importLeads(file: string, options: ImportOptions): Promise<Tally> {
  const { campaign, url, columnNames, overwrite, country, refuse, dates, dryRun } = options
  const { consentPurpose, consentText, zones, orColumn, plusAdded = false } = options
  const number = await rowReaderOf(country, refuse, plusAdded)
  const service = openService(url, options.key)
  const source = await openSource(file, options)
  const screen = openStatusLine()
  try {
    const place =
      options.report === undefined ? null : await findReportPlace(options.report, overwrite, source)
    const delimiter = options.delimiter ?? (await delimiterOf(source))
    const date = await dateReaderOf(dates, service, campaign, screen.log)
    const consent = consentReader({ purpose: consentPurpose, text: consentText })
    const ofUnknown = refuse?.filter((kind) => kind === 'unknown')
    const numbers = { number, ...(await doNotCallReaders(country, ofUnknown, plusAdded)) }
    const { isCostlyNumber: isCostly } = await import('../../queue/leads/file/cells/phone-cell.ts')
    const readers = { isCostly, ...(await clockReaders(zones)), ...numbers, date, consent }
    const open = { delimiter, columnNames, orColumn, readers }
    const form = { ...open, held: await findHeld(source, open) }
    const survey = await surveySource(source, form)
    if ((consentPurpose ?? consentText) !== undefined && !survey.hasConsents)
      throw new CommandFailed(
        '--consent-purpose and --consent-text are for a column consentGivenAt: there is none',
      )
    const clockAheadMs = await reachService(service)
    const { owner, campaignId } = await ownerOfKey(service, screen.log)
    const doNotCall = scopeOf(options.doNotCall, survey, campaignId)
    const ofClocks = Object.keys(zones).length > 0 && { zones: Object.entries(zones).sort() }
    const { instead } = survey
    const ofRows = {
      consentPurpose,
      consentText,
      ...ofClocks,
      doNotCall,
      instead,
      ...(plusAdded && { plusAdded }),
    }
    const choices = { country: country?.toUpperCase(), refuse, dates, dryRun, ...ofRows }
    const clocks = await clockLines(survey, zones, service, campaign)
    const { hash, guessed } = survey
    const importId = importIdOf([hash, owner, campaign, url, delimiter, columnNames, guessed, choices])
    const earlier = dryRun ? null : await readProgress(importId)
    const report =
      place === null
        ? reportInLines(screen)
        : await reportInFile(place, { importId, headers: survey.headers, delimiter, earlier }, screen)
    try {
      const isGuessed = guessed.length > 0 || instead !== null
      const isChanged = survey.changes.some(({ name }) => name !== 'costly')
      const isRead = country ?? date ?? (!survey.hasHeader || isGuessed || dryRun || isChanged)
      if (isRead) for (const line of groupLines(survey, plusAdded)) screen.log(line)
      for (const line of [...costlyLines(survey), ...clocks]) screen.log(line)
      announceDoNotCall(survey, doNotCall, screen)
      screen.log(`${dryRun ? 'Dry run, nothing is stored: ' : ''}${announce(survey, earlier)}`)
      if (!dryRun && doNotCall !== undefined && doNotCall !== 'skip') {
        try {
          const only = doNotCall === 'campaign' ? campaign : null
          await suppressListed(service, survey.doNotCall.numbers, only, screen)
        } catch (error) {
          if (earlier === null) await report.discard()
          throw error
        }
      }
      const run = { service, source, form, options, survey, importId, earlier, report, screen, clockAheadMs }
      return await sendLeads(run)
    } finally {
      await report.close()
    }
  } finally {
    screen.close()
    await source.close()
  }
}

/** The time is an estimate by the rate limit. */
function announce({ rows, requests }: Survey, earlier: Progress | null): string {
  const doneRows = earlier?.tally.rows ?? 0
  const left = Math.ceil(requests * (1 - doneRows / Math.max(rows, 1)))
  const minutes = Math.floor(Math.max(left - 1, 0) / limits.bulkRequestsPerMinutePerKey)
  const time = minutes === 0 ? 'less than a minute' : `about ${minutes} min`
  const done = earlier === null ? '' : `, ${doneRows} done by an earlier run`
  const { bulkRequestsPerMinutePerKey, leadsPerBulk } = limits
  const limit = `${bulkRequestsPerMinutePerKey} requests (${bulkRequestsPerMinutePerKey * leadsPerBulk} leads) a minute`
  return `${counted(rows, 'row')}${done}: ${counted(left, 'bulk request')}, ${time}, at the limit of ${limit}`
}
