// The do-not-call numbers: listed by page, added, removed and exported.

import { useState } from 'preact/hooks'
import type { Campaign, Suppression } from '../../../sdk/src/models.ts'
import { query } from '../../service/api.ts'
import { serviceNow } from '../../service/service-clock.ts'
import { useSession } from '../../service/session.ts'
import { type Round, useReading } from '../../service/use-reading.ts'
import { Question } from '../../ui/question.tsx'
import { shortTime } from '../../ui/zone-time.ts'
import { exportNumbers, type SuppressionPage } from './save-numbers.ts'
import { SuppressNumbers } from './suppress-numbers.tsx'

const pageSize = 50

type Props = { readonly campaign: Campaign; readonly round: Round }

export function SuppressionsPanel({ campaign, round }: Props) {
  const { ask, rights } = useSession()
  const [page, setPage] = useState<SuppressionPage | null>(null)
  const [feedback, setFeedback] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [readFailure, setReadFailure] = useState<string | null>(null)
  const [toRemove, setToRemove] = useState<Suppression | null>(null)
  const zone = campaign.timeZone ?? 'UTC'
  const range = rights.company ? {} : { campaignId: campaign.id }

  const load = async (cursor: string | null) => {
    const { data, error } = await ask<SuppressionPage>(
      'GET',
      `/suppressions${query({ ...range, limit: pageSize, cursor })}`,
    )
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
    const body = { phoneNumbers: [phoneNumber], ...(campaignId !== null && { campaignId }) }
    const { error } = await ask('DELETE', '/suppressions', { body })
    setFailure(error)
    setFeedback(error === null ? 'Removed. The number can be called again.' : null)
    await load(null)
  }

  const result = (
    <>
      <p role="status" class="muted">
        {feedback}
      </p>
      <p role="alert" class="failure">
        {failure ?? readFailure}
      </p>
    </>
  )
  return (
    <section class="card" aria-labelledby="suppressed-title">
      <div class="card-head">
        <h2 id="suppressed-title">Do-not-call numbers</h2>
        <button type="button" onClick={async () => setFailure(await exportNumbers(ask, range))}>
          Export CSV
        </button>
      </div>
      {rights.write ? (
        <SuppressNumbers
          campaign={campaign}
          onAdded={() => void load(null)}
          onResult={setFeedback}
          onFailure={setFailure}
        >
          {result}
        </SuppressNumbers>
      ) : (
        result
      )}
      {toRemove !== null && (
        <Question
          text={`Remove ${toRemove.phoneNumber}? It can be called again.`}
          onCancel={() => setToRemove(null)}
        >
          <button type="button" class="danger" onClick={() => remove(toRemove)}>
            Yes, remove it
          </button>
        </Question>
      )}
      {page !== null && page.suppressions.length === 0 && <p class="muted">No numbers.</p>}
      {page !== null && page.suppressions.length > 0 && (
        <ul class="rows">
          {page.suppressions.map((one) => (
            <li key={`${one.phoneNumber} ${one.campaignId}`}>
              <span>{one.phoneNumber}</span>
              <span class="muted">
                {one.campaignId === null ? 'all campaigns' : one.campaignId}
                {one.reason !== null && ` · ${one.reason}`} ·{' '}
                {shortTime(Date.parse(one.createdAt), zone, serviceNow())}
              </span>
              {rights.manage && (
                <button
                  type="button"
                  class="link"
                  aria-label={`Remove ${one.phoneNumber}`}
                  onClick={() => setToRemove(one)}
                >
                  Remove
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {page?.nextCursor != null && (
        <button type="button" onClick={() => load(page.nextCursor)}>
          Show more
        </button>
      )}
    </section>
  )
}
