// Before a required consent is saved: how many leads lack it.
import { useEffect, useState } from 'preact/hooks'
import type { CampaignPreview } from '../../sdk/src/models.ts'
import { type Answer, settle } from '../service/answer.ts'
import { useSession } from '../service/session.ts'
import { describeLacking } from './consent-words.ts'

type Props = { readonly campaignId: string; readonly purpose: string; readonly maxAgeDays: number | null }

/** It looks at thousands of leads: only what somebody has finished typing is asked for. */
const typedForMs = 600

export function ConsentPreview({ campaignId, purpose, maxAgeDays }: Props) {
  const { client } = useSession()
  const [answer, setAnswer] = useState<Answer<CampaignPreview> | null>(null)
  useEffect(() => {
    let isOver = false
    setAnswer(null)
    const ask = async () => {
      const consent = {
        consentPurpose: purpose,
        ...(maxAgeDays !== null && { consentMaxAgeDays: maxAgeDays }),
      }
      const found = await settle(client.campaigns.preview(campaignId, {}, consent))
      if (!isOver) setAnswer(found)
    }
    const timer = setTimeout(ask, typedForMs)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [campaignId, purpose, maxAgeDays])
  const { data = null, error = null } = answer ?? {}
  return (
    <p role="status" class={data !== null && data.withoutConsent > 0 ? 'notice' : 'muted'}>
      {data !== null
        ? describeLacking(data)
        : error === null
          ? 'Counting the leads without this consent…'
          : `How many leads lack this consent is not known: ${error}`}
    </p>
  )
}
