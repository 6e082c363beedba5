// Sends a test lead, shows it arriving, and erases it.
import { useState } from 'preact/hooks'
import type { Campaign } from '../../sdk/src/models.ts'
import { describeBlockers } from '../overview/campaign-state.ts'
import { hashOf } from '../place.ts'
import { settle } from '../service/answer.ts'
import { serviceNow } from '../service/service-clock.ts'
import { useSession } from '../service/session.ts'
import { useAction } from '../service/use-action.ts'
import { type Round, useReading } from '../service/use-reading.ts'
import { Card, Facts, StatusTag } from '../ui/card.tsx'
import { Button } from '../ui/controls.tsx'
import { FeedbackLine } from '../ui/feedback.tsx'
import { fullTimeInZone, zoneOf } from '../ui/words/zone-time.ts'
import { eraseTestLead, findTestLead, sendTestLead, type TestLead } from './test-lead.ts'

type Props = { readonly campaign: Campaign; readonly round: Round }

export function TestPanel({ campaign, round }: Props) {
  const { rights } = useSession()
  return (
    <Card title="Test">
      <p class="muted">
        Sends a lead with a number that rings nowhere, and erases it when you press again. It is on the
        campaign’s do-not-call list (reason “test”) before it is sent and until it is erased, so no agent gets
        it. Your webhooks get its events.
      </p>
      {rights.manage ? (
        <TestLeadPanel campaign={campaign} round={round} />
      ) : (
        <p>
          You can send leads, and not erase them: the test takes the right to <code>manage</code>.
        </p>
      )}
    </Card>
  )
}

function TestLeadPanel({ campaign, round }: Props) {
  const { client } = useSession()
  /** Undefined: not known yet. */
  const [sent, setSent] = useState<TestLead | null | undefined>(undefined)
  const { isBusy, feedback, run, setFeedback } = useAction()
  useReading(async () => {
    if (sent !== undefined) return true
    const { data, error } = await settle(findTestLead(client, campaign.id))
    if (error === null) setSent(data)
    return error === null
  }, round)

  const send = async () => {
    const { data, error } = await run(() => sendTestLead(client, campaign.id))
    if (data !== null) setSent(data)
    else if (error === null)
      setFeedback({ text: 'All test numbers that were tried are in use. Try again.', isFailure: true })
  }
  const erase = async ({ lead }: TestLead) => {
    const { data: left, error } = await run(
      () => eraseTestLead(client, campaign.id, lead),
      'Erased. Nothing of it blocks or is called.',
    )
    if (error !== null) return
    setSent(null)
    if (left !== null) setFeedback({ text: left, isFailure: true })
  }
  return (
    <>
      {sent && <Arrived {...sent} campaign={campaign} />}
      <Button isOff={isBusy || sent === undefined} onClick={() => (sent ? erase(sent) : send())}>
        {sent ? 'Erase the test lead' : 'Send a test lead'}
      </Button>
      <FeedbackLine feedback={feedback} />
    </>
  )
}

function Arrived({ lead, explanation, campaign }: TestLead & { readonly campaign: Campaign }) {
  const zone = zoneOf(campaign)
  const blockers = describeBlockers(explanation?.blockers ?? [], zone, serviceNow()).map(({ words }) => words)
  return (
    <div role="status" class="group">
      <p>
        <strong>Arrived.</strong> Stored, and not in the queue.
      </p>
      <Facts
        kind="fields"
        facts={[
          [
            'Lead',
            <a key="lead" href={hashOf(campaign.id, 'leads', lead._id)}>
              {lead.phoneNumber}
            </a>,
          ],
          ['State', <StatusTag key="state" status={lead.status} />],
          ['Received', fullTimeInZone(lead._creationTime, zone)],
          ['Blocked by', blockers.join(' · ') || 'unknown'],
        ]}
      />
    </div>
  )
}
