// Who calls a campaign's leads: agents of the customer, or the service itself by a dialer; and how that dialer is.
import { LeadIntakeError } from '../../sdk/src/errors.ts'
import type { Campaign, Dialer } from '../../sdk/src/models.ts'
import { TestPanel } from '../connect/test-panel.tsx'
import type { Client } from '../service/client.ts'
import { useSession } from '../service/session.ts'
import { type Round, useData } from '../service/use-reading.ts'
import { Card } from '../ui/card.tsx'
import { Failure } from '../ui/feedback.tsx'
import { DialerPanel } from './dialer-panel.tsx'
import { OwnPhone } from './own-phone.tsx'
import { WhoCalls } from './who-calls.tsx'

type Props = { readonly campaign: Campaign; readonly round: Round }

export function CallingPage({ campaign, round }: Props) {
  const { client } = useSession()
  const { data, setData, failure, load } = useData(() => readDialer(client, campaign.id), round, true)
  const presets = useData(client.dialerPresets, round)
  const show = (dialer: Dialer | null) => setData({ dialer })
  const problem = failure ?? presets.failure
  return (
    <div class="beside">
      <h1>Calling</h1>
      {data?.dialer && (
        <DialerPanel dialer={data.dialer} campaign={campaign} onRefresh={load} onDialer={show} />
      )}
      {data?.dialer && <OwnPhone campaign={campaign} round={round} />}
      <Card title="Who calls" class="main">
        <Failure>{problem}</Failure>
        {data !== null && presets.data !== null ? (
          <WhoCalls campaign={campaign} dialer={data.dialer} presets={presets.data} onDialer={show} />
        ) : (
          problem === null && <p class="muted loading">Loading…</p>
        )}
      </Card>
      <TestPanel campaign={campaign} round={round} />
    </div>
  )
}

/** Null: the campaign has none, which is no failure. */
async function readDialer(
  { campaigns }: Client,
  campaignId: string,
): Promise<{ readonly dialer: Dialer | null }> {
  try {
    return { dialer: await campaigns.dialer.get(campaignId) }
  } catch (error) {
    if (error instanceof LeadIntakeError && error.code === 'dialer_not_found') return { dialer: null }
    throw error
  }
}
