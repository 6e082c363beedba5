// The props of each part of the settings: the campaign, and a way to change it.
import type { Campaign } from '../../sdk/src/models.ts'

export type EditorProps = {
  readonly campaign: Campaign
  readonly canChange: boolean
  /** Null: saved. */
  readonly onSave: (change: object) => Promise<string | null>
}
