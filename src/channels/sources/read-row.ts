// What becomes of a post: its number, as a cell of a file is read, what the source takes of it, and the rest as
// metadata. What a stranger can write decides nothing but his own number and metadata. Large, by the rules of phone
// numbers: it is loaded with the first post.

import { limits } from '../../base/limits.ts'
import { type ChangeableName, leadFieldTable, plainNames } from '../../queue/leads/field-table.ts'
import { isZoneOf } from '../../queue/leads/file/cells/zone-cell.ts'
import { unclearDoNotCall } from '../../queue/leads/file/do-not-call.ts'
import { unusableFieldOf } from '../../queue/leads/file/unusable.ts'
import { withoutCount } from '../../queue/leads/no/hear.ts'
import { wordAnswer } from '../../queue/leads/no/judge.ts'
import { type Entry, flatten, isNameOf } from './flatten.ts'
import { hearNoes } from './hear-noes.ts'
import { type PostProblem, shownName } from './post-problem.ts'
import { readConsent } from './read-consent.ts'
import { readPost } from './read-post.ts'
import type { SourceSettings } from './source-settings.ts'
import { clockOfLead } from './whose/lead-clock.ts'
import { entryOf, type NumberRead, readNumber, readReached, type Taken } from './whose/read-number.ts'
import { holdsSeveral, tellsOfDeletion } from './whose/told-posts.ts'

/** What is known of a post of which nothing is read. */
const nothing = {
  /** All names that it holds, as they are shown: a name may be a person's. */
  names: [] as readonly string[],
  /** No form of a browser has sent it. */
  isJson: false,
  phoneNumber: null as Taken<string> | null,
  fields: {} as { readonly [Name in ChangeableName]?: Taken },
  /** By the country of the number. Null: the campaign's. */
  timeZone: null as string | null,
  /** The time zone is the campaign's because nobody has said whose clock counts. */
  isClockUnanswered: false,
  metadata: {} as Readonly<Record<string, string>>,
  consent: false,
  /** It says do-not-call: there is no lead, and its numbers are suppressed. */
  suppresses: false,
  suppressed: [] as readonly string[],
  /** Why it is refused. */
  problem: null as PostProblem | null,
  /** What does not count, or cannot be used, and refuses nothing, in words. */
  unusable: null as string | null,
  leftOut: [] as readonly string[],
  /** A robot has filled in what people do not see. */
  isTrapped: false,
  /** The token of Turnstile. Null: there is none. */
  turnstileToken: null as string | null,
}

export type PostRow = Readonly<typeof nothing>

const turnstileName = 'cf-turnstile-response'
/** Never metadata. */
const secretNames = [
  'password',
  'passwd',
  'token',
  'g-recaptcha-response',
  'h-captcha-response',
  turnstileName,
  '_wpnonce',
  'google_key',
]

const trapNames = ['_gotcha', 'honeypot', '_honeypot']
/** By its last step, as a form may have it in one name: `form_fields[honeypot]`. */
const isTrap = ({ last, value }: Entry) =>
  trapNames.includes(
    withoutCount(last.replace(/^.*\[([^[\]]+)\]$/, '$1'))
      .trim()
      .toLowerCase(),
  ) &&
  value.trim() !== '' &&
  wordAnswer(value) !== 'no'

/** Also within a member of such a name. */
const isNamed = ({ name }: Entry, names: readonly string[]) =>
  name.split('.').some((step) => names.includes(withoutCount(step).trim().toLowerCase()))

const refused = (code: string, message: string): PostRow => ({ ...nothing, problem: { code, message } })

