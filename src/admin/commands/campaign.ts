// `campaign`: settings, calling hours and queue of campaigns. A campaign's id is unique within its company.
import { type Command, Option } from 'commander'
import { defaultSettings, settingRanges } from '../../campaigns/settings.ts'
import type { CampaignSettings } from '../../campaigns/store/settings-row.ts'
import type { Campaign, ChangeCampaign } from '../../sdk/src/lead-intake.ts'
import { parseId, parseName } from '../arguments/arguments.ts'
import {
  type HoursOfDays,
  type OrDefault,
  type OrOff,
  type OutcomeChanges,
  parseCallsPerMinute,
  parseClosedDates,
  parseCount,
  parseGapMinutes,
  parseHours,
  parseLeaseSeconds,
  parseMaxLiveCalls,
  parseOutcome,
  parsePerNumber,
  parseRetentionDays,
  parseTimeZone,
  parseYesNo,
} from '../arguments/settings-arguments.ts'
import { companyMoving } from '../company-moving.ts'
import { CommandFailed } from '../deploy/wrangler.ts'
import type { OnDatabase } from '../on-database.ts'
import { type OpenService, onService, type ServiceAction } from '../on-service.ts'
import { carryOutOrWait, pendingText } from '../store-requests.ts'
import { describeCampaign } from '../text/campaign-words.ts'
import { printList, printResult, timestamp } from '../text/print.ts'

export function addCampaignCommands(admin: Command, onDatabase: OnDatabase): void {
  const campaign = admin.command('campaign').description('Settings, calling hours and queue of campaigns')
  onDatabase(campaign.command('create'), createCampaign)
    .requiredOption('--company <id>', 'its owner')
    .requiredOption('--id <id>', 'unique within the company', parseId)
    .requiredOption('--name <name>', 'for people', parseName)
  onService(campaign.command('list'), listCampaigns)
  const ofOne = (name: string, does: string, action: ServiceAction) =>
    onService(campaign.command(name).description(does).argument('<id>', 'the campaign'), action)
  ofOne('show', 'Shows settings, next opening and queue', showCampaign)
  ofOne('pause', 'Stops claims; running calls can still be reported', pauseCampaign)
  ofOne('resume', 'Allows claims again', resumeCampaign)
  addSettings(ofOne('set', 'Updates settings. `default` resets one', setCampaign))
}

/** An option for each setting. */
function addSettings(command: Command): void {
  const { callingHours, appointmentHours, maxAttempts, leaseSeconds, numberLimits } = defaultSettings
  const { minGapMinutes, per24Hours, per7Days } = numberLimits
  const option = <Value>(
    flags: string,
    text: string,
    parse: (text: string, before: Value | undefined) => Value,
  ) => command.addOption(new Option(flags, text).argParser(parse))
  option('--name <name>', 'for people', parseName)
  option('--time-zone <name>', 'such as Europe/Berlin; without one no lead can be claimed', parseTimeZone)
  option(
    '--hours <days and windows>',
    'business hours: "mon-fri 09:00-12:30 13:30-18:00", "sun closed"; repeatable, other days stay',
    parseHours(callingHours),
  )
  option('--appointment-hours <days and windows>', 'the same for appointments', parseHours(appointmentHours))
  option('--closed <date>', '2026-12-25; repeatable, replaces all closed dates', parseClosedDates)
  option(
    '--max-attempts <number>',
    `of a lead; by default ${maxAttempts}`,
    parseCount(settingRanges.maxAttempts),
  )
  option('--lease <duration>', `of a call; by default ${leaseSeconds / 60}m`, parseLeaseSeconds)
  option('--max-live-calls <number>', 'leased at once, or none; by default none', parseMaxLiveCalls)
  option('--calls-per-minute <number>', 'claimed in a minute, or none; by default none', parseCallsPerMinute)
  option(
    '--min-gap <duration>',
    `between calls to one number, or off; by default ${minGapMinutes}m`,
    parseGapMinutes,
  )
  option(
    '--per-day <number>',
    `calls to one number in 24 hours, or off; by default ${per24Hours}`,
    parsePerNumber,
  )
  option(
    '--per-week <number>',
    `calls to one number in 7 days, or off; by default ${per7Days}`,
    parsePerNumber,
  )
  option('--retention-days <number>', 'after which a final lead is erased, or none', parseRetentionDays)
  option(
    '--retention-suppresses <yes|no>',
    'keep the numbers of erased leads suppressed if they refused or were dead; by default yes',
    parseYesNo,
  )
  option(
    '--outcome <name=class:minutes>',
    'what follows an outcome: no_answer=retry:60, busy=default; repeatable',
    parseOutcome,
  )
}

