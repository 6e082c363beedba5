// Sends a test lead, shows it arriving, and erases it.
import { useEffect, useState } from 'preact/hooks'
import type { Campaign } from '../../sdk/src/models.ts'
import { describeBlockers } from '../overview/campaign-state.ts'
import { hashOf } from '../place.ts'
import { serviceNow } from '../service/service-clock.ts'
import { useSession } from '../service/session.ts'
import { type Round, useReading } from '../service/use-reading.ts'
import { Card, Facts, StatusTag } from '../ui/card.tsx'
import { Button } from '../ui/controls.tsx'
import { type Feedback, FeedbackLine } from '../ui/feedback.tsx'
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
          Your key can send leads, and not erase them: the test takes a key with scope <code>manage</code>.
        </p>
      )}
    </Card>
  )
}

function TestLeadPanel({ campaign, round }: Props) {
  const { ask } = useSession()
  /** Undefined: not known yet. */
  const [sent, setSent] = useState<TestLead | null | undefined>(undefined)
  const [isBusy, setIsBusy] = useState(false)
  const [feedback, setFeedback] = useState<Feedback | null>(null)
  useReading(async () => {
    if (sent !== undefined) return true
    const { value, error } = await findTestLead(ask, campaign.id)
    if (error === null) setSent(value)
    return error === null
  }, round)
  useEffect(() => {
    if (sent) setFeedback(null)
  }, [sent])

  const send = async () => {
    const { value, error } = await sendTestLead(ask, campaign.id)
    if (error !== null) return setFeedback({ text: error, isFailure: true })
    setSent(value)
  }
  const erase = async ({ lead }: TestLead) => {
    const { isErased, error } = await eraseTestLead(ask, campaign.id, lead)
    if (isErased) setSent(null)
    setFeedback({ text: error ?? 'Erased. Nothing of it blocks or is called.', isFailure: error !== null })
  }
  const press = async () => {
    setIsBusy(true)
    await (sent ? erase(sent) : send())
    setIsBusy(false)
  }
  return (
    <>
      {sent && <Arrived {...sent} campaign={campaign} />}
      <Button isOff={isBusy || sent === undefined} onClick={press}>
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
    <div role="status" class="arrived">
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
