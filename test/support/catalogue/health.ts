// The catalogue's entries of the health check, by GET and by HEAD.
import type { Endpoint } from './endpoint.ts'

const checkHealth: Endpoint = {
  name: 'checkHealth',
  method: 'GET',
  path: '/api/health',
  scopes: null,
  actsOn: 'nothing',
  limit: 60,
  success: 200,
  request: () => ({ path: '/api/health' }),
  alsoSucceeds: {},
  invalid: [],
  conflicts: [],
  alsoFails: [],
}

export const healthEndpoints = [
  checkHealth,
  { ...checkHealth, name: 'checkHealthBriefly', method: 'HEAD' as const },
]
