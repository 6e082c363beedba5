// An entry of the record of a number in words: what it is, and the details that matter to a person. Pure.
import type { RecordEntry } from '../../sdk/src/models.ts'
import { describeOutcome } from '../leads/lead-words.ts'
import { statusNames } from '../ui/words/status-names.ts'
import { fullTime } from '../ui/words/zone-time.ts'

/** Empty ones are left out. */
const joined = (...parts: readonly (string | false | null | undefined)[]) =>
  parts.filter((part) => part).join(' · ')

const logged = {
  withdrawal: 'Withdrawal',
  suppression: 'Added to do-not-call',
  removal: 'Removed from do-not-call',
  erasure: 'Erasure',
} as const

type Names = {
  readonly campaign: (id: string) => string
  readonly actor: (actor: string | null) => string
}

/** `zone`: of the times. */
export function describeEntry(
  entry: RecordEntry,
  zone: string,
  names: Names,
): readonly [what: string, details: string] {
  switch (entry.type) {
    case 'lead': {
      const { campaignId, status, externalId } = entry.lead
      return ['Lead', joined(names.campaign(campaignId), statusNames[status], externalId)]
    }
    case 'consent': {
      const { purpose, expiresAt, source } = entry
      const end = expiresAt && `expires ${fullTime(Date.parse(expiresAt), zone)}`
      return ['Consent', joined(purpose, end, source?.url)]
    }
    case 'call': {
      const { campaignId, outcome, agent, doNotCall } = entry
      return [
        'Call',
        joined(
          names.campaign(campaignId),
          describeOutcome(outcome),
          agent,
          doNotCall && 'asked not to be called',
        ),
      ]
    }
    case 'mention':
      return ['In the metadata of another lead', joined(names.campaign(entry.campaignId), entry.leadId)]
    case 'use':
      return ['Consent used', describeOutcome(entry.outcome)]
    default: {
      const { type, withdraws, campaignId, reason, actor, actorName, gateVersion } = entry
      const consents = withdraws && `withdraws ${withdraws === '*' ? 'all consents' : withdraws}`
      const where = campaignId ? names.campaign(campaignId) : type !== 'withdrawal' && 'all campaigns'
      const who = gateVersion === null ? (actorName ?? names.actor(actor)) : 'the gate of a campaign'
      return [logged[type], joined(where, consents, reason, `by ${who}`)]
    }
  }
}
