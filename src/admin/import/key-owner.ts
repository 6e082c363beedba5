// Finds the company of an import, and the campaign of its key. Companies may have campaigns with the same id, so the
// campaign does not identify the company.
import { ConnectionError, LeadIntakeError } from '../../sdk/src/lead-intake.ts'
import { CommandFailed } from '../command-failed.ts'
import { describeError, patient, type Service } from '../service.ts'

/** `campaignId`: of a campaign's key. Throws CommandFailed. */
export async function ownerOfKey({ url, client }: Service, log: (line: string) => void) {
  try {
    const { company, key } = await client.keys.self(patient(url, log))
    return { owner: `company ${company.id}`, campaignId: key.campaignId }
  } catch (error) {
    if (!(error instanceof LeadIntakeError)) throw error
    if (error instanceof ConnectionError || error.status >= 500)
      throw new CommandFailed(describeError(url, error))
    // If the key is refused, so are the first rows, with the reason.
    return { owner: 'nobody', campaignId: null }
  }
}
