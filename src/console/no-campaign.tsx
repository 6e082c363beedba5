// Said in place of a campaign: the key has none, or the address names one that it does not see.
import { hashOf, type PageName } from './place.ts'
import type { Settings } from './service/wire.ts'

type Props = {
  /** Null: the address names none. */
  readonly wantedId: string | null
  readonly campaigns: readonly Settings[]
  readonly page: PageName
  readonly onLeave: () => void
}

export function NoCampaign({ wantedId, campaigns, page, onLeave }: Props) {
  return (
    <main class="page">
      <section class="card" aria-labelledby="none-title">
        {campaigns.length === 0 ? (
          <>
            <h1 id="none-title">No campaign yet</h1>
            <p>
              This key’s company has none. Make one with <code>npm run admin -- campaign create</code>, then
              reload.
            </p>
          </>
        ) : (
          <>
            <h1 id="none-title">This campaign is not here</h1>
            <p role="status">
              The address names <strong class="cut">{wantedId}</strong>, which is no campaign that this key
              sees. If it was made a moment ago, reload. Otherwise choose one:
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
        <button type="button" onClick={onLeave}>
          Use another key
        </button>
      </section>
    </main>
  )
}
