// Where a lead came from, in names. Pure.
import type { CampaignCall } from '../../sdk/src/models.ts'

/** "Contact form", "kontakte.xlsx, by Ada", "API, with the key CRM". Null: it is not known. */
export function describeOrigin(origin: CampaignCall['origin'] | undefined): string | null {
  if (origin == null) return null
  const { kind, name, import: file } = origin
  const by = name ?? origin.sourceId ?? origin.memberId ?? origin.keyId
  if (kind === 'source') return by ?? 'A source'
  if (kind === 'import') return [file ?? 'An import', by && `by ${by}`].filter(Boolean).join(', ')
  if (by === undefined) return 'API'
  return origin.memberId === undefined ? `API, with the key ${by}` : `Console, by ${by}`
}
