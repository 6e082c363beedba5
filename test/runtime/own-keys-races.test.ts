// Two requests that create, rotate or revoke keys, each stopped at each of its awaits while the other goes on: no key
// has a right that its maker had lost, every key that is answered exists once, and what a revoked key made is named.
import { expect, it } from 'vitest'
import { databaseThat } from '../support/database/database.ts'
import { createGate } from '../support/database/gate.ts'
import { companyDb } from '../support/database/store.ts'
import { type Answer, api } from '../support/http/api.ts'
import { dataOf } from '../support/http/expectations.ts'
import { sideBySide } from '../support/http/side-by-side.ts'
import { entriesOf } from '../support/ledger/log.ts'
import { everyOther } from '../support/run/thorough.ts'
import { seedKey, seedWorld } from '../support/world.ts'

const stops = ['before its key is looked up', 'before its commit', 'after its commit'] as const
type Stop = (typeof stops)[number]

const path = '/api/v1/keys'

/** Key `leaked` is to be revoked by `manage`; `other` is one that both may rotate and revoke. */
async function seed() {
  const { companyId } = await seedWorld()
  const [manage, leaked] = [
    await seedKey({ companyId, scope: 'manage' }),
    await seedKey({ companyId, scope: 'manage' }),
  ]
  const other = await seedKey({ companyId, scope: 'agent' })
  return { companyId, manage, leaked, other }
}
type World = Awaited<ReturnType<typeof seed>>
type Who = 'manage' | 'leaked'

type Act = {
  readonly by: Who
  readonly does: 'creates' | 'rotates' | 'revokes'
  readonly request: (world: World) => readonly [method: string, path: string, body?: object]
}

const creates = (by: Who): Act => ({
  by,
  does: 'creates',
  request: () => ['POST', path, { name: 'new', scope: 'manage' }],
})
const rotates = (by: Who, whom: 'other' | 'leaked', graceSeconds: number): Act => ({
  by,
  does: 'rotates',
  request: (world) => ['POST', `${path}/${world[whom].id}/rotate`, { graceSeconds }],
})
const revokes = (by: Who, whom: Who | 'other', query = ''): Act => ({
  by,
  does: 'revokes',
  request: (world) => ['DELETE', `${path}/${world[whom].id}${query}`],
})

const acts = {
  'the leaked key creates': creates('leaked'),
  'the leaked key rotates itself': rotates('leaked', 'leaked', 60),
  'the leaked key rotates another': rotates('leaked', 'other', 3600),
  'the leaked key revokes another': revokes('leaked', 'other'),
  'the leaked key revokes the manager': revokes('leaked', 'manage'),
  'the manager creates': creates('manage'),
  'the manager rotates another without grace': rotates('manage', 'other', 0),
  'the manager ends the leaked key by rotation': rotates('manage', 'leaked', 0),
  'the manager revokes the leaked key': revokes('manage', 'leaked', '?withCreated=true'),
} as const satisfies Record<string, Act>
type Name = keyof typeof acts

type Made = { keyId: string; key: string; scope: string; expiresAt: string | null }
type Revoked = { created: { keys: { keyId: string }[] } }

function send(world: World, { by, request }: Act, stop: Stop) {
  const gate = createGate(stop)
  const { DB } = databaseThat(async (run, { statements }) => {
    const isCommit = statements.some(({ sql }) => /(insert into|update) api_keys/.test(sql))
    await gate.pass(isCommit ? 'before its commit' : 'before its key is looked up')
    const result = await run()
    if (isCommit) await gate.pass('after its commit')
    return result
  })
  const [method, at, body] = request(world)
  return { gate, answer: api(world[by].key, { bindings: { DB } }).request(method, at, body) }
}

const works = async (key: string) => (await api(key).request('GET', `${path}/self`)).status === 200

async function interleave([first, second]: readonly [Name, Name], at: readonly [Stop, Stop]): Promise<void> {
  const world = await seed()
  const names = [first, second] as const
  const one = send(world, acts[first], at[0])
  await Promise.race([one.gate.reached, one.answer])
  const two = send(world, acts[second], at[1])
  await Promise.race([two.gate.reached, two.answer])
  const answers: Answer[] = []
  for (const { gate, answer } of [one, two]) {
    gate.goOn()
    answers.push(await answer)
  }
  const [a, b] = answers as [Answer, Answer]
  const statuses = [a.status, b.status]
  const which = { first, second, at, statuses }
  // Each is done, or its key had ended, or what it is about had: nothing else.
  const isDone = (status: number) => status === 200 || status === 201
  expect({ ...which, isKnown: statuses.every((s) => isDone(s) || s === 401 || s === 409) }).toEqual({
    ...which,
    isKnown: true,
  })

  const made = answers.filter(({ status }) => status === 201).map((answer) => dataOf(answer, 201) as Made)
  const { results: rows } = await companyDb
    .prepare(
      'select id, created_by as by, revoked_at_ms is not null as isRevoked from api_keys where company_id = ?1',
    )
    .bind(world.companyId)
    .all<{ id: string; by: string | null; isRevoked: number }>()
  // Nothing is stored but what is answered.
  // Those of the seed have no creator.
  const stored = rows.filter(({ by }) => by !== null).map(({ id }) => id)
  expect({ ...which, stored: stored.sort() }).toEqual({
    ...which,
    stored: made.map(({ keyId }) => keyId).sort(),
  })
  // The log has each once.
  const logged = (await entriesOf(world.companyId)).map(({ type }) => type)
  const done = names.filter((_, index) => isDone(statuses[index] as number))
  for (const [does, type] of [
    ['creates', 'key.created'],
    ['rotates', 'key.rotated'],
  ] as const)
    expect({ ...which, type, n: logged.filter((each) => each === type).length }).toEqual({
      ...which,
      type,
      n: done.filter((name) => acts[name].does === does).length,
    })
  // A key that has ended makes nothing any more; what it had made before is named, and ends with it.
  const revocation = answers.find((_, index) => names[index] === 'the manager revokes the leaked key')
  if (revocation?.status === 200) {
    const named = (dataOf(revocation, 200) as Revoked).created.keys.map(({ keyId }) => keyId)
    const ofLeaked = rows.filter(({ by }) => by === world.leaked.id)
    expect({ ...which, named: named.sort() }).toEqual({
      ...which,
      named: ofLeaked.map(({ id }) => id).sort(),
    })
    expect({ ...which, isEnded: ofLeaked.every(({ isRevoked }) => isRevoked === 1) }).toEqual({
      ...which,
      isEnded: true,
    })
    expect({ ...which, works: await works(world.leaked.key) }).toEqual({ ...which, works: false })
  }
  // Every other key that was answered works until its end. That of the key that asked is its end at the latest: a
  // request that was under way when its key ended makes a key that has ended too.
  for (const { key, keyId, expiresAt } of made) {
    const isRevoked = rows.find(({ id }) => id === keyId)?.isRevoked === 1
    const hasEnded = isRevoked || (expiresAt !== null && Date.parse(expiresAt) <= Date.now())
    expect({ ...which, works: await works(key) }).toEqual({ ...which, works: !hasEnded })
  }
}

const names = Object.keys(acts) as Name[]
const pairs = names.flatMap((first) => names.map((second) => [first, second] as const))
const places = stops.flatMap((first) => stops.map((second) => [first, second] as const))

it.each(pairs)('Keys are right when %s, then %s, each stopped at each await', async (first, second) => {
  const at = everyOther(places, names.indexOf(first) + names.indexOf(second))
  await sideBySide(at, (each) => interleave([first, second], each))
})
