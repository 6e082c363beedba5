// Errors, which one comes first: a request that is wrong in several ways gets the earliest error (D8), and the
// first wrong field in the order of the contract (D9).
import { beforeEach, describe, expect, it } from 'vitest'
import { type KeyedEndpoint, keyedEndpoints, wrongMethodOf } from '../../support/catalogue/catalogue.ts'
import type { Said, Scene, Sent } from '../../support/catalogue/endpoint.ts'
import { denialOf, invalid, isOfCompany, problems } from '../../support/catalogue/said.ts'
import { asText, cutShort, makeKey, otherScope, send, tooLarge } from '../../support/catalogue/sending.ts'
import { type Answer, api, health, randomAddress } from '../../support/http/api.ts'
import { expectFailure } from '../../support/http/expectations.ts'
import { sideBySide } from '../../support/http/side-by-side.ts'
import { stopClock } from '../../support/run/clock.ts'
import { isThorough } from '../../support/run/thorough.ts'
import { newPhone, seedKey, seedWorld, spendHour } from '../../support/world.ts'

beforeEach(stopClock)

type Kinds = { readonly isRevoked: boolean; readonly isSpent: boolean; readonly hasScope: boolean }

/** One mistake: what it says, and what it does to a right request, or to the key or the place of it. */
type Mistake = {
  readonly name: string
  readonly said: Said
  readonly change?: (sent: Sent, place: Scene, key: string) => Sent | Promise<Sent>
}

/** All mistakes that can be made at the endpoint, in the order of the checks (D8). */
function mistakesOf(endpoint: KeyedEndpoint): Mistake[] {
  const wrongInput = endpoint.invalid.at(-1)
  const denied = denialOf(endpoint)
  const mistakes: (Mistake | false)[] = [
    { name: 'key', said: problems.key },
    { name: 'rate', said: problems.rate },
    { name: 'path', said: problems.path, change: (sent) => ({ ...sent, path: '/api/v1/nothing' }) },
    {
      name: 'method',
      said: problems.method,
      change: (sent) => ({ ...sent, method: wrongMethodOf(endpoint.path) }),
    },
    otherScope(endpoint) !== undefined && { name: 'scope', said: problems.scope },
    ...(endpoint.maxBytes === undefined
      ? []
      : [
          { name: 'type', said: problems.type, change: asText },
          { name: 'size', said: problems.size, change: (sent: Sent) => tooLarge(sent, endpoint) },
          { name: 'json', said: problems.json, change: cutShort },
        ]),
    wrongInput !== undefined && {
      name: 'field',
      said: invalid(wrongInput.message, wrongInput.code),
      change: wrongInput.change,
    },
    denied !== null && !isOfCompany(endpoint) && { name: 'campaign', said: denied },
    ...endpoint.conflicts,
  ]
  return mistakes.filter((mistake) => mistake !== false)
}

type Send = (mistakes: readonly Mistake[]) => Promise<Answer>

const senders = new Map<KeyedEndpoint, Promise<Send>>()

/** Sends requests to one endpoint, in one world, each with the mistakes that it is given. */
function senderTo(endpoint: KeyedEndpoint): Promise<Send> {
  const sender = senders.get(endpoint) ?? newSender(endpoint)
  senders.set(endpoint, sender)
  return sender
}

async function newSender(endpoint: KeyedEndpoint): Promise<Send> {
  const [own, stranger] = await Promise.all([seedWorld(), seedWorld()])
  const keys = new Map<string, { readonly key: Promise<string>; uses: number }>()

  async function newKey({ isRevoked, isSpent, hasScope }: Kinds): Promise<string> {
    const scope = hasScope ? endpoint.scopes[0] : otherScope(endpoint)
    const { id, key } = await makeKey(endpoint, own, {
      ...(scope !== undefined && { scope }),
      ...(isRevoked && { revokedAtMs: 1 }),
    })
    if (isSpent) await spendHour(id, 1000)
    return key
  }

  /** The same for several requests, but for no more than its narrowest window holds. */
  function keyOf(kinds: Kinds): Promise<string> {
    const name = JSON.stringify(kinds)
    const known = keys.get(name)
    const isUsedUp = known === undefined || (!kinds.isSpent && known.uses * 2 >= endpoint.limit)
    const { key, uses } = isUsedUp ? { key: newKey(kinds), uses: 0 } : known
    keys.set(name, { key, uses: uses + 1 })
    return key
  }

  return async (mistakes) => {
    const has = (name: string) => mistakes.some((mistake) => mistake.name === name)
    const key = await keyOf({ isRevoked: has('key'), isSpent: has('rate'), hasScope: !has('scope') })
    const place = has('campaign') ? stranger : own
    let sent = await endpoint.request(place)
    // What stands in the body has to be there before the body is spoilt.
    for (const { change } of mistakes.toReversed()) sent = (await change?.(sent, place, key)) ?? sent
    return send(endpoint, key, sent)
  }
}