/** `campaignZone` undefined: no clock is compared. */
export async function readRow(
  source: SourceSettings & { readonly campaignZone?: string | null },
  contentType: string,
  body: ArrayBuffer,
  nowMs = Date.now(),
): Promise<PostRow> {
  const post = await readPost(contentType, body)
  if (post.kind !== 'read') return refused(post.kind, post.message)
  const { entries, leftOut: besides, ...flat } = flatten(post.root)
  const noes = hearNoes(post.root, source)
  const number = readNumber(source, entries, post.isUrlEncoded)
  const unread = tellsOfDeletion(post.root, source.ignored)
    ? 'this post tells of a deletion'
    : holdsSeveral(entries, number.phones)
      ? 'this post holds several people: send each alone'
      : (post.problem ?? flat.problem)
  const reached = noes.says === 'yes' ? readReached(source, entries, post.isUrlEncoded) : null
  // A clear no comes before whatever else is wrong.
  const suppresses = reached !== null && reached.numbers.length > 0
  if (unread !== undefined && !suppresses)
    return {
      ...refused('invalid_field', reached === null ? unread : `${unread}: ${unheard}`),
      isJson: post.isJson,
    }

  const taken = number.entry === null || number.value === null ? [] : [number.entry]
  const named = readFields(source, entries, number)
  const { metadata, leftOut } = readMetadata(
    source,
    entries.filter((entry) => ![...taken, ...named.taken].includes(entry)),
  )
  const clock =
    named.fields.timeZone !== undefined || number.country === null || number.problem !== null
      ? null
      : clockOfLead(source, number.country, source.campaignZone ?? null, nowMs)
  const wrongClock = clock?.isRefused
    ? `phoneNumber is of ${number.country}, and timeZones of this source has no clock for it`
    : null
  const wrongNumber = reached === null ? number.problem : `${number.problem ?? somebodyElses}: ${unheard}`
  const message = suppresses
    ? null
    : (wrongNumber ?? (noes.says === 'unclear' ? unclearDoNotCall : wrongClock))
  const problem = message === null ? null : { code: 'invalid_field', message }
  const consent = readConsent(entries, source)
  const isLead = !suppresses && problem === null
  return {
    names: entries.slice(0, limits.postNamesShown).map(({ name }) => shownName(name)),
    isJson: post.isJson,
    phoneNumber: suppresses
      ? (reached.numbers.find(({ from }) => from === number.entry?.name) ?? reached.numbers[0] ?? null)
      : number.entry && number.value !== null
        ? { from: number.entry.name, value: number.value }
        : null,
    fields: named.fields,
    timeZone: isLead ? (clock?.zone ?? null) : null,
    isClockUnanswered: isLead && clock?.isUnanswered === true,
    metadata,
    consent: isLead && consent.isGiven && !noes.isRefused,
    suppresses,
    suppressed: reached?.numbers.map(({ value }) => value) ?? [],
    problem,
    unusable:
      (suppresses ? reached.notes : [...noes.notes, noes.isRefused ? null : consent.note, ...named.unusable])
        .filter(isSaid)
        .join('; ') || null,
    leftOut: [...new Set([...post.files, ...besides, ...leftOut])],
    isTrapped: entries.some(isTrap),
    turnstileToken: entries.find((entry) => isNamed(entry, [turnstileName]))?.value ?? null,
  }
}

/** When the numbers of a no cannot be read. */
const unheard = 'the post says do-not-call, and no number in it can be suppressed'
/** When the only number stands beside a no. */
const somebodyElses = 'phoneNumber may be somebody else’s'

const isSaid = (note: string | null) => note !== null

/** What the source names beside the number, where it can be used. */
function readFields(
  source: SourceSettings,
  entries: readonly Entry[],
  { value: phoneNumber, country }: NumberRead,
) {
  const fields: { [Name in ChangeableName]?: Taken } = {}
  const taken: Entry[] = []
  const unusable: string[] = []
  for (const field of plainNames) {
    const { kind } = leadFieldTable[field]
    const entry = entryOf(entries, source.fields[field])
    if (entry === null || phoneNumber === null) continue
    const value = kind === 'number' && /^\d{1,3}$/.test(entry.value) ? Number(entry.value) : entry.value
    const isUsable =
      unusableFieldOf({ phoneNumber, [field]: value }) === null &&
      (kind !== 'zone' || (country !== null && isZoneOf(country, entry.value)))
    if (isUsable) {
      fields[field] = { from: entry.name, value }
      taken.push(entry)
    } else
      unusable.push(
        kind === 'zone' ? `${field} must be one of the number’s country` : `${field} cannot be used`,
      )
  }
  return { fields, taken, unusable }
}

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

function readMetadata({ ignored }: SourceSettings, entries: readonly Entry[]) {
  const leftOut: string[] = []
  const kept: [name: string, value: string][] = []
  for (const entry of entries) {
    const isLeftOut =
      isNamed(entry, secretNames) ||
      ignored.some((name) => [entry.name, withoutCount(entry.name)].some((own) => isNameOf(own, name)))
    if (isLeftOut || kept.length === limits.postMetadataNamesMax) leftOut.push(entry.name)
    else kept.push([entry.name, [...entry.value].slice(0, limits.postValueMaxChars).join('')])
  }
  const bySize = kept.map((pair) => [bytesOf(pair), pair] as const).sort(([one], [other]) => other - one)
  const tooLarge = new Set<readonly [string, string]>()
  let bytes = bytesOf(Object.fromEntries(kept))
  for (const [size, pair] of bySize) {
    if (bytes <= limits.metadataMaxBytes) break
    tooLarge.add(pair)
    leftOut.push(pair[0])
    // At least: as a member it has a colon and a comma in place of two brackets and a comma.
    bytes -= size - 2
  }
  return { metadata: Object.fromEntries(kept.filter((pair) => !tooLarge.has(pair))), leftOut }
}
