// The settings of the company, outside of campaigns: keys, do-not-call numbers, webhooks, and the access of the key in use.
import type { Quota } from '../service/client.ts'
import { Card } from '../ui/card.tsx'

type Props = {
  /** From the address. */
  readonly section: string | null
  readonly quota: Quota | null
}

export function CompanyPage({ section }: Props) {
  return (
    <Card isMain title="Company">
      <p>{section}</p>
    </Card>
  )
}
