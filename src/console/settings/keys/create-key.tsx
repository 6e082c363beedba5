// Creates a key, which never has more rights than the one in use: its campaign, and its end.
import { useState } from 'preact/hooks'
import type { Campaign, Key, KeyCreated } from '../../../sdk/src/models.ts'
import { useCampaigns } from '../../service/names.ts'
import { useSession } from '../../service/session.ts'
import { useAction } from '../../service/use-action.ts'
import { Failure } from '../../ui/feedback.tsx'
import { TextField } from '../../ui/fields/field.tsx'
import { Radio, Sentences } from '../../ui/fields/select.tsx'
import { Form } from '../../ui/form.tsx'
import { dateName, endOfDayMs, isoDay, zoneName } from '../../ui/words/zone-time.ts'
import { type Scope, scopeSentences } from './key-words.ts'

type Props = {
  /** Null: the page of the company. */
  readonly campaign: Campaign | null
  readonly zone: string
  /** The key in use. */
  readonly own?: Key | undefined
  /** What such a key needs: only its name is asked for. It is for the campaign. */
  readonly preset?: { readonly scope: Scope; readonly name: string; readonly hint: string }
  readonly onCreated: (key: KeyCreated) => void
  /** Absent: the form stays open. */
  readonly onCancel?: () => void
}

export function CreateKey({ campaign, zone, own, preset, onCreated, onCancel }: Props) {
  const { client, rights } = useSession()
  const [name, setName] = useState(preset?.name ?? '')
  const [scope, setScope] = useState<Scope | null>(preset?.scope ?? null)
  const [isOfAll, setIsOfAll] = useState(campaign === null)
  const [campaignId, setCampaignId] = useState(campaign?.id ?? '')
  const offered = useCampaigns(campaign === null)
  const [lastDay, setLastDay] = useState('')
  const [isTried, setIsTried] = useState(false)
  const action = useAction()

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

  const create = async () => {
    setIsTried(true)
    if (scope === null || Object.values(problems).some((problem) => problem !== null)) return
    const endMs = lastMs !== null && ownEndMs !== null ? Math.min(lastMs, ownEndMs) : lastMs
    const key = {
      name: name.trim(),
      scope,
      ...(!isOfAll && { campaignId: campaignId.trim() }),
      ...(endMs !== null && { expiresAt: new Date(endMs).toISOString() }),
    }
    const { data } = await action.run(() => client.keys.create(key))
    if (data !== null) onCreated(data)
  }

  return (
    <Form
      name={preset === undefined ? 'Create a key' : `Create a key with scope ${preset.scope}`}
      submit="Create key"
      onSubmit={create}
      onCancel={onCancel}
      {...action}
    >
      <TextField
        label={preset === undefined ? 'Name' : 'Who uses it'}
        hint={preset?.hint ?? 'Who uses the key, such as “HubSpot”.'}
        problem={shown(problems.name)}
        value={name}
        onText={setName}
      />
      {preset === undefined && (
        <fieldset class="group">
          <legend>Permissions</legend>
          <Sentences name="scope" sentences={scopeSentences} chosen={scope} onChoose={setScope} />
          <Failure>{shown(problems.scope)}</Failure>
        </fieldset>
      )}
      {preset === undefined && rights.company && (
        <fieldset class="group">
          <legend>Campaigns</legend>
          <Radio name="campaigns" checked={isOfAll} onChoose={() => setIsOfAll(true)}>
            All campaigns
          </Radio>
          <Radio name="campaigns" checked={!isOfAll} onChoose={() => setIsOfAll(false)}>
            {campaign === null ? 'Only one campaign' : `Only ${campaign.name}`}
          </Radio>
          {campaign === null && !isOfAll && (
            <TextField
              label="Id of the campaign"
              problem={shown(problems.campaign)}
              list="campaigns-offered"
              value={campaignId}
              onText={setCampaignId}
            />
          )}
          <datalist id="campaigns-offered">
            {offered.map(({ id, name: campaignName }) => (
              <option key={id} value={id} label={campaignName} />
            ))}
          </datalist>
        </fieldset>
      )}
      {!rights.company && <p class="muted small">The key has access to this campaign only, as yours has.</p>}
      {preset === undefined && (
        <TextField
          label="Last day (optional)"
          hint={
            ownLastDay === undefined
              ? `The key ends when this day ends in ${zoneName(zone)}. Empty: it does not end.`
              : `Your key ends on ${dateName(ownLastDay)}, and the new one not later.`
          }
          problem={shown(problems.lastDay)}
          type="date"
          min={today}
          max={ownLastDay}
          value={lastDay}
          onText={setLastDay}
        />
      )}
    </Form>
  )
}
