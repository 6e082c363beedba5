// What the page says to developers of receivers: order, repetition, failures, and when a webhook ends.
import { limits, waits } from '../base/limits.ts'
import { prose } from './openapi/prose.ts'

export const webhookGuide = prose`Webhooks send events to your server, signed according to [Standard Webhooks
1.0.0](https://www.standardwebhooks.com). Delivery is at least once, with the same \`webhook-id\` in every
attempt. As long as you respond with 2xx within ${waits.deliveryMs / 1000} seconds, all events arrive in the
order of the log. The events of one lead always do, from its \`leads.created\` on, as do \`campaign.*\` of one
campaign and the events of one alert.

- **One event fails**: it is sent again after 5 seconds, 5 minutes, 30 minutes, 2, 5, 10 and 10 hours, never
  earlier than your \`Retry-After\`. Later events of the same lead, campaign or alert wait for it; all others
  continue. After the last attempt the service gives up on the event, counts it, logs \`webhook.gave_up\`, and
  sends those that waited. While ${limits.waitingEventsMax.toLocaleString('en')} events wait, nothing new is
  sent.
- **You refuse one**: a 4xx other than 408, 409, 425 and 429 only affects that event. It is sent again at the
  same times, and nothing waits for it.
- **The receiver fails**: after five other failures in a row, or after 20 different events in a row that failed
  in any way, only the oldest event is sent, after a second and then each time after twice as long, up to 10
  hours, and the service gives up on none. After the next success all other events follow in order.
- **Disabled**: 410, or five days of receiver failure without a success, disables the webhook. When you enable
  it again, it continues where it stopped.
- **It ends with its key**: a webhook that a key with an \`expiresAt\` created ends at that time. If another key
  changes the webhook or enables it again, it lasts as long as that key, if that is longer. A new URL makes it
  end with the key that set it.

Every attempt sends the same facts: \`status\`, \`attempts\` and the like are as they were when the event
happened. Phone number, external id, metadata and details are read when the event is sent, so it never contains
anybody who was erased.`
