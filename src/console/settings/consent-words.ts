// What requiring a consent would do to the queue, in words. Pure.
import type { CampaignPreview } from '../../sdk/src/models.ts'
import { counted, countOf } from '../ui/words/number-words.ts'

export function describeLacking({
  withoutConsent,
  counted: looked,
  isWhole,
}: Pick<CampaignPreview, 'withoutConsent' | 'counted' | 'isWhole'>): string {
  if (looked === 0) return 'No leads in the queue.'
  const of = `${isWhole ? '' : 'the first '}${countOf(looked, 'lead')} in the queue`
  if (withoutConsent === 0) return `All of ${of} have this consent.`
  const [have, are] = withoutConsent === 1 ? ['has', 'it is'] : ['have', 'they are']
  return `${counted(withoutConsent)} of ${of} ${have} no such consent. Once you save, ${are} held, and not called.`
}
