// Numbers that must not be called: looked at page by page, added one by one or from a file, lifted, and exported.

import { useState } from 'preact/hooks'
import { query } from './api.ts'
import { serviceNow } from './clocks.ts'
import { counted, countOf } from './number-words.ts'
import { readNumbers } from './numbers-in-text.ts'
import { Question } from './question.tsx'
import { useSession } from './session.ts'
import { addNumbers, exportNumbers } from './suppressed-numbers.ts'
import { useUnsaved } from './unsaved.ts'
import { type Round, useReading } from './use-reading.ts'
import type { Campaign, Suppression } from './wire.ts'
import { shortTime } from './zone-time.ts'

type Page = { readonly suppressions: readonly Suppression[]; readonly nextCursor: string | null }

const pageSize = 50
const maxFileBytes = 20_000_000

type Props = { readonly campaign: Campaign; readonly round: Round }

export function SuppressionsPanel({ campaign, round }: Props) {
  const { ask, rights } = useSession()
  const [page, setPage] = useState<Page | null>(null)
  const [told, setTold] = useState<string | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [readFault, setReadFault] = useState<string | null>(null)
  const [text, setText] = useState('')
  const [isForCompany, setIsForCompany] = useState(false)
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
  useUnsaved(text.trim() !== '')

  const add = async (source: string) => {
    const { numbers, wrong } = readNumbers(source)
    setTold(null)
    if (numbers.length === 0) return setFault('No phone number found. Write them as +14155550123.')
    const target = isForCompany ? {} : { campaignId: campaign.id }
    const { added, existing, error } = await addNumbers(ask, numbers, target)
    setFault(error)
    setTold(
      `${countOf(added, 'number')} added, ${counted(existing)} there already${wrong > 0 ? `, ${counted(wrong)} not E.164` : ''}.`,
    )
    if (error === null && source === text) setText('')
    await load(null)
  }
  const lift = async ({ phoneNumber, campaignId }: Suppression) => {
    setLifted(null)
    const body = { phoneNumbers: [phoneNumber], ...(campaignId !== null && { campaignId }) }
    const { error } = await ask('DELETE', '/suppressions', { body })
    setFault(error)
    setTold(error === null ? 'Lifted: the number may be called again.' : null)
    await load(null)
  }

  return (
    <section class="card" aria-labelledby="suppressed-title">
      <div class="card-head">
        <h2 id="suppressed-title">Suppressed numbers</h2>
        <button type="button" onClick={async () => setFault(await exportNumbers(ask, ofKey))}>
          Export CSV
        </button>
      </div>
      {rights.write && (
        <form
          class="suppress"
          onSubmit={(event) => {
            event.preventDefault()
            void add(text)
          }}
        >
          <label>
            Never call these
            <textarea
              rows={2}
              value={text}
              placeholder="+14155550123, one or many"
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          </label>
          <div class="line">
            {rights.company && (
              <label class="tick">
                <input
                  type="checkbox"
                  checked={isForCompany}
                  onChange={({ currentTarget }) => setIsForCompany(currentTarget.checked)}
                />
                In all campaigns
              </label>
            )}
            <button type="submit" class="primary">
              Suppress
            </button>
            <label class="file">
              Import a file
              <input
                class="unseen"
                type="file"
                accept=".csv,.txt"
                onChange={async ({ currentTarget }) => {
                  const [file] = currentTarget.files ?? []
                  if (file === undefined) return
                  // A part of it would leave numbers that go on being called.
                  if (file.size > maxFileBytes) setFault('The file is larger than 20 MB. Split it.')
                  else await add(await file.text())
                  currentTarget.value = ''
                }}
              />
            </label>
          </div>
        </form>
      )}
      <p role="status" class="muted">
        {told}
      </p>
      <p role="alert" class="fault">
        {fault ?? readFault}
      </p>
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
