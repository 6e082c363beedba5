// Four steps from an empty company to a first call. The API says which of them are done.
import type { Campaign } from '../../sdk/src/models.ts'

type Props = {
  /** Null: the company has none. */
  readonly campaign: Campaign | null
}

export function FirstSteps({ campaign }: Props) {
  return <p>{campaign === null ? 'Create a campaign.' : 'Create a key.'}</p>
}
