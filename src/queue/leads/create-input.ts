// Parses the bodies of create and bulk: JSON text in, leads or an error message out. fields.ts has the rules of each
// field, base/http/validate.ts reads the request.
import * as z from 'zod/mini'
import { memberJudge, saysDoNotCall } from '../../base/http/member-names.ts'
import { firstMessage, judge, mapReading, type Reading } from '../../base/http/reading.ts'
import { isObject, list, notAnObject } from '../../base/http/schemas.ts'
import type { NewConsent } from '../../base/ledger/consent/consents.ts'
import { limits } from '../../base/limits.ts'
import { consentOfLead, toConsent, withoutEmptyMembers } from './consent-input.ts'
import { campaignId, leadFields, meantNames, type NewLead, sourcedLead, storedFields } from './fields.ts'
import { type JsonSource, memberSource, memberSourcesOfItems } from './json-source.ts'
import { memberSays, metadataSays } from './no/posted-names.ts'

const intakeFields = { ...leadFields, consent: z.nullish(consentOfLead) }
type SentLead = z.output<z.ZodMiniObject<typeof intakeFields>>

/** A lead, and the consent that came with it. */
type LeadItem = { readonly lead: NewLead; readonly consent: NewConsent | null }

const toItem = (sent: SentLead): LeadItem => ({
  lead: { phoneNumber: sent.phoneNumber, ...storedFields(sent) },
  consent: sent.consent ? toConsent(sent.phoneNumber, sent.consent) : null,
})

export const createBody = z.pipe(
  z.object({ campaignId: campaignId('campaignId is required'), ...intakeFields }, notAnObject),
  z.transform((body) => ({ campaignId: body.campaignId, ...toItem(body) })),
)

/** One item of a bulk, without its campaign. */
export const leadItem = z.pipe(z.object(intakeFields, 'phoneNumber is required'), z.transform(toItem))

export const bulkBody = z.object(
  {
    campaignId: campaignId('campaignId is required'),
    /** Each item is validated on its own, by readBulk. */
    leads: list('leads', limits.leadsPerBulk, `Maximum ${limits.leadsPerBulk} leads per bulk request`),
  },
  notAnObject,
)

type CreateInput = z.output<typeof createBody>
export type ItemReading = Reading<z.output<typeof leadItem>>

/** Of an ignored member, that it can be named. */
const shownName = /^[\w-]{1,40}$/
const shownMost = 10

/** For `X-Ignored-Members`: the first ten, then how many more. */
function listIgnored(names: ReadonlySet<string>): string | null {
  const more = names.size > shownMost ? [`+${names.size - shownMost}`] : []
  return names.size === 0 ? null : [...[...names].slice(0, shownMost), ...more].join(', ')
}

/** `ignored`: the members that are no member of a lead, as a header; null: none. */
type Ignoring = { readonly ignored: string | null }

/**
 * Adds to `ignored`. Refuses a member that means one of `names` under another name (D62, D71), and a name that says
 * do-not-call, also in the metadata, of which `metadataName` is one. Of several problems, the first in the order of
 * `names` (D9); a do-not-call is last.
 */
function judgeMembers<Schema extends z.ZodMiniType>(schema: Schema, names: readonly string[]) {
  const judgeMember = memberJudge(names, meantNames, memberSays)
  const known = new Set(names)
  return (
    value: unknown,
    ignored: Set<string>,
    metadataName: string | null = null,
  ): Reading<z.output<Schema>> => {
    if (!isObject(value)) return judge(schema, value)
    let first: Pick<NonNullable<ReturnType<typeof judgeMember>>, 'place' | 'message'> | null = null
    for (const name in value) {
      if (!known.has(name) && shownName.test(name)) ignored.add(name)
      const found = judgeMember(name, value[name])
      if (found !== null && (first === null || found.place < first.place)) first = found
    }
    if (metadataName !== null) first ??= { place: names.length, message: saysDoNotCall(metadataName) }
    if (first === null) return judge(schema, value)
    const { error } = schema.safeParse(value)
    const [wrong] = error?.issues[0]?.path ?? []
    const isBefore = names.indexOf(String(wrong)) < first.place
    return { isValid: false, message: error && isBefore ? firstMessage(error) : first.message }
  }
}

const names = Object.keys(intakeFields)
const judgeCreate = judgeMembers(createBody, ['campaignId', ...names])
const judgeBulk = judgeMembers(bulkBody, Object.keys(bulkBody.shape))
const judgeItem = judgeMembers(leadItem, names)

function sourced(lead: Record<string, unknown>, metadata: JsonSource | undefined): object {
  if (lead.consent !== undefined)
    lead.consent = lead.consent === '' ? null : withoutEmptyMembers(lead.consent)
  return sourcedLead(lead, metadata)
}

/** The name in a lead's metadata that says do-not-call. */
const nameHeard = ({ metadata }: Record<string, unknown>, source: JsonSource | undefined) =>
  isObject(metadata) && source !== undefined ? metadataSays(metadata, source) : null

/** Reads the body of a create. Throws SyntaxError when it is not JSON. */
export function readCreate(json: string): Reading<CreateInput & Ignoring> {
  const body: unknown = JSON.parse(json)
  const ignored = new Set<string>()
  let judged: Reading<CreateInput>
  if (isObject(body)) {
    const metadata = memberSource(json, 'metadata')
    // Before its metadata is replaced by that source.
    const heard = nameHeard(body, metadata)
    judged = judgeCreate(sourced(body, metadata), ignored, heard)
  } else judged = judgeCreate(body, ignored)
  return mapReading(judged, (value) => ({ ...value, ignored: listIgnored(ignored) }))
}

/** Reads the body of a bulk, each item on its own. Throws SyntaxError when it is not JSON. */
export function readBulk(
  json: string,
): Reading<{ readonly campaignId: string; readonly items: readonly ItemReading[] } & Ignoring> {
  const ignored = new Set<string>()
  const body = judgeBulk(JSON.parse(json), ignored)
  if (!body.isValid) return body
  const { campaignId, leads } = body.value
  const sources = memberSourcesOfItems(json, 'leads', 'metadata')
  const items = leads.map((item, index) => {
    if (!isObject(item)) return judgeItem(item, ignored)
    const heard = nameHeard(item, sources[index])
    return judgeItem(sourced(item, sources[index]), ignored, heard)
  })
  return { isValid: true, value: { campaignId, items, ignored: listIgnored(ignored) } }
}