type Output = { readonly json: boolean }

async function createCampaign(
  db: D1Database,
  { company, id, name, json }: { company: string; id: string; name: string } & Output,
) {
  const campaign = { id, companyId: company, name, createdAtMs: Date.now() }
  const { kind } = await carryOutOrWait(db, { kind: 'campaign.create', ...campaign })
  if (kind === 'company_unknown') throw new CommandFailed(`unknown company: ${company}`)
  if (kind === 'too_many')
    throw new CommandFailed(`company ${company} has as many campaigns as it may have: see company limit`)
  if (kind === 'company_moving') throw companyMoving(`company ${company}`)
  if (kind === 'id_taken') throw new CommandFailed(`campaign id is taken: ${id}`)
  if (kind === 'pending') throw new CommandFailed(pendingText)
  const value = { id, companyId: company, name, createdAt: timestamp(campaign.createdAtMs) }
  printResult(value, json, [`Campaign ${id} created for company ${company}.`])
}

async function listCampaigns({ client, companyId }: OpenService, { json }: Output) {
  const campaigns = await client.campaigns.list()
  const rows = campaigns.map(({ id, name }) => ({ id, companyId, name }))
  printList(rows, json, 'No campaigns yet.')
}

async function showCampaign(service: OpenService, { json }: Output, id: string) {
  print(service, json, await service.client.campaigns.get(id))
}

/** With --json as the API answers it. */
function print({ companyId }: OpenService, json: boolean, campaign: Campaign): void {
  const { queue, ...settings } = campaign
  printResult(
    campaign,
    json,
    describeCampaign(settings as object as CampaignSettings, queue, companyId, Date.now()),
  )
}

type SetOptions = Output & {
  readonly name?: string
  readonly timeZone?: OrDefault<string>
  readonly hours?: HoursOfDays
  readonly appointmentHours?: HoursOfDays
  readonly closed?: readonly string[]
  readonly maxAttempts?: OrDefault<number>
  readonly lease?: OrDefault<number>
  readonly maxLiveCalls?: OrDefault<number>
  readonly callsPerMinute?: OrDefault<number>
  readonly minGap?: OrOff
  readonly perDay?: OrOff
  readonly perWeek?: OrOff
  readonly outcome?: OutcomeChanges
  readonly retentionDays?: OrDefault<number>
  readonly retentionSuppresses?: OrDefault<boolean>
}

async function setCampaign(service: OpenService, options: SetOptions, id: string) {
  const { minGap, perDay, perWeek } = options
  const standard = defaultSettings.numberLimits
  const change = {
    name: options.name,
    timeZone: orNull(options.timeZone),
    callingHours: options.hours,
    appointmentHours: options.appointmentHours,
    closedDates: options.closed,
    maxAttempts: orNull(options.maxAttempts),
    leaseSeconds: orNull(options.lease),
    maxLiveCalls: orNull(options.maxLiveCalls),
    callsPerMinute: orNull(options.callsPerMinute),
    numberLimits: {
      minGapMinutes: limitOf(minGap, standard.minGapMinutes),
      per24Hours: limitOf(perDay, standard.per24Hours),
      per7Days: limitOf(perWeek, standard.per7Days),
    },
    outcomes: options.outcome,
    retentionDays: orNull(options.retentionDays),
    retentionSuppresses: orNull(options.retentionSuppresses),
  }
  const { numberLimits, ...others } = change
  const given = [...Object.values(others), ...Object.values(numberLimits)]
  if (given.every((value) => value === undefined))
    throw new CommandFailed('nothing to set: see the options in `campaign set --help`')
  await changeCampaign(service, options, id, change as object as ChangeCampaign)
}

/** Null resets to the default. */
const orNull = <Value>(value: OrDefault<Value> | undefined) => (value === 'default' ? null : value)

/** Null switches the limit off. */
function limitOf(value: OrOff | undefined, standard: number | null): number | null | undefined {
  if (value === 'off') return null
  return value === 'default' ? standard : value
}

const pauseCampaign = (service: OpenService, options: Output, id: string) =>
  changeCampaign(service, options, id, { paused: true })
const resumeCampaign = (service: OpenService, options: Output, id: string) =>
  changeCampaign(service, options, id, { paused: false })

/** Shows the changed campaign. */
async function changeCampaign(service: OpenService, { json }: Output, id: string, change: ChangeCampaign) {
  print(service, json, await service.client.campaigns.update(id, change))
}
