// Who calls a campaign's leads: agents of the customer, or the service itself by a dialer; and how that dialer is.
import type { Campaign, Dialer } from '../../sdk/src/models.ts'
import { TestPanel } from '../connect/test-panel.tsx'
import { useSession } from '../service/session.ts'
import { type Round, useData } from '../service/use-reading.ts'
import { Card } from '../ui/card.tsx'
import { Failure } from '../ui/feedback.tsx'
import { zoneOf } from '../ui/words/zone-time.ts'
import { DialerPanel } from './dialer-panel.tsx'
import { dialerRequests } from './dialer-requests.ts'
import { OwnPhone } from './own-phone.tsx'
import { WhoCalls } from './who-calls.tsx'

type Props = { readonly campaign: Campaign; readonly round: Round }

export function CallingPage({ campaign, round }: Props) {
  const { client } = useSession()
  const requests = dialerRequests(client, campaign.id)
  const { data, setData, failure, load } = useData(requests.get, round, true)
  const presets = useData(client.dialerPresets, round)
  const show = (dialer: Dialer | null) => setData({ dialer })
  const problem = failure ?? presets.failure
  return (
    <div class="beside">
      <h1>Calling</h1>
      {data?.dialer && (
        <DialerPanel
          dialer={data.dialer}
          requests={requests}
          queue={campaign.queue}
          zone={zoneOf(campaign)}
          onRefresh={load}
          onDialer={show}
        />
      )}
      {data?.dialer && <OwnPhone campaign={campaign} requests={requests} round={round} />}
      <Card title="Who calls" class="main">
        <Failure>{problem}</Failure>
        {data !== null && presets.data !== null ? (
          <WhoCalls
            campaignId={campaign.id}
            dialer={data.dialer}
            presets={presets.data}
            requests={requests}
            onDialer={show}
          />
        ) : (
          problem === null && <p class="muted loading">Loading…</p>
        )}
      </Card>
      <TestPanel campaign={campaign} round={round} />
    </div>
  )
}
