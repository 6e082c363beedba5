// What a paused campaign would do if it were resumed now.
import { useEffect, useState } from 'preact/hooks'
import type { CampaignPreview } from '../../sdk/src/models.ts'
import { settle } from '../service/answer.ts'
import { useSession } from '../service/session.ts'
import { describePreview } from './campaign-state.ts'

/**
 * Read once: it looks at thousands of leads, so no round reads it again. Where it cannot be read, nothing is missing.
 */
export function ResumePreview({ campaignId }: { readonly campaignId: string }) {
  const { client } = useSession()
  const [preview, setPreview] = useState<CampaignPreview | null>(null)
  useEffect(() => {
    let isOver = false
    void settle(client.campaigns.preview(campaignId)).then(({ data }) => isOver || setPreview(data))
    return () => {
      isOver = true
    }
  }, [])
  return <p role="status">{preview && describePreview(preview)}</p>
}
