// How a dialer is: its state and last problem in words, and a check of its credentials.
import type { Campaign, Dialer } from '../../sdk/src/models.ts'
import { serviceNow } from '../service/service-clock.ts'
import { useSession } from '../service/session.ts'
import { useAction } from '../service/use-action.ts'
import { Card, StateLine } from '../ui/card.tsx'
import { CodeBlock } from '../ui/code-block.tsx'
import { Button } from '../ui/controls.tsx'
import { FeedbackLine } from '../ui/feedback.tsx'
import { countOf } from '../ui/words/number-words.ts'
import { shortTime, zoneName, zoneOf } from '../ui/words/zone-time.ts'
import { describeCheck, describeDialer, describeProblem } from './dialer-words.ts'

type Props = {
  readonly dialer: Dialer
  readonly campaign: Campaign
  readonly onRefresh: () => unknown
  readonly onDialer: (dialer: Dialer) => void
}

export function DialerPanel({ dialer, campaign, onRefresh, onDialer }: Props) {
  const { client } = useSession()
  const { isBusy, feedback, run, setFeedback } = useAction()
  const { state, secrets, endUrl } = dialer
  const { tone, title } = describeDialer(state, campaign.queue)
  const zone = zoneOf(campaign)
  const time = (instant: string) => shortTime(Date.parse(instant), zone, serviceNow())
  const startAgain = async () => {
    const { data } = await run(
      () => client.campaigns.dialer.update(campaign.id, { enabled: true }),
      'Started again.',
    )
    if (data !== null) onDialer(data)
  }
  const check = async () => {
    const { data } = await run(() => client.campaigns.dialer.check(campaign.id))
    if (data !== null) setFeedback(describeCheck(data))
  }
  return (
    <Card title="State" side={<Button onClick={onRefresh}>Refresh</Button>}>
      <StateLine tone={tone}>{title}</StateLine>
      <p class="muted small">
        {countOf(state.live, 'live call')}
        {state.aside > 0 && <> · {state.aside} set aside after an error</>} · since {time(state.since)} in{' '}
        {zoneName(zone)}
      </p>
      {state.lastProblem !== null && (
        <p>
          Last problem, at {time(state.lastProblem.at)}: {describeProblem(state.lastProblem)}
        </p>
      )}
      <div class="line">
        {state.status === 'stopped' && (
          <Button class="primary" isOff={isBusy} onClick={startAgain}>
            Start again
          </Button>
        )}
        {Object.keys(secrets).length > 0 && (
          <Button isOff={isBusy} onClick={check}>
            Check the credentials
          </Button>
        )}
      </div>
      <FeedbackLine feedback={feedback} />
      {endUrl !== null && dialer.preset !== 'pretend' && (
        <details>
          <summary>Faster call results (webhook)</summary>
          <p class="muted">
            The provider is asked every 15 seconds. If it can send a webhook when a call ends, give it this
            URL:
          </p>
          <CodeBlock text={endUrl} what="the URL" />
        </details>
      )}
    </Card>
  )
}
