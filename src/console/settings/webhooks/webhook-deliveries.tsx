// The last attempts to deliver events to a webhook.
import type { Delivery } from '../../../sdk/src/models.ts'
import { DataTable } from '../../ui/tables/data-table.tsx'
import { counted } from '../../ui/words/number-words.ts'
import { fullTime } from '../../ui/words/zone-time.ts'

type Props = { readonly deliveries: readonly Delivery[]; readonly zone: string }

export function WebhookDeliveries({ deliveries, zone }: Props) {
  if (deliveries.length === 0) return <p class="muted">No deliveries yet.</p>
  return (
    <DataTable
      name="Last deliveries"
      columns={[['Time'], ['Answer'], ['Event'], ['ms', 'number extra']]}
      rows={deliveries.map(({ time, type, status, error, milliseconds }, index) => ({
        key: index,
        cells: [fullTime(Date.parse(time), zone), error ?? status, type, counted(milliseconds)],
      }))}
    />
  )
}
