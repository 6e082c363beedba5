// Whose the secret of Turnstile is, for ../dialers/dialer-secrets.ts: one source's. Pure.
import type { SecretsOwner } from '../dialers/dialer-secrets.ts'

/** No preset of a dialer has this name. */
export const ownerOf = ({
  companyId,
  sourceId,
}: {
  readonly companyId: string
  readonly sourceId: string
}): SecretsOwner => ({
  ...{ companyId, campaignId: '', preset: `source ${sourceId}`, template: null },
})
