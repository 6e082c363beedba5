// Creates a key for one campaign within the first steps, and shows it once. All keys are in the settings.
import type { Campaign } from '../../sdk/src/models.ts'
import { CreateKey } from '../settings/keys/create-key.tsx'
import { ShownOnce } from '../ui/shown-once.tsx'
import { zoneOf } from '../ui/words/zone-time.ts'

/** A key that was made here. */
export type Made = {
  readonly key: string
  /** Until the person has copied it. */
  readonly isShown: boolean
}

type Props = {
  readonly campaign: Campaign
  readonly scope: 'write' | 'agent'
  /** Suggested. */
  readonly name: string
  readonly hint: string
  /** Null: none was made here. */
  readonly made: Made | null
  readonly onMade: (made: Made) => void
}

export function MakeKey({ campaign, made, onMade, ...preset }: Props) {
  if (made?.isShown)
    return (
      <ShownOnce what="key" secret={made.key} onDone={() => onMade({ ...made, isShown: false })}>
        The new key, with scope {preset.scope} for {campaign.name}.
      </ShownOnce>
    )
  if (made !== null) return <p>The key is created. In this tab, the commands below contain it.</p>
  return (
    <CreateKey
      campaign={campaign}
      zone={zoneOf(campaign)}
      preset={preset}
      onCreated={({ key }) => key !== null && onMade({ key, isShown: true })}
    />
  )
}
