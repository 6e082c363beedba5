// 5. A key that was ended never reads again, and a key of a campaign sees no other.
import type { Promised } from './promise.ts'

export const eachToHisOwn: Promised = {
  name: 'each to his own',

  onAnswer({ operation, key: text, answer, sentAt }, known) {
    if (text === null || answer?.status !== 200) return null
    const key = known.keys.find((one) => one.text === text)
    if (key === undefined) return null
    const endedAt = key.endedBy?.answeredAt ?? Number.POSITIVE_INFINITY
    if (endedAt < sentAt) return `a key reads ${operation} after it was revoked`
    if (operation !== 'listCampaigns' || key.campaign === null) return null
    const own = known.cast.companies[key.company]?.campaigns[key.campaign]?.id
    const other = answer.body.data.campaigns.find(({ id }: { id: string }) => id !== own)
    return other === undefined ? null : `a key of campaign ${own} sees campaign ${other.id}`
  },
}
