// Parses arguments of commands. An error is one line.
import { InvalidArgumentError } from 'commander'
import { limits } from '../../base/limits.ts'
import { isTimeZone } from '../../base/time-zone.ts'
import type { Rule } from '../../queue/leads/consent-rules.ts'
import { type NumberChange, numberChanges } from '../../queue/leads/file/cells/number-reading.ts'
import { campaignClock, type ZoneChoices } from '../../queue/leads/file/clock-words.ts'

const unitsMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `0`, `30s`, `15m`, `24h` or `7d`, in milliseconds. */
export function parseDurationMs(text: string): number {
  if (text === '0') return 0
  const match = /^(\d{1,6})([smhd])$/.exec(text)
  if (match === null)
    throw new InvalidArgumentError('A duration is 0, or a number and s, m, h or d: 30s, 24h.')
  return Number(match[1]) * unitsMs[match[2] as keyof typeof unitsMs]
}

const parseNameOf = (maxChars: number) => (text: string) => {
  if (text.trim() === '' || text.length > maxChars || /\p{Cc}|\p{Cs}/u.test(text))
    throw new InvalidArgumentError(`A name is 1 to ${maxChars} printable characters.`)
  return text
}

export const parseName = parseNameOf(255)
export const parseAgentName = parseNameOf(limits.agentMaxChars)
export const parseImportName = parseNameOf(limits.importNameMaxChars)

const parseNumber =
  (pattern: RegExp, rule: string, most = Number.POSITIVE_INFINITY) =>
  (text: string): number => {
    const number = Number(text)
    if (!pattern.test(text) || number > most) throw new InvalidArgumentError(rule)
    return number
  }

export const parsePort = parseNumber(/^0*[1-9]\d*$/, 'A port is a number from 1 to 65535.', 65_535)

/** Without a trailing slash. HTTP only on this machine: the API key is sent with each request. */
export function parseServiceUrl(text: string): string {
  const url = URL.parse(text)
  const isLocal = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url === null || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLocal))) {
    throw new InvalidArgumentError('It must be https://..., or http://localhost:<port>.')
  }
  return (url.origin + url.pathname).replace(/\/+$/, '')
}

export const refusedText =
  `changes of numbers that make a row invalid instead, with commas between: ` + `${numberChanges.join(', ')}`

export function parseNumberChanges(text: string): readonly NumberChange[] {
  const known = (name: string) => numberChanges.find((change) => change === name.trim())
  return text.split(',').map((name) => {
    const change = known(name)
    if (change === undefined)
      throw new InvalidArgumentError(`A change is one of ${numberChanges.join(', ')}.`)
    return change
  })
}

export function parseDelimiter(text: string): string {
  const character = text === '\\t' ? '\t' : text
  if (character.length !== 1 || /["\r\n]/.test(character)) {
    throw new InvalidArgumentError('It must be one character, or \\t.')
  }
  return character
}

/** A column of a CSV file, and the field that it stands for. */
export type ColumnName = { readonly header: string; readonly name: string }

/** `phone=phoneNumber`, repeatable. A header may contain `=`, a name may not. */
export function parseColumnName(text: string, before: readonly ColumnName[]): readonly ColumnName[] {
  const cut = text.lastIndexOf('=')
  const [header, name] = [text.slice(0, Math.max(cut, 0)).trim(), text.slice(cut + 1).trim()]
  if (header === '' || name === '')
    throw new InvalidArgumentError('It must be <header>=<name>: phone=phoneNumber.')
  return [...before, { header, name }]
}

/** `US=America/New_York` or `US=campaign`, repeatable: the clock by which the numbers of a country are called. */
export function parseZone(text: string, before: ZoneChoices): ZoneChoices {
  const [, country = '', zone = ''] = /^([a-z]{2})=(.+)$/i.exec(text.trim()) ?? []
  if (zone !== campaignClock && !isTimeZone(zone))
    throw new InvalidArgumentError(
      `It must be <country>=<zone>: US=America/New_York, or US=${campaignClock} for the clock of the campaign.`,
    )
  return { ...before, [country.toUpperCase()]: zone }
}

/** The purpose or the text of the consents of a file. */
export const parseByRule =
  ([isUsable, rule]: Rule) =>
  (text: string): string => {
    if (!isUsable(text)) throw new InvalidArgumentError(`It must be ${rule}.`)
    return text
  }

/** How many times as fast as people talk. */
export const parseSpeed = parseNumber(
  /^(?=.*[1-9])\d{1,4}(\.\d{1,3})?$/,
  'It must be a number above 0, 3600 at most.',
  3_600,
)

/** At most as many calls as one claim may request. */
export const parseConcurrency = parseNumber(
  /^[1-9]\d{0,2}$/,
  `It must be a number from 1 to ${limits.callsPerRequest}.`,
  limits.callsPerRequest,
)

export const parsePauseSeconds = parseNumber(/^[1-9]\d?$/, 'It must be a number of seconds from 1 to 99.')

export const parseSeed = parseNumber(/^\d{1,9}$/, 'It must be a number of at most 9 digits.')
