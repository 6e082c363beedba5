// The last deliveries of a webhook, as a table.
import { counted } from '../../ui/number-words.ts'
import { ScrollBox } from '../../ui/scroll-box.tsx'
import { fullTime } from '../../ui/zone-time.ts'

export type Delivery = {
  readonly eventId?: string
  readonly type?: string
  readonly status: number | string | null
  readonly time: string
  readonly milliseconds: number
  readonly error: string | null
}

export function WebhookDeliveries({
  deliveries,
  zone,
}: {
  readonly deliveries: readonly Delivery[]
  readonly zone: string
}) {
  if (deliveries.length === 0) return <p class="muted">Nothing was sent yet.</p>
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
              <td>{type ?? eventId}</td>
              <td class="number extra">{counted(milliseconds)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}
