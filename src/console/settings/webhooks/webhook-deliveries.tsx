// The last deliveries of a webhook, as a table.
import type { Delivery } from '../../../sdk/src/models.ts'
import { counted } from '../../ui/number-words.ts'
import { ScrollBox } from '../../ui/scroll-box.tsx'
import { fullTime } from '../../ui/zone-time.ts'

export function WebhookDeliveries({
  deliveries,
  zone,
}: {
  readonly deliveries: readonly Delivery[]
  readonly zone: string
}) {
  if (deliveries.length === 0) return <p class="muted">No deliveries yet.</p>
  return (
    <ScrollBox name="Last deliveries">
      <table class="data">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Answer</th>
            <th scope="col">Event</th>
            <th scope="col" class="number extra">
              ms
            </th>
          </tr>
        </thead>
        <tbody>
          {deliveries.map(({ time, type, eventId, status, error, milliseconds }, index) => (
            <tr key={`${eventId} ${time} ${index}`}>
              <td>{fullTime(Date.parse(time), zone)}</td>
              <td>{error ?? status}</td>
              <td>{type}</td>
              <td class="number extra">{counted(milliseconds)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}
