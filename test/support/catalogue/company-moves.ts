// The catalogue's entries of moves and restores of companies. They come last: one of them pauses every campaign in D1.
import { env } from 'cloudflare:workers'
import { storeStub } from '../../../src/base/database/company-store.ts'
import { offerRestore } from '../companies/own-company.ts'
import {
  base,
  created,
  ended,
  maxBytes,
  misplaced,
  moving,
  path,
  storeOf,
  unknownCompany,
  wrongPlaces,
} from './companies.ts'
import { endpoint, type Flaw, type Sent, withFields } from './endpoint.ts'
import { invalidBody, notAnObject, unknownMembers, wrongIdempotencyKey } from './mistakes.ts'

const move = `${path}/:companyId/move`
const ofMove = (companyId: string, body?: object): Sent => ({
  path: `${path}/${companyId}/move`,
  ...(body && { body }),
})

const moveCompany = endpoint({
  ...base,
  name: 'moveCompany',
  method: 'POST',
  path: move,
  maxBytes,
  success: 202,
  request: async () => ofMove(await created(), { to: 'own' }),
  alsoSucceeds: { 'to a place': async () => ofMove(await created(), { to: 'own', location: 'weur' }) },
  invalid: [
    notAnObject,
    invalidBody('to must be one of shared, own', { to: 'x' }),
    ...wrongPlaces,
    ...unknownMembers,
    ...misplaced({ to: 'shared' }),
  ],
  conflicts: [unknownCompany],
  alsoFails: [
    {
      name: 'the store that it has',
      said: [409, 'Company is already there', 'company_there'],
      change: async () => ofMove(await created({ store: 'own' }), { to: 'own' }),
    },
    {
      name: 'the other way while it moves',
      said: [409, 'Company is moving', 'company_moving'],
      change: async () => ofMove(await moving({ phase: 'requested' }), { to: 'shared' }),
    },
    {
      name: 'back while what it left is being deleted',
      said: [409, 'What the last move left is still being deleted', 'company_emptying'],
      change: async () => ofMove(await moving({ phase: 'switched' }), { to: 'shared' }),
    },
  ],
})

const noMove: Flaw = {
  name: 'a company that never moved',
  said: [404, 'Move not found', 'move_not_found'],
  change: async () => ofMove(await created()),
}

const getMove = endpoint({
  ...base,
  name: 'getMove',
  method: 'GET',
  path: move,
  request: async () => ofMove(await moving(ended)),
  conflicts: [unknownCompany],
  alsoFails: [noMove],
})

const abortMove = endpoint({
  ...base,
  name: 'abortMove',
  method: 'DELETE',
  path: move,
  request: async () => ofMove(await moving({ phase: 'requested' })),
  conflicts: [unknownCompany],
  alsoFails: [
    noMove,
    {
      name: 'a move that has switched',
      said: [409, 'Company has already moved', 'company_moved'],
      change: async () => ofMove(await moving({ ...ended, ended_at_ms: null, phase: 'switched' })),
    },
  ],
})

const anHourAgo = () => new Date(Date.now() - 3_600_000).toISOString()

/** Of a company whose store has a history, which the local platform has not. */
async function restorable(): Promise<Sent> {
  const companyId = await created({ store: 'own' })
  const store = (await storeOf(companyId)) as string
  await offerRestore(storeStub(env, store) as DurableObjectStub)
  return restoring(companyId)
}
const restoring = (companyId: string): Sent => ({
  path: `${path}/${companyId}/restore`,
  body: { confirm: companyId, to: anHourAgo() },
})

const noTime = invalidBody('to must be an ISO 8601 timestamp with a UTC offset', { to: 'x' })

const restoreCompany = endpoint({
  ...base,
  name: 'restoreCompany',
  method: 'POST',
  path: `${path}/:companyId/restore`,
  maxBytes,
  request: restorable,
  invalid: [
    notAnObject,
    noTime,
    ...unknownMembers,
    invalidBody('confirm must be the id of the company', { confirm: 'x' }),
    {
      message: 'to must be at least a minute ago',
      change: (sent) => withFields({ to: new Date().toISOString() })(sent),
    },
    invalidBody('to must be within the last 30 days', { to: '2026-01-01T00:00:00Z' }),
    wrongIdempotencyKey,
  ],
  conflicts: [
    {
      ...unknownCompany,
      change: (sent) => ({ path: unknownPath(sent), body: { confirm: 'nobody', to: anHourAgo() } }),
    },
  ],
  alsoFails: [
    {
      name: 'a company in the shared database',
      said: [409, 'Company has no store of its own', 'store_shared'],
      change: async () => restoring(await created()),
    },
    {
      name: 'a platform without a history',
      said: [409, 'Store cannot be restored to that time', 'restore_refused'],
      change: async () => restoring(await created({ store: 'own' })),
    },
  ],
})
const unknownPath = ({ path: at }: Sent) => at.replace(/companies\/[^/]+/, 'companies/nobody')

const ofDirectory = {
  ...base,
  maxBytes,
  invalid: [
    notAnObject,
    noTime,
    ...unknownMembers,
    invalidBody('to must not be in the future', { to: '9999-01-01T00:00:00Z' }),
  ],
} as const

const keepForRestore = endpoint({
  ...ofDirectory,
  name: 'keepForRestore',
  method: 'POST',
  path: '/api/v1/restoring',
  request: () => ({ path: '/api/v1/restoring', body: { to: anHourAgo() } }),
  alsoSucceeds: {
    'with the id of another keep': async () => ({
      path: '/api/v1/restoring',
      body: { to: anHourAgo(), keepId: 'another' },
    }),
  },
  invalid: [
    ...ofDirectory.invalid,
    invalidBody('keepId must be a string of at most 64 characters', { keepId: 'x'.repeat(65) }),
  ],
})

const openRestored = endpoint({
  ...ofDirectory,
  name: 'openRestored',
  method: 'POST',
  path: '/api/v1/restored',
  request: () => ({ path: '/api/v1/restored', body: { to: anHourAgo() } }),
})

export const moveEndpoints = [moveCompany, getMove, abortMove, restoreCompany, keepForRestore, openRestored]
