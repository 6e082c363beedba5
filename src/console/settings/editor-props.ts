// What each part of the settings is given: the campaign as it is, and a way to change it.
import type { Campaign } from '../service/wire.ts'

export type EditorProps = {
  readonly campaign: Campaign
  readonly canChange: boolean
  /** Null: saved. */
  readonly onSave: (change: object) => Promise<string | null>
}
