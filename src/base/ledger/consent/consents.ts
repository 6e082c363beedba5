// Stores consents, in the batch of the lead that they came with or alone: what a consent is, the values of its row, and
// the statements. valid-consent.ts says when one counts.
import { createHash } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import { randomBase62 } from '../../base62.ts'
import { param } from '../../database/database.ts'
import type { NumberHashes } from '../suppression/number-hash.ts'
import { consents, consentTexts, numberLog } from './tables.ts'

/** As it was sent, checked. */
export type NewConsent = {
  readonly phoneNumber: string
  readonly purpose: string
  readonly givenAtMs: number
  readonly expiresAtMs: number | null
  readonly text: string | null
  /** The digest of a text that was not sent. Lower-case hexadecimal. */
  readonly textSha256: string | null
  readonly url: string | null
  readonly ip: string | null
  readonly userAgent: string | null
  readonly certificateUrl: string | null
  readonly reference: string | null
  /** Nothing is stored where the number gave the same one so shortly before, and nothing was said of it since. */
  readonly onceWithinMs?: number
}

/** A row's values, in the order of `columns`, and behind them 1 when its text was sent, else 0, and `onceWithinMs`. */
type ConsentRow = readonly (string | number | null)[]

const columns = sql.raw(
  `phone_number, purpose, given_at_ms, content_hmac, id, number_hash, expires_at_ms, text_sha256,
  source_url, ip, user_agent, certificate_url, reference`,
)

export type ConsentsToStore = {
  /** Each content once. */
  readonly rows: readonly ConsentRow[]
  /** For each consent, in order, the place of its row. */
  readonly rowOf: readonly number[]
  readonly texts: readonly (readonly [sha256: string, text: string, phoneNumbers: readonly string[]])[]
}

const timeDigits = 11
const randomChars = 11
export const consentIdPattern = `con_[0-9a-f]{${timeDigits}}[0-9A-Za-z]{${randomChars}}`

/** In the order of their giving, so that those whose time is over are found. */
export const consentIdOf = (givenAtMs: number, rest: string) =>
  `con_${Math.max(0, givenAtMs).toString(16).padStart(timeDigits, '0')}${rest}`

/** Less than the id of a consent that was given then, as SQL. */
export const firstConsentIdOf = (givenAtMs: SQL) =>
  sql`printf(${sql.raw(`'con_%0${timeDigits}x'`)}, max(0, ${givenAtMs}))`

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Ids are chosen here, before the first try, so that a retry finds its own. */
export function consentsToStore(sent: readonly NewConsent[], hashes: NumberHashes): ConsentsToStore {
  const rows: ConsentRow[] = []
  const places = new Map<string, number>()
  const texts = new Map<string, { readonly text: string; readonly phoneNumbers: Set<string> }>()
  const rowOf = sent.map((consent) => {
    const { phoneNumber, purpose, givenAtMs, text, url, ip, userAgent } = consent
    const textSha256 = text === null ? consent.textSha256 : sha256(text)
    if (text !== null && textSha256 !== null) {
      const { phoneNumbers } = texts.get(textSha256) ?? { phoneNumbers: new Set() }
      texts.set(textSha256, { text, phoneNumbers: phoneNumbers.add(phoneNumber) })
    }
    const { expiresAtMs, certificateUrl, reference, onceWithinMs = 0 } = consent
    const content = [expiresAtMs, textSha256, url, ip, userAgent, certificateUrl, reference] as const
    const contentHmac = hashes.ofContent(JSON.stringify([phoneNumber, purpose, givenAtMs, ...content]))
    const place = places.get(contentHmac) ?? rows.length
    if (place === rows.length) {
      const id = consentIdOf(givenAtMs, randomBase62(randomChars))
      const numberHash = hashes.of(phoneNumber) || null
      const hasText = text === null ? 0 : 1
      rows.push([
        phoneNumber,
        purpose,
        givenAtMs,
        contentHmac,
        id,
        numberHash,
        ...content,
        hasText,
        onceWithinMs,
      ])
      places.set(contentHmac, place)
    }
    return place
  })
  const sentTexts = [...texts].map(
    ([sha256, { text, phoneNumbers }]) => [sha256, text, [...phoneNumbers]] as const,
  )
  return { rows, rowOf, texts: sentTexts }
}

const at = (index: number) => sql.raw(`item.value ->> ${index}`)

/** Consents of `items` that are stored, as `own`. `company` has `company_id`. */
const storedAlike = (company: SQL) => sql`${consents} as own
  on own.company_id = ${company}.company_id and own.phone_number = ${at(0)} and own.purpose = ${at(1)}
    and own.given_at_ms = ${at(2)} and own.content_hmac = ${at(3)}`

/** A condition: the number of `item` gave the same consent shortly before, and nobody has withdrawn it since. */
const isRepeated = (company: SQL) => sql`(${at(14)} > 0 and exists (select 1 from ${consents} as before
  where before.company_id = ${company}.company_id and before.phone_number = ${at(0)} and before.purpose = ${at(1)}
    and before.given_at_ms > ${at(2)} - ${at(14)} and before.given_at_ms < ${at(2)} + ${at(14)}
    and before.expires_at_ms - before.given_at_ms is ${at(6)} - ${at(2)} and before.text_sha256 is ${at(7)}
    and before.source_url is ${at(8)} and before.ip is ${at(9)} and before.reference is ${at(12)}
    and not exists (select 1 from ${numberLog} as said
      where said.company_id = before.company_id and said.phone_number = before.phone_number
        and said.at_ms >= before.given_at_ms)))`

/**
 * Who gives consents. `granted` is a table expression with `company_id` and `campaign_number` (0: the company), empty
 * when nothing is stored; `mayGive` a condition on a row of it, also by the name `granted`, and a number.
 */
export type Giver = { readonly granted: SQL; readonly mayGive: (phoneNumber: SQL) => SQL }

/** Texts of consents that are stored. Placeholders `texts`, `nowMs`. */
export const insertTexts = ({
  granted,
  mayGive,
}: Giver) => sql`insert into ${consentTexts} (company_id, sha256, text, stored_at_ms)
  select granted.company_id, ${at(0)}, ${at(1)}, ${param('nowMs')}
  from ${granted} as granted
  cross join json_each(${param('texts')}) as item
  where exists (select 1 from json_each(${at(2)}) as of_text where ${mayGive(sql`of_text.value`)})
  on conflict do nothing`

/** Leaves out the same ones that are stored. Placeholders `consents` (ConsentRows) and `nowMs`. */
export const insertConsents = ({
  granted,
  mayGive,
}: Giver) => sql`insert into ${consents} (company_id, stored_at_ms, text_campaign_number, ${columns})
  select granted.company_id, ${param('nowMs')}, iif(${at(13)}, granted.campaign_number, null), ${sql.join(
    Array.from({ length: 13 }, (_, index) => at(index)),
    sql`, `,
  )}
  from ${granted} as granted
  cross join json_each(${param('consents')}) as item
  left join ${storedAlike(sql`granted`)}
  where own.id is null and not ${isRepeated(sql`granted`)} and ${mayGive(at(0))}
  on conflict do nothing`

/** The id of each consent of `consents`, after it was stored: rows `index` and `id`. */
export const idsOfConsents = ({ granted, mayGive }: Giver) => sql`select item.key as "index", own.id
  from ${granted} as granted
  cross join json_each(${param('consents')}) as item
  cross join ${storedAlike(sql`granted`)}
  where ${mayGive(at(0))}`
