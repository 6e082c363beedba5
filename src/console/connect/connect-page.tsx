// What to paste where, so that a CRM sends leads and an agent calls them, for the chosen key; and a test lead.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Campaign } from '../../sdk/src/models.ts'
import { companyHashOf, hashOf } from '../place.ts'
import { newestKeyId, newKeyOf } from '../service/new-key.ts'
import { serviceNow } from '../service/service-clock.ts'
import { useSession } from '../service/session.ts'
import { type Round, useData } from '../service/use-reading.ts'
import { Card } from '../ui/card.tsx'
import { Failure } from '../ui/feedback.tsx'
import { Select } from '../ui/fields/select.tsx'
import { RecipePanel } from './recipe-panel.tsx'
import { anyKey, type Recipe, type RecipeId, recipeIds, recipesOf } from './recipes.ts'
import { TestPanel } from './test-panel.tsx'
import { usableKeys } from './usable-keys.ts'

type Props = {
  readonly campaign: Campaign
  /** From the address: the recipe. */
  readonly part: string | null
  readonly round: Round
}

export function ConnectPage({ campaign, part, round }: Props) {
  const { rights } = useSession()
  const shown = recipeIds.find((id) => id === part) ?? 'curl'
  const { title, needs } = recipeOf(shown, campaign, anyKey)
  const show = (key: string) => <RecipePanel key={shown} {...recipeOf(shown, campaign, key)} />
  return (
    <div class="stack alone">
      <h1>Connect</h1>
      <Card title={needs === 'agent' ? 'Call leads' : `Send leads: ${title}`}>
        <nav class="switch" aria-label="Systems">
          {recipeIds.map((id) => (
            <a
              key={id}
              href={hashOf(campaign.id, 'connect', id)}
              aria-current={id === shown ? 'page' : undefined}
            >
              {recipeOf(id, campaign, anyKey).title}
            </a>
          ))}
        </nav>
        {rights.manage && needs === 'agent' && (
          <p>
            Without an agent of your own, <a href={hashOf(campaign.id, 'calling')}>let the service call</a>.
          </p>
        )}
        {rights.manage ? (
          <ForKey campaign={campaign} needs={needs} round={round} show={show} />
        ) : (
          <>
            <p class="muted">
              Put your key in place of {anyKey} below.
              {needs === 'agent' && ' An agent takes a key with scope agent: ask a manager for one.'}
            </p>
            {show(anyKey)}
          </>
        )}
      </Card>
      <TestPanel campaign={campaign} round={round} />
    </div>
  )
}

const recipeOf = (id: RecipeId, { id: campaignId }: Campaign, key: string) =>
  recipesOf({ origin: location.origin, campaignId, key })[id]

type ForKeyProps = {
  readonly campaign: Campaign
  readonly needs: Recipe['needs']
  readonly round: Round
  readonly show: (key: string) => ComponentChildren
}

/** The recipe for a key that a person chooses. */
function ForKey({ campaign, needs, round, show }: ForKeyProps) {
  const { client, rights } = useSession()
  const [chosen, setChosen] = useState<string | null>(newestKeyId)
  const { data, failure } = useData(() => client.keys(), round)
  const keys = usableKeys(data?.keys ?? [], campaign.id, needs, serviceNow())
  const key = keys.find(({ keyId }) => keyId === chosen) ?? keys[0]
  if (data === null)
    return (
      <>
        {failure === null ? <p class="muted">Loading keys…</p> : <Failure>{failure}</Failure>}
        {show(anyKey)}
      </>
    )
  const goal = rights.company ? companyHashOf('company', 'keys') : hashOf(campaign.id, 'settings', 'keys')
  if (key === undefined)
    return (
      <>
        <p>
          No key can {needs === 'write' ? 'send leads to' : 'call leads of'} this campaign yet.{' '}
          <a href={goal}>Create one</a> with scope <code>{needs}</code>.
        </p>
        {show(anyKey)}
      </>
    )
  const secret = newKeyOf(key.keyId)
  return (
    <>
      <div class="group">
        <Select
          label="Key"
          value={key.keyId}
          options={keys.map(({ keyId, name, hint, scope, campaignId }) => [
            keyId,
            `${name} (${hint}) · ${scope} · ${campaignId ?? 'all campaigns'}`,
          ])}
          onChoose={setChosen}
        />
        <p class="muted small">
          {secret === null ? (
            <>
              A key is shown only when it is created: put yours in place of {anyKey}, or{' '}
              <a href={goal}>create one</a>.
            </>
          ) : (
            'The samples below contain this key. It is not shown again after you sign out or reload.'
          )}
        </p>
      </div>
      {show(secret ?? anyKey)}
    </>
  )
}
