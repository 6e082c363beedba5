// The catalogue's entry of API keys.
import { type Endpoint, scopesOf } from './endpoint.ts'

const listKeys: Endpoint = {
  name: 'listKeys',
  method: 'GET',
  path: '/api/v1/keys',
  scopes: scopesOf.manage,
  actsOn: 'nothing',
  limit: 1000,
  success: 200,
  request: () => ({ path: '/api/v1/keys' }),
  alsoSucceeds: {},
  invalid: [],
  conflicts: [],
  alsoFails: [],
}

const getOwnKey: Endpoint = {
  name: 'getOwnKey',
  method: 'GET',
  path: '/api/v1/keys/self',
  scopes: scopesOf.look,
  actsOn: 'nothing',
  limit: 1000,
  success: 200,
  request: () => ({ path: '/api/v1/keys/self' }),
  alsoSucceeds: {},
  invalid: [],
  conflicts: [],
  alsoFails: [],
}

export const keyEndpoints = [listKeys, getOwnKey]
