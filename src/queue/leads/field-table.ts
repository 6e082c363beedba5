// The fields of a lead, in the order of D9. From a field's kind follow its check, its JSON, its cells in files, its
// place in the console, and its description. Besides, a field has its column in store/tables.ts, its headers in
// file/names/column-names.ts, its words in docs/fields/lead-fields.ts and in the MCP server's tool. Pure.
import { limits } from '../../base/limits.ts'

/**
 * `phone`: E.164, and required. `json`: an object, kept as its source text. `number`: whole, 0 if it is not set.
 * `zone`: the time zone of the person, else the campaign's. `limit`: characters, bytes, or the largest number; 0 where
 * the kind says all.
 */
type LeadField = {
  readonly kind: 'phone' | 'text' | 'json' | 'time' | 'number' | 'zone'
  readonly label: string
  readonly isChangeable: boolean
  readonly limit: number
}

/** An erasure empties all of them: each may be personal. */
const table = {
  phoneNumber: { kind: 'phone', label: 'Phone number', isChangeable: false, limit: 0 },
  externalId: { kind: 'text', label: 'External id', isChangeable: true, limit: limits.externalIdMaxChars },
  metadata: { kind: 'json', label: 'Metadata', isChangeable: true, limit: limits.metadataMaxBytes },
  scheduledFor: { kind: 'time', label: 'Scheduled for', isChangeable: true, limit: 0 },
  priority: { kind: 'number', label: 'Priority', isChangeable: true, limit: limits.priorityMax },
  timeZone: { kind: 'zone', label: 'Time zone', isChangeable: true, limit: 0 },
} as const satisfies Readonly<Record<string, LeadField>>

type Table = typeof table
export type LeadFieldName = keyof Table
export type ChangeableName = {
  [Name in LeadFieldName]: Table[Name]['isChangeable'] extends true ? Name : never
}[LeadFieldName]

/** A value for each kind: what does not know one does not compile. */
export type ByKind<Value> = Readonly<Record<LeadField['kind'], Value>>
/** Fields by name, each as `Kinds` has its kind. */
export type FieldsAs<Kinds extends ByKind<unknown>, Name extends LeadFieldName = LeadFieldName> = {
  readonly [Each in Name]: Kinds[Table[Each]['kind']]
}

export const leadFieldTable: Readonly<Record<LeadFieldName, LeadField>> = table
export const leadFieldNames = Object.keys(table) as readonly LeadFieldName[]
export const changeableNames = leadFieldNames.filter(
  (name): name is ChangeableName => table[name].isChangeable,
)

type PlainName = {
  [Name in ChangeableName]: Table[Name]['kind'] extends 'json' ? never : Name
}[ChangeableName]
/** Those that one line of text can hold. */
export const plainNames = changeableNames.filter((name): name is PlainName => table[name].kind !== 'json')

/** These, and behind them the fields that are not among them: programs read columns by position. */
export const withOtherFields = <Name extends string>(names: readonly Name[]) => [
  ...names,
  ...leadFieldNames.filter((field) => !names.some((name) => name === field)),
]
