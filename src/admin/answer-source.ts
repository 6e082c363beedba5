// Answers of the service as JSON text, exactly as it sent them: parsing would change numbers that JavaScript cannot hold, in
// metadata and details.
import { memberSource, sourceAt, walkArray } from '../leads/json-source.ts'
import type { Call } from '../sdk/src/lead-intake.ts'
import { openService, type Service } from './service.ts'

/** The answer's data. Throws LeadIntakeError. */
export async function sourceOf({ url, apiKey }: Service, call: Call): Promise<string> {
  let body = ''
  const keepBody = async (address: string, init: RequestInit) => {
    const answer = await fetch(address, init)
    body = await answer.clone().text()
    return answer
  }
  await openService(url, apiKey, { fetch: keepBody }).client.request(call)
  return memberOf(body, 'data')
}

export const memberOf = (json: string, name: string) => memberSource(json, name)?.text ?? 'null'

/** All calls of a lead, oldest first, read page by page. */
export async function callsOf(service: Service, leadPath: string): Promise<readonly string[]> {
  const calls: string[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const path = `${leadPath}/calls`
    const page = await sourceOf(service, { method: 'GET', path, query: { cursor } })
    const list = memberOf(page, 'calls')
    walkArray(list, 0, (_, start) => {
      const { text } = sourceAt(list, start)
      calls.push(text)
      return start + text.length
    })
    cursor = JSON.parse(memberOf(page, 'nextCursor')) as string | null
  }
  return calls
}
