// Numbers that must not be called: looked at page by page, added, lifted, and exported.

import { useState } from 'preact/hooks'
import { query } from '../../service/api.ts'
import { serviceNow } from '../../service/service-clock.ts'
import { useSession } from '../../service/session.ts'
import { type Round, useReading } from '../../service/use-reading.ts'
import type { Campaign, Suppression } from '../../service/wire.ts'
import { Question } from '../../ui/question.tsx'
import { shortTime } from '../../ui/zone-time.ts'
import { exportNumbers } from './save-numbers.ts'
import { SuppressNumbers } from './suppress-numbers.tsx'

type Page = { readonly suppressions: readonly Suppression[]; readonly nextCursor: string | null }

const pageSize = 50

type Props = { readonly campaign: Campaign; readonly round: Round }

export function SuppressionsPanel({ campaign, round }: Props) {
  const { ask, rights } = useSession()
  const [page, setPage] = useState<Page | null>(null)
  const [told, setTold] = useState<string | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [readFault, setReadFault] = useState<string | null>(null)
  const [lifted, setLifted] = useState<Suppression | null>(null)
  const zone = campaign.timeZone ?? 'UTC'
  const ofKey = rights.company ? {} : { campaignId: campaign.id }

  const load = async (cursor: string | null) => {
    const { data, error } = await ask<Page>(
      'GET',
      `/suppressions${query({ ...ofKey, limit: pageSize, cursor })}`,
    )
    setReadFault(error)
    if (data === null) return false
    setPage((before) =>
      cursor === null || before === null
        ? data
        : { ...data, suppressions: [...before.suppressions, ...data.suppressions] },
    )
    return true
  }
  useReading(() => load(null), round)

  const lift = async ({ phoneNumber, campaignId }: Suppression) => {
    setLifted(null)
    const body = { phoneNumbers: [phoneNumber], ...(campaignId !== null && { campaignId }) }
    const { error } = await ask('DELETE', '/suppressions', { body })
    setFault(error)
    setTold(error === null ? 'Lifted: the number may be called again.' : null)
    await load(null)
  }

  const said = (
    <>
      <p role="status" class="muted">
        {told}
      </p>
      <p role="alert" class="fault">
        {fault ?? readFault}
      </p>
    </>
  )
  return (
    <section class="card" aria-labelledby="suppressed-title">
      <div class="card-head">
        <h2 id="suppressed-title">Suppressed numbers</h2>
        <button type="button" onClick={async () => setFault(await exportNumbers(ask, ofKey))}>
          Export CSV
        </button>
      </div>
      {rights.write ? (
        <SuppressNumbers
          campaign={campaign}
          onAdded={() => void load(null)}
          onResult={setTold}
          onFault={setFault}
        >
          {said}
        </SuppressNumbers>
      ) : (
        said
      )}
      {lifted !== null && (
        <Question text={`Let ${lifted.phoneNumber} be called again?`} onCancel={() => setLifted(null)}>
          <button type="button" class="danger" onClick={() => lift(lifted)}>
            Yes, lift it
          </button>
        </Question>
      )}
      {page !== null && page.suppressions.length === 0 && <p class="muted">No number is suppressed.</p>}
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
                  aria-label={`Lift ${one.phoneNumber}`}
                  onClick={() => setLifted(one)}
                >
                  Lift
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