function expectSaid(answer: Answer, said: Said): void {
  if (answer.asked.method === 'HEAD') expect(answer.status).toBe(said[0])
  else expectFailure(answer, ...said)
}

describe('The order of checks', () => {
  const named = keyedEndpoints.map((endpoint) => [endpoint.name, endpoint] as const)

  it.each(named)('The earlier of two flaws is answered for, whichever they are: %s', async (_, endpoint) => {
    const sendWith = await senderTo(endpoint)
    const mistakes = mistakesOf(endpoint)
    const pairs = mistakes.flatMap((first, i) => {
      const later = isThorough ? mistakes.slice(i + 1) : mistakes.slice(i + 1, i + 2)
      return later.map((second) => ({ first, second }))
    })
    const answers = await sideBySide(pairs, ({ first, second }) => sendWith([first, second]))
    const found = answers.map(({ status, body }, i) => [pairs[i], status, body?.error])
    expect(found).toEqual(pairs.map((pair) => [pair, pair.first.said[0], pair.first.said[1]]))
  })

  it.each(named)('The earliest of all flaws is answered for, whichever is left: %s', async (_, endpoint) => {
    const sendWith = await senderTo(endpoint)
    const mistakes = mistakesOf(endpoint)
    const answers = await sideBySide(mistakes, (_, i) => sendWith(mistakes.slice(i)))
    for (const [i, { said }] of mistakes.entries()) expectSaid(answers[i] as Answer, said)
    expect((await sendWith([])).status).toBe(endpoint.success)
  })

  it('Health is limited before its method is looked at, for every method', async () => {
    const address = randomAddress()
    for (let i = 0; i < 60; i++) await health({ address, method: i % 2 ? 'GET' : 'POST' })
    for (const method of ['POST', 'DELETE', 'GET'])
      expectFailure(await health({ address, method }), ...problems.rate)
  })

  it('The key is asked for before a path is said not to be there', async () => {
    expectFailure(await api(null).request('GET', '/api/v1/nothing'), ...problems.key)
    expectFailure(await api(null).request('GET', '/api/v1'), ...problems.key)
  })
})

describe('The order of field errors', () => {
  // Each value is wrong; in the order in which they are named.
  const wrong: [name: string, value: unknown, message: string][] = [
    ['phoneNumber', '123', 'phoneNumber must be in E.164 format'],
    ['externalId', 7, 'externalId must be a string of at most 255 characters'],
    ['metadata', [], 'metadata must be an object'],
    ['scheduledFor', 'soon', 'scheduledFor must be an ISO 8601 timestamp with a UTC offset'],
    ['priority', -1, 'priority must be an integer between 0 and 100'],
    ['timeZone', 'Berlin', 'timeZone must be the name of a time zone, such as Europe/Berlin'],
  ]
  /** The fields from this one on are wrong, and written in the opposite order. */
  const wrongFrom = (i: number) => ({
    phoneNumber: newPhone(),
    ...Object.fromEntries(
      wrong
        .slice(i)
        .map(([name, value]) => [name, value])
        .toReversed(),
    ),
  })

  it('Of the fields of a lead, the first wrong one of the contract’s order is named', async () => {
    const { campaignId, writeKey } = await seedWorld()
    const first = await api(writeKey).createLead({ ...wrongFrom(0), campaignId: 5 })
    expectFailure(first, 400, 'campaignId must be a string of at most 128 characters')
    for (const [i, [, , message]] of wrong.entries())
      expectFailure(await api(writeKey).createLead({ ...wrongFrom(i), campaignId }), 400, message)
  })

  it('Of the fields of a bulk, campaignId is named first, then leads, then each item by index, as for one lead', async () => {
    const { companyId, campaignId } = await seedWorld()
    // Of a key with its own minute, for more than ten bulks.
    const send = async (body: object) => api((await seedKey({ companyId })).key).importLeads(body)
    expectFailure(await send({ leads: 'x', campaignId: '' }), 400, 'campaignId is required')
    expectFailure(await send({ leads: [wrongFrom(0)] }), 400, 'campaignId is required')
    expectFailure(await send({ campaignId, leads: 'x' }), 400, 'leads array is required')
    for (const [i, [, , message]] of wrong.entries()) {
      const leads = [wrongFrom(wrong.length), wrongFrom(i), {}]
      expectFailure(await send({ campaignId, leads }), 400, `leads[1].${message}`)
    }
  })

  it('The list names campaignId before status', async () => {
    const { readKey } = await seedWorld()
    const answer = await api(readKey).listLeads({ status: 'nonsense' })
    expectFailure(answer, 400, 'campaignId query parameter is required')
  })
})
