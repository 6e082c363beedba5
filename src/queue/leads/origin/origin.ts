// Where a lead came from (D78): a source, a client of the API, or an import. Set once, as the lead is stored, by the
// service alone; a header only names an import. Pure: statements are in store/origin-sql.ts.

import { limits } from '../../../base/limits.ts'
import { isAtMost } from '../../../base/text-length.ts'

export const originKinds = ['source', 'api', 'import'] as const
export type OriginKind = (typeof originKinds)[number]

/** Its column is this letter, and the id of the source, the key or the member. Once the lead is erased, the letter. */
export const letterOf: Readonly<Record<OriginKind, string>> = { source: 's', api: 'a', import: 'i' }

/** `actor`: the id of the key, or of the member whose session it is. */
type Came = { readonly actor: string; readonly sourceId?: string; readonly importName?: string | null }

/** The columns of a lead. */
type StoredOrigin = { readonly origin: string; readonly importName: string | null }

export function storedOrigin({ actor, sourceId, importName = null }: Came): StoredOrigin {
  if (sourceId !== undefined) return { origin: letterOf.source + sourceId, importName: null }
  return { origin: letterOf[importName === null ? 'api' : 'import'] + actor, importName }
}

/** The value of a filter, as statements compare it: a letter, or an id as it is. */
export const filterOf = (origin: string): string => letterOf[origin as OriginKind] ?? origin

export const originFilterPattern = new RegExp(
  `^(?:${originKinds.join('|')}|(?:src|key|mem)[-_][0-9A-Za-z_-]{1,64})$`,
)

export const invalidImportName =
  `X-Import-Name must be percent-encoded UTF-8 of at most ${limits.importNameMaxChars} characters, without ` +
  'control characters'

/** What an import is called by the name of its file: as much of it as the header takes. */
export const importNameOf = (fileName: string): string =>
  [...fileName.toWellFormed().replace(/\p{Cc}/gu, ' ')].slice(0, limits.importNameMaxChars).join('')

/** Of the header's value. Absent and empty: null. Undefined: it is malformed. */
export function readImportName(sent: string | undefined): string | null | undefined {
  if (sent === undefined || sent === '') return null
  if (!/^[\x20-\x7e]*$/.test(sent)) return undefined
  try {
    const name = decodeURIComponent(sent)
    const isValid = isAtMost(name, limits.importNameMaxChars) && !/\p{Cc}/u.test(name)
    return isValid ? name : undefined
  } catch {
    return undefined
  }
}
