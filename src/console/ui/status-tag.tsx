// The state of a lead as a tag.
import type { LeadStatus } from '../../sdk/src/models.ts'
import { statusNames } from './status-names.ts'

export function StatusTag({ status }: { readonly status: LeadStatus }) {
  return (
    <span class={`tag ${status}`} title={status}>
      {statusNames[status]}
    </span>
  )
}
