// The do-not-call numbers: listed by page, added, removed and exported.

import { useState } from 'preact/hooks'
import type { DataOf, Suppression } from '../../../sdk/src/models.ts'
import { settle } from '../../service/answer.ts'
import { useCampaignNames } from '../../service/names.ts'
import { serviceNow } from '../../service/service-clock.ts'
import { useSession } from '../../service/session.ts'
import { useAction } from '../../service/use-action.ts'
import { type PanelProps, useReading } from '../../service/use-reading.ts'
import { Card } from '../../ui/card.tsx'
import { Button } from '../../ui/controls.tsx'
import { Failure, FeedbackLine } from '../../ui/feedback.tsx'
import { Question } from '../../ui/question.tsx'
import { shortTime, zoneOf } from '../../ui/words/zone-time.ts'
import { exportNumbers } from './save-numbers.ts'
import { SuppressNumbers } from './suppress-numbers.tsx'

const pageSize = 50

export function SuppressionsPanel({ campaign, round }: PanelProps) {
  const { client, rights } = useSession()
  const [page, setPage] = useState<DataOf<'listSuppressions'> | null>(null)
  const { feedback, run, setFeedback } = useAction()
  const [readFailure, setReadFailure] = useState<string | null>(null)
  const [toRemove, setToRemove] = useState<Suppression | null>(null)
  const campaignName = useCampaignNames()
  const range = rights.company || campaign === null ? {} : { campaignId: campaign.id }

  const load = async (cursor: string | null) => {
    const query = { ...range, limit: pageSize, ...(cursor !== null && { cursor }) }
    const { data, error } = await settle(client.suppressions.list(query).page())
    setReadFailure(error)
    if (data === null) return false
    setPage((before) =>
      cursor === null || before === null
        ? data
        : { ...data, suppressions: [...before.suppressions, ...data.suppressions] },
    )
    return true
  }
  useReading(() => load(null), round)

  const remove = async ({ phoneNumber, campaignId }: Suppression) => {
    setToRemove(null)
    const numbers = { phoneNumbers: [phoneNumber], ...(campaignId !== null && { campaignId }) }
    await run(() => client.suppressions.lift(numbers), 'Removed. The number can be called again.')
    await load(null)
  }
  const exportAll = async () => {
    const error = await exportNumbers(client, range)
    setFeedback(error === null ? null : { text: error, isFailure: true })
  }

  const result = (
    <>
      <FeedbackLine feedback={feedback} />
      <Failure>{readFailure}</Failure>
    </>
  )
  return (
    <Card title="Do-not-call numbers" side={<Button onClick={exportAll}>Export CSV</Button>}>
      <div class="beside">
        <div class="main group">
          {rights.write ? (
            <SuppressNumbers campaign={campaign} onAdded={() => load(null)} onFeedback={setFeedback}>
              {result}
            </SuppressNumbers>
          ) : (
            result
          )}
        </div>
        <div class="group">
          {toRemove !== null && (
            <Question
              text={`Remove ${toRemove.phoneNumber}? It can be called again.`}
              yes="Yes, remove it"
              isDangerous
              onYes={() => remove(toRemove)}
              onCancel={() => setToRemove(null)}
            />
          )}
          {page?.suppressions.length === 0 && <p class="muted">No numbers.</p>}
          <ul class="rows">
            {page?.suppressions.map((one) => (
              <li key={`${one.phoneNumber} ${one.campaignId}`}>
                <span>{one.phoneNumber}</span>
                <span class="muted">
                  {one.campaignId === null ? 'all campaigns' : campaignName(one.campaignId)}
                  {one.reason !== null && ` · ${one.reason}`} ·{' '}
                  {shortTime(Date.parse(one.createdAt), zoneOf(campaign), serviceNow())}
                </span>
                {rights.manage && (
                  <Button
                    class="link"
                    aria-label={`Remove ${one.phoneNumber}`}
                    onClick={() => setToRemove(one)}
                  >
                    Remove
                  </Button>
                )}
              </li>
            ))}
          </ul>
          {page?.nextCursor != null && <Button onClick={() => load(page.nextCursor)}>Show more</Button>}
        </div>
      </div>
    </Card>
  )
}
