import { endpoint } from './endpoint.ts'

// The catalogue's entries of the health check, by GET and by HEAD.

const checkHealth = endpoint({
  name: 'checkHealth',
  method: 'GET',
  path: '/api/health',
  scopes: null,
  actsOn: 'nothing',
  limit: 60,
  request: () => ({ path: '/api/health' }),
})

export const healthEndpoints = [
  checkHealth,
  { ...checkHealth, name: 'checkHealthBriefly', method: 'HEAD' as const },
]
