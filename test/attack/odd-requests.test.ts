// Every method on every odd path, and two hundred odd requests: the answer is one that the contract knows, and the
// table holds what the answers said. Tens of thousands of them, on a real server: test/hard/fuzz.ts.
import { exports } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { randomAddress } from '../support/http/api.ts'
import { breaches } from '../support/http/every-answer.ts'
import { sideBySide } from '../support/http/side-by-side.ts'
import { seedKey, seedWorld, storedPhones } from '../support/world.ts'
import { methods, type OddRequest, oddPaths, oddRequest } from './odd-requests.ts'

/** Not by the tests' client, which takes every answer for JSON: a list may be CSV. */
async function breachesOf({ method, path, headers, body }: OddRequest, address = randomAddress()) {
  const init: RequestInit = {
    method,
    headers: { 'cf-connecting-ip': address, ...headers },
    redirect: 'manual',
  }
  if (body !== undefined) init.body = body
  const response = await exports.default.fetch(new Request(`http://lead-intake.test${path}`, init))
  const answer = { status: response.status, headers: response.headers, text: await response.text() }
  const header = (name: string) => answer.headers.get(name)
  const asked = { method, path, requestId: headers['x-request-id'] }
  return { answer, found: breaches(asked, { ...answer, header }) }
}

it.each(oddPaths.map((path) => [path.slice(0, 60), path]))(
  'Every method on every odd path is answered as the contract has it, and finds nothing: %s',
  async (_, path) => {
    const { writeKey } = await seedWorld()
    const address = randomAddress()
    const keys: Record<string, string>[] = [{ 'x-api-key': writeKey }, {}]
    const requests = methods.flatMap((method) => keys.map((headers) => ({ method, path, headers })))
    await sideBySide(requests, async (request) => {
      const { answer, found } = await breachesOf({ ...request, body: undefined }, address)
      expect(found, `${request.method} ${answer.status} ${answer.text}`).toEqual([])
      expect(answer.status, request.method).toBeGreaterThanOrEqual(400)
    })
  },
)

it('Odd requests are answered as the contract has it, and store what they say', async () => {
  const { companyId, campaign, campaignId } = await seedWorld()
  const keys = await Promise.all(Array.from({ length: 20 }, async () => (await seedKey({ companyId })).key))
  let created = 0
  // The runtime's own client warns of header values beyond ASCII; test/hard/fuzz.ts sends them.
  const isAscii = ({ headers }: OddRequest) => !/[^ -~]/.test(Object.values(headers).join(''))
  const requests = oddRequest({ campaignIds: [campaignId], keys }).filter(isAscii)
  const property = fc.asyncProperty(requests, async (odd) => {
    const { answer, found } = await breachesOf(odd)
    expect(found, `${answer.status} ${answer.text}`).toEqual([])
    if (odd.method !== 'POST' || answer.headers.has('idempotent-replayed')) return
    if (answer.status === 201) created++
    if (answer.status === 200 && !/[?&]dryRun=true/.test(odd.path)) {
      created += (JSON.parse(answer.text) as { data: { created: number } }).data.created
    }
  })
  await fc.assert(property, { numRuns: 200, endOnFailure: true })
  expect(await storedPhones(campaign)).toHaveLength(created)
})
