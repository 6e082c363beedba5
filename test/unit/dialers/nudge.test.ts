// The URL that a provider may send to: what it holds, how long it may be, and that nobody else can make one.
import { expect, it } from 'vitest'
import { nudgePath, nudgeUrl, readNudge } from '../../../src/channels/dialers/nudge.ts'

const nudge = { companyId: 'acme~1 ü', number: 7, callId: '1a2096971370000010000000' }
const tokenOf = (url: string | undefined) => url?.split(nudgePath)[1] ?? ''

it('A nudge says company, campaign and call, and is read with the root that made it alone', () => {
  for (const one of [nudge, { ...nudge, callId: null }]) {
    const token = tokenOf(nudgeUrl('root', 'https://leads.example.com', one))
    expect(readNudge('root', token)).toEqual(one)
    expect(readNudge('other root', token)).toBeNull()
  }
})

it('A URL of more than 200 characters is left out', () => {
  const urlAt = (chars: number) => nudgeUrl('root', `https://${'x'.repeat(chars)}.example.com`, nudge)
  const [longest] = [...Array(200).keys()].reverse().flatMap((chars) => urlAt(chars) ?? [])
  expect(longest).toHaveLength(200)
  expect(urlAt(200)).toBeUndefined()
})
