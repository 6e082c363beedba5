// Creates a key, which never has more rights than the one in use: its campaign, and its end.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Campaign, CampaignList, Key, KeyCreated } from '../../../sdk/src/models.ts'
import { useSession } from '../../service/session.ts'
import { FormButtons } from '../../ui/controls.tsx'
import { Failure } from '../../ui/feedback.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { dateName, endOfDayMs, isoDay, zoneName } from '../../ui/words/zone-time.ts'
import { type Scope, scopeSentences } from './key-words.ts'

type Props = {
  /** Null: the page of the company. */
  readonly campaign: Campaign | null
  readonly zone: string
  /** The key in use. */
  readonly own: Key | undefined
  readonly onCreated: (key: KeyCreated) => void
  readonly onCancel: () => void
}

const campaignsOffered = 100

export function CreateKey({ campaign, zone, own, onCreated, onCancel }: Props) {
  const { ask, rights } = useSession()
  const [name, setName] = useState('')
  const [scope, setScope] = useState<Scope | null>(null)
  const [isOfAll, setIsOfAll] = useState(campaign === null)
  const [campaignId, setCampaignId] = useState(campaign?.id ?? '')
  const [offered, setOffered] = useState<CampaignList['campaigns']>([])
  const [lastDay, setLastDay] = useState('')
  const [isTried, setIsTried] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  useEffect(() => {
    if (campaign !== null) return
    const query = { limit: campaignsOffered }
    void ask<CampaignList>('GET', '/campaigns', { query }).then(({ data }) =>
      setOffered(data?.campaigns ?? []),
    )
  }, [])

  const ownEndMs = own?.expiresAt == null ? null : Date.parse(own.expiresAt)
  const lastMs = endOfDayMs(lastDay, zone)
  const today = isoDay(Date.now(), zone)
  const ownLastDay = ownEndMs === null ? undefined : isoDay(ownEndMs, zone)
  const problems = {
    name: name.trim() === '' ? 'Enter who uses the key' : null,
    scope: scope === null ? 'Choose what the key may do' : null,
    campaign: !isOfAll && campaignId.trim() === '' ? 'Enter the id of a campaign' : null,
    lastDay:
      lastDay !== '' && (lastDay < today || (ownLastDay !== undefined && lastDay > ownLastDay))
        ? `Choose a day from today${ownLastDay === undefined ? ' on' : ` to ${dateName(ownLastDay)}`}`
        : null,
  }
  const shown = (problem: string | null) => (isTried ? problem : null)

  const create = async (event: SubmitEvent) => {
    event.preventDefault()
    setIsTried(true)
    if (isBusy || Object.values(problems).some((problem) => problem !== null)) return
    const endMs = lastMs !== null && ownEndMs !== null ? Math.min(lastMs, ownEndMs) : lastMs
    const body = {
      name: name.trim(),
      scope,
      ...(!isOfAll && { campaignId: campaignId.trim() }),
      ...(endMs !== null && { expiresAt: new Date(endMs).toISOString() }),
    }
    setIsBusy(true)
    const { data, error } = await ask<KeyCreated>('POST', '/keys', { body, isOnce: true })
    setIsBusy(false)
    setFailure(error)
    if (data !== null) onCreated(data)
  }

  return (
    <form class="create" aria-label="Create a key" ref={form} onSubmit={create} noValidate>
      <Field label="Name" hint="Who uses the key, such as “HubSpot”." problem={shown(problems.name)}>
        {(attributes) => (
          <input
            {...attributes}
            autocomplete="off"
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        )}
      </Field>
      <fieldset class="choices">
        <legend>Permissions</legend>
        {Object.entries(scopeSentences).map(([one, sentence]) => (
          <label key={one} class="choice">
            <input
              type="radio"
              name="scope"
              checked={scope === one}
              onChange={() => setScope(one as Scope)}
            />
            <span>
              {one} <span class="muted small">{sentence}</span>
            </span>
          </label>
        ))}
        <Failure>{shown(problems.scope)}</Failure>
      </fieldset>
      {rights.company && (
        <fieldset class="choices">
          <legend>Campaigns</legend>
          <label class="choice">
            <input type="radio" name="campaigns" checked={isOfAll} onChange={() => setIsOfAll(true)} />
            All campaigns
          </label>
          <label class="choice">
            <input type="radio" name="campaigns" checked={!isOfAll} onChange={() => setIsOfAll(false)} />
            {campaign === null ? 'Only one campaign' : `Only ${campaign.name}`}
          </label>
          {campaign === null && !isOfAll && (
            <Field label="Id of the campaign" problem={shown(problems.campaign)}>
              {(attributes) => (
                <>
                  <input
                    {...attributes}
                    list="campaigns-offered"
                    autocomplete="off"
                    spellcheck={false}
                    value={campaignId}
                    onInput={({ currentTarget }) => setCampaignId(currentTarget.value)}
                  />
                  <datalist id="campaigns-offered">
                    {offered.map(({ id, name: campaignName }) => (
                      <option key={id} value={id} label={campaignName} />
                    ))}
                  </datalist>
                </>
              )}
            </Field>
          )}
        </fieldset>
      )}
      {!rights.company && <p class="muted small">The key has access to this campaign only, as yours has.</p>}
      <Field
        label="Last day (optional)"
        hint={
          ownLastDay === undefined
            ? `The key ends when this day ends in ${zoneName(zone)}. Empty: it does not end.`
            : `Your key ends on ${dateName(ownLastDay)}, and the new one not later.`
        }
        problem={shown(problems.lastDay)}
      >
        {(attributes) => (
          <input
            {...attributes}
            type="date"
            min={today}
            max={ownLastDay}
            value={lastDay}
            onInput={({ currentTarget }) => setLastDay(currentTarget.value)}
          />
        )}
      </Field>
      <FormButtons submit="Create key" onCancel={onCancel} />
      <Failure>{failure}</Failure>
    </form>
  )
}
