// Shown in place of a campaign: the key has none, or no access to the one in the address.

import type { CampaignSettings } from '../sdk/src/models.ts'
import { hashOf, type PageName } from './place.ts'
import { Card } from './ui/card.tsx'
import { Button } from './ui/controls.tsx'

type Props = {
  /** Null: none in the address. */
  readonly wantedId: string | null
  readonly campaigns: readonly CampaignSettings[]
  readonly page: PageName
  readonly onSignOut: () => void
}

export function NoCampaign({ wantedId, campaigns, page, onSignOut }: Props) {
  return (
    <main class="page">
      <Card isMain title={campaigns.length === 0 ? 'No campaign yet' : 'Campaign not found'}>
        {campaigns.length === 0 ? (
          <p>
            Create one with <code>npm run admin -- campaign create</code>, then reload.
          </p>
        ) : (
          <>
            <p role="status">
              <strong class="cut">{wantedId}</strong> does not exist, or your key has no access to it. If it
              is new, reload. Otherwise choose one:
            </p>
            <ul class="rows">
              {campaigns.map(({ id, name }) => (
                <li key={id}>
                  <a href={hashOf(id, page)}>{name}</a>
                  <span class="muted">{id}</span>
                </li>
              ))}
            </ul>
          </>
        )}
        <Button onClick={onSignOut}>Use another key</Button>
      </Card>
    </main>
  )
}
